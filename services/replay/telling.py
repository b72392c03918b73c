"""Each event of a round in one plain sentence, amounts in units of its currency."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.jackpots import events as j
from domain.jackpots import upkeep as u
from domain.money import MICRO
from domain.rounds import events as r
from domain.rounds import scans as c
from domain.seats import events as s
from domain.tables import RoundEnded, RoundStarted
from domain.wallets import events as w

_MICRO_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Money:
    """How amounts of a currency are written: `exponent` is the number of decimals of its minor unit."""

    currency: str
    exponent: int

    def text(self, minor: int) -> str:
        """An amount of minor units, such as `-12.50`."""
        return _decimal(minor, self.exponent)

    def exact(self, micro: int) -> str:
        """An amount of micro-units with every digit that counts, at least those of the currency."""
        whole = _decimal(micro, self.exponent + _MICRO_DIGITS)
        kept = whole.rstrip("0")
        least = len(whole) - _MICRO_DIGITS
        shown = whole[: max(len(kept), least)]
        return shown.removesuffix(".")


def _decimal(amount: int, digits: int) -> str:
    sign = "-" if amount < 0 else ""
    text = str(abs(amount)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


def tell(event: object, money: Money) -> str:
    """The event as a sentence without its actor; empty for what no round holds."""
    for part in (_of_round, _of_scans, _of_seat, _of_wallet, _of_pool):
        if found := part(event, money):
            return found
    return ""


def _of_round(event: object, _: Money) -> str:
    match event:
        case r.RoundOpened():
            promised = "; the deck is shuffled and committed to" if event.commitment else "; cards come from a studio"
            return f"betting opens, game {event.game_number}, {event.terms.ruleset}{promised}"
        case r.BettingClosed():
            return f"betting closes with {_count(event.seats, 'seat')}"
        case r.Dealt():
            return f"the cards are dealt, {event.up_card} is the dealer's up-card"
        case r.ShowdownHeld():
            plays = "qualifies" if event.qualifies else "does not qualify"
            return f"showdown: the dealer shows {_hand(event.dealer_hand)} and {plays}"
        case r.CardsCorrected():
            return f"settled again on corrected cards ({event.policy}): {event.reason}; approved by {event.approver}"
        case r.RoundSettled():
            return f"the round is settled, {_count(event.seats, 'seat')} paid"
        case r.AwardDecided():
            return f"award {event.award} is {'verified' if event.verified else 'refused'}"
        case r.RoundPaused():
            return f"the round is paused: {event.reason}"
        case r.RoundResumed():
            return f"the round goes on: {event.reason}"
        case r.RoundCancelled():
            return f"the round is cancelled, every stake comes back: {event.reason}"
        case r.WagersVoided():
            return f"{_count(len(event.wagers), 'wager')} voided {_voided(event)}"
        case r.ReviewsResolved():
            return f"what was held for review is decided: {event.policy}"
        case r.RoundVoided():
            return f"the round is voided {_voided(event)}"
        case r.RoundUndoing():
            return f"the round is being undone, {_count(event.seats, 'seat')}: {event.reason}"
        case RoundStarted():
            return f"table {event.table} starts game {event.game_number}"
        case RoundEnded():
            return f"table {event.table} is free for the next round"
        case _:
            return ""


def _voided(event: r.WagersVoided | r.RoundVoided) -> str:
    when = "before settlement" if event.stage is s.Stage.BEFORE_SETTLEMENT else "after settlement"
    who = f", approved by {event.approver}" if event.approver else ""
    return f"{when}{f' ({event.policy})' if event.policy else ''}: {event.reason}{who}"


def _of_scans(event: object, _: Money) -> str:
    match event:
        case c.CardScanned():
            return f"scanned: {c.Place(event.to, event.number)}"
        case c.ScanCorrected():
            return f"a misread card is put right, {c.Place(event.to, event.number)}: {event.reason}"
        case c.ScansOpened():
            misread = f", {len(event.misread)} of them misread at first" if event.misread else ""
            return f"the {len(event.cards)} scanned cards are opened{misread}"
        case _:
            return ""


def _of_seat(event: object, money: Money) -> str:
    match event:
        case s.WagerPlaced():
            laid = " and ".join(f"{money.text(one.stake_minor)} on {one.kind.value}" for one in event.wagers)
            asked = "" if event.asked_ante_minor is None else f", {money.text(event.asked_ante_minor)} was asked"
            return f"{event.player} bets {laid}{asked}{', doubled' if event.doubled else ''}"
        case s.ActionUndone():
            return f"{event.player} takes the last action back"
        case s.SeatPassed():
            return f"{event.player} passes"
        case s.WagersRejected():
            return f"{_count(len(event.wagers), 'wager')} of {event.player} let go: {event.reason.value}"
        case s.SeatDecided():
            what = "calls" if event.call is not None else "folds"
            by = " (decided by the house, no answer in time)" if event.decided_by.value == "SYSTEM" else ""
            return f"{event.player} {what}{by}"
        case s.SeatSettled() | s.SeatResettled():
            more = f", {money.text(event.prize_minor)} of it the prize" if event.prize_minor else ""
            waits = f", a prize of {money.text(event.pending_minor)} waits" if event.pending_minor else ""
            back = f"{money.text(event.returned_minor)} back{more}{waits}, net {money.text(event.net_minor)}"
            return f"{event.player}: {_hand(event.player_hand)}, {event.outcome}, {back}"
        case s.PrizeDecided():
            what = "comes in" if event.verified else "is refused"
            return f"the prize of {event.player}, {money.text(event.amount_minor)}, {what}"
        case s.SeatVoided():
            owes = f", owes {money.text(event.owed_minor)}" if event.owed_minor > 0 else ""
            gone = f"{_count(len(event.wagers), 'wager')} of no effect"
            return f"{event.player}: {gone}, {money.text(event.refund_minor)} refunded{owes}"
        case s.ReviewResolved():
            return f"the review of {event.player} ends: {event.policy.value}"
        case _:
            return ""


def _of_wallet(event: object, money: Money) -> str:
    match event:
        case w.FundsHeld():
            return f"{money.text(event.amount_minor)} of {event.player} on game"
        case w.FundsReleased():
            return f"{money.text(event.amount_minor)} released to {event.player} ({event.reason.value})"
        case w.StakesSettled():
            return f"{event.player}: {money.text(event.staked_minor)} staked, {money.text(event.payout_minor)} paid"
        case w.PrizePaid():
            return f"prize of {money.text(event.amount_minor)} paid to {event.player}"
        case w.OutcomeReversed():
            held = f", {money.text(event.review_minor)} held for review" if event.review_minor else ""
            return f"{money.text(event.amount_minor)} to {event.player} ({event.policy.value}){held}"
        case w.HeldMoneyDecided():
            free = f"{money.text(event.review_minor)} no longer under review"
            return f"{event.player}: {free}, available money changes by {money.text(event.amount_minor)}"
        case w.BalanceWentNegative():
            return f"{event.player} is below zero: {money.text(event.available_minor)}"
        case _:
            return ""


def _of_pool(event: object, money: Money) -> str:
    match event:
        case j.Contributed():
            return f"{event.jackpot} gets {money.exact(event.increment_micro + event.reserve_micro)}"
        case j.Awarded():
            house = event.prize_minor * MICRO - event.pool_micro
            waits = ", waits for verification" if event.pending else ""
            part = f"{money.exact(event.pool_micro)} from the pool, {money.exact(house)} from the house"
            return f"{event.player} wins {money.text(event.prize_minor)} with {_hand(event.category)}: {part}{waits}"
        case j.PoolReset():
            return f"{event.jackpot} restarts at {money.exact(event.reset_micro)}"
        case j.RoundMirrored():
            return f"{event.jackpot} turns back what the voided wagers did"
        case j.RoundResettled():
            return f"{event.jackpot}: the difference between the old awards and the new"
        case u.AwardVerified():
            prize = money.text(event.prize_minor)
            return f"{event.jackpot} pays the verified prize of {prize}, approved by {event.approver}"
        case u.AwardRefused():
            return f"{event.jackpot} takes the refused prize of {money.text(event.prize_minor)} back: {event.reason}"
        case _:
            return ""


def _hand(name: str) -> str:
    return name.replace("_", " ").lower()


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
