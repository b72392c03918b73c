"""Showdown and payment: results and awards are fixed in one append, the seats are paid with it or after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain import tables
from domain.errors import WrongPhase
from domain.hands import rank_five
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import AwardRound, Claim
from domain.jackpots.events import Awarded, PoolEvent, PoolReset
from domain.jackpots.upkeep import UpkeepEvent
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import AwardRecord, OpenedCards, Phase, ResetRecord
from domain.rules import HandMode, PaymentOrder, RuleSet, TimeoutPolicy
from domain.seats import decider as seats
from domain.seats.commands import SettleSeat
from domain.seats.decider import Seat
from domain.seats.events import WagerKind, WagerResult
from domain.settlement import DecidedBy, Decision, Showdown, Stakes, decide_for_absent, settle, show
from domain.variants import ruleset
from domain.wallets import decider as wallets
from services.answers import SettleAnswer
from services.commands import PayOn, Settle
from services.desk import Desk
from services.handlers.deciding import decide_seat
from services.opening import open_all

NO_ANTE: Final = "NO_ANTE"
"""The outcome of a seat whose ante was voided: its side wager alone was settled."""

SEATS_PER_APPEND: Final = 500
"""How many seats one append pays; a larger round goes on in further appends."""


@dataclass(frozen=True, slots=True)
class _Hands:
    """The comparison of each hand of the round with the dealer's: one for all, or by seat number."""

    shared: Showdown | None
    by_seat: Mapping[int, Showdown]

    def of(self, seat: Seat) -> Showdown:
        return self.shared if self.shared is not None else self.by_seat[seat.seat or 0]


def settle_round(desk: Desk, command: Settle) -> SettleAnswer:
    """Decide for who has not, open all cards, fix every result and award, and pay (S0-07, S2-20)."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.DECIDING)
    rules = ruleset(round_.terms.ruleset)
    playing = [one for one in desk.seats_and_wallets(command.round) if one.wagers]
    undecided = [one for one in playing if one.decision is None and one.stake_minor(WagerKind.ANTE)]
    if undecided and round_.dealt is not None and desk.now < round_.dealt.deadline:
        raise WrongPhase(f"{len(undecided)} seats may still decide", field="round")
    cards = open_all(desk.seals, round_, rules, command.dealer)
    for nth, seat in enumerate(undecided, 1):
        choice = decide_for_absent(TimeoutPolicy(round_.terms.timeout_policy), rules, hand_of(cards, seat))
        action = f"{desk.command_id}:{nth}"
        decide_seat(desk, round_, seat, choice, player=seat.player, decided_by=DecidedBy.SYSTEM, action=action)
    hands = compare_all(rules, cards)
    order = payment_order(rules, [one for one in desk.seats(command.round) if one.wagers])
    pool_events = _awards(desk, round_, rules, hands, order)
    _post_showdown(desk, round_, cards, order, pool_events)
    _post_awards(desk, round_, pool_events)
    _pay(desk, desk.round(command.round), rules, hands, order)
    return answer_of(desk.round(command.round), rules)


def pay_on(desk: Desk, command: PayOn) -> SettleAnswer:
    """Pay the next seats of a round that stands in PAYING; when the last is paid the round is settled.

    Where somebody else has paid the last, and may even have voided the round since, there is nothing to do.
    """
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.PAYING, Phase.SETTLED, Phase.VOIDED)
    rules = ruleset(round_.terms.ruleset)
    if round_.phase is Phase.PAYING and round_.cards is not None:
        order = payment_order(rules, [one for one in desk.seats_and_wallets(command.round) if one.wagers])
        _pay(desk, round_, rules, compare_all(rules, round_.cards), order)
    return answer_of(desk.round(command.round), rules)


def answer_of(round_: Round, rules: RuleSet) -> SettleAnswer:
    """The answer to a settlement, made from the round alone."""
    cards = round_.cards
    dealer = () if cards is None else cards.dealer
    hand = rank_five(dealer, rules.wheel_is_straight)
    return SettleAnswer(
        round_.round, round_.phase.value, dealer, hand.category.value, rules.qualifies(hand), round_.seats
    )


def hand_of(cards: OpenedCards, seat: Seat) -> Sequence[str]:
    """The five cards that a seat plays with."""
    if cards.shared:
        return cards.shared
    return next(one.cards for one in cards.seats if one.seat == seat.seat)


def compare_all(rules: RuleSet, cards: OpenedCards) -> _Hands:
    """Each hand against the dealer's, once."""
    if rules.hand_mode is HandMode.SHARED:
        return _Hands(show(rules, cards.shared, cards.dealer), {})
    return _Hands(None, {one.seat: show(rules, one.cards, cards.dealer) for one in cards.seats})


def payment_order(rules: RuleSet, playing: Sequence[Seat]) -> list[Seat]:
    """Seats in the order of payment: 002 from the dealer's right to left (S2-20), else from the lowest seat."""
    ordered = sorted(playing, key=lambda one: (one.seat or 0, one.player))
    return ordered[::-1] if rules.payment_order is PaymentOrder.DESCENDING else ordered


def _stakes(seat: Seat) -> Stakes:
    return Stakes(
        seat.stake_minor(WagerKind.ANTE), seat.stake_minor(WagerKind.SIDE), seat.stake_minor(WagerKind.PROGRESSIVE)
    )


def _awards(
    desk: Desk, round_: Round, rules: RuleSet, hands: _Hands, order: Sequence[Seat]
) -> tuple[PoolEvent | UpkeepEvent, ...]:
    """What the pool pays for this round's progressive wagers, in the order of payment."""
    if round_.jackpot is None:
        return ()
    claims = []
    for seat in order:
        shown = hands.of(seat)
        prize = settle(rules, shown, _stakes(seat), seat.decision or Decision.FOLD).prize
        if prize is not None:
            wager = next(one.wager for one in seat.wagers if one.kind is WagerKind.PROGRESSIVE)
            award = f"{round_.round}:{seat.seat}"
            claims.append(Claim(award, seat.player, seat.seat, wager, shown.player.category.value, prize))
    return jackpots.decide(AwardRound(round_.round, tuple(claims)), desk.find_pool(round_.jackpot))


def _post_showdown(
    desk: Desk,
    round_: Round,
    cards: OpenedCards,
    order: Sequence[Seat],
    pool_events: Sequence[PoolEvent | UpkeepEvent],
) -> None:
    rules = ruleset(round_.terms.ruleset)
    pool = None if round_.jackpot is None else desk.find_pool(round_.jackpot)
    first_turn = 0 if pool is None else pool.version + 1
    awards = [
        AwardRecord(
            one.award, one.player, one.seat, one.category, one.fund.value,
            one.prize_minor, one.pool_micro, one.pending, first_turn + nth, one.wager, one.shared,
        )
        for nth, one in enumerate(pool_events)
        if isinstance(one, Awarded)
    ]  # fmt: skip
    resets = [
        ResetRecord(one.award, one.reset_micro, one.from_reserve_micro, first_turn + nth)
        for nth, one in enumerate(pool_events)
        if isinstance(one, PoolReset)
    ]
    hand = rank_five(cards.dealer, rules.wheel_is_straight)
    # of a shared hand the order of payment means nothing and ten thousand names would be carried along
    names = tuple(one.player for one in order) if rules.hand_mode is HandMode.PER_SEAT else ()
    showdown = round_commands.HoldShowdown(
        cards, hand.category.value, rules.qualifies(hand), names, tuple(awards), tuple(resets)
    )
    desk.post((desk.round_at(round_.round), rounds.decide(showdown, round_)))


def _post_awards(desk: Desk, round_: Round, pool_events: Sequence[PoolEvent | UpkeepEvent]) -> None:
    """Each award with the money that comes in for it; one that waits for verification stands in the pool's books."""
    if round_.jackpot is None:
        return
    pool_at = desk.pool_at(round_.jackpot)
    for event in pool_events:
        if not isinstance(event, Awarded) or event.pending:
            desk.post((pool_at, [event]))
            continue
        prize = wallets.PayPrize(round_.round, event.jackpot, event.award, event.prize_minor)
        paid = wallets.decide(prize, desk.find_wallet(event.player))
        desk.post((pool_at, [event]), (desk.wallet_at(event.player), paid))


def _pay(desk: Desk, round_: Round, rules: RuleSet, hands: _Hands, order: Sequence[Seat]) -> None:
    """Settle the next seats, at most `SEATS_PER_APPEND`; with the last one the round and its table are done."""
    unpaid = [one for one in order if not one.settled]
    for seat in unpaid[:SEATS_PER_APPEND]:
        _pay_seat(desk, round_, rules, hands.of(seat), seat)
    if len(unpaid) <= SEATS_PER_APPEND:
        finished = rounds.decide(round_commands.FinishRound(len(order)), round_)
        ended = tables.decide(tables.EndRound(round_.round), desk.find_table(round_.terms.table))
        desk.post((desk.round_at(round_.round), finished), (desk.table_at(round_.terms.table), ended))


def _pay_seat(desk: Desk, round_: Round, rules: RuleSet, shown: Showdown, seat: Seat) -> None:
    awards = [one for one in round_.awards if one.player == seat.player]
    result = settle(rules, shown, _stakes(seat), seat.decision or Decision.FOLD)
    results = tuple(_result(shown, seat, one.wager, one.kind, one.stake_minor) for one in seat.wagers)
    order = SettleSeat(
        round_.terms.ruleset,
        round_.terms.currency,
        shown.player.category.value,
        result.outcome.value if seat.stake_minor(WagerKind.ANTE) else NO_ANTE,
        results,
        sum(one.prize_minor for one in awards if not one.pending),
        sum(one.prize_minor for one in awards if one.pending),
    )
    staked = sum(one.stake_minor for one in results)
    payout = sum(one.payout_minor for one in results)
    money = wallets.decide(wallets.SettleStakes(round_.round, staked, payout), desk.find_wallet(seat.player))
    desk.post(
        (desk.seat_at(round_.round, seat.player), seats.decide(order, seat)), (desk.wallet_at(seat.player), money)
    )


def _result(shown: Showdown, seat: Seat, wager: str, kind: WagerKind, stake_minor: int) -> WagerResult:
    """What one wager pays: every unit of a spot gets the same, so wagers of one spot add up to it."""
    called = seat.decision is Decision.CALL
    back = {
        WagerKind.ANTE: shown.ante_back if called else 0,
        WagerKind.CALL: shown.call_back,
        WagerKind.SIDE: shown.side_back,
        WagerKind.PROGRESSIVE: 0,
    }[kind]
    return WagerResult(wager, kind, stake_minor, stake_minor * back)
