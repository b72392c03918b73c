"""Settle a round again on corrected cards: decisions and stakes stand, the difference moves (docs/ledger.md).

Awards are worked out on the pool as the first showdown found it; what they differ by is today's pool's.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.cards import HAND_SIZE, check_distinct, parse_cards
from domain.changing import replace
from domain.errors import Invalid
from domain.jackpots import decider as jackpots
from domain.jackpots.awarding import award_events
from domain.jackpots.commands import MirrorRound, ResettleRound
from domain.pools import Balances
from domain.rounds import decider as rounds
from domain.rounds.commands import CorrectCards
from domain.rounds.decider import Round
from domain.rounds.events import AwardRecord, OpenedCards, ResetRecord, SeatCards
from domain.rules import HandMode, RuleSet
from domain.seats import decider as seats
from domain.seats.commands import ResettleSeat, SettleSeat
from domain.seats.decider import Seat
from domain.seats.events import SeatResettled
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import VoidPolicy
from services.answers import LIST_PAGE, ResettleAnswer, ResettledPlayer
from services.commands import Resettle
from services.desk import Desk, Facts
from services.handlers.results import Hands, claims_of, compare_all, dealer_hand, payment_order, records_of, seat_result
from services.handlers.second import second_person

Records = tuple[tuple[AwardRecord, ...], tuple[ResetRecord, ...]]
"""Awards and resets as the round keeps them."""


def resettle(desk: Desk, command: Resettle) -> ResettleAnswer:
    """Put the results of the corrected cards in the place of those before, in one entry."""
    round_ = desk.round(command.round)
    rounds.check_correctable(round_)
    approver = second_person(desk, command.approver)
    rules = ruleset(round_.terms.ruleset)
    cards = corrected_cards(command, round_, rules)
    hands = compare_all(rules, cards)
    standing = [one for one in desk.seats_and_wallets(command.round) if one.wagers]
    order = payment_order(rules, standing)
    records = _awards_anew(desk, round_, rules, hands, order)
    facts = [_correct(desk, command, round_, cards, records, approver=approver), *_pool(desk, round_, records)]
    changed: list[SeatResettled] = []
    for seat in order:
        result = seat_result(round_, rules, hands, seat, records[0])
        of_seat, event = _seat(desk, round_, seat, result, command.policy)
        facts += of_seat
        changed.append(event)
    desk.post(*facts)
    players = tuple(_player(desk, one) for one in changed[:LIST_PAGE])
    return ResettleAnswer(command.round, *dealer_hand(rules, cards), command.policy.value, players, len(changed))


def corrected_cards(command: Resettle, round_: Round, rules: RuleSet) -> OpenedCards:
    """The full corrected cards, checked: five for each hand that was dealt, five for the dealer, none twice."""
    dealer = parse_cards(command.dealer, "dealer", HAND_SIZE)
    shared: tuple[str, ...] = ()
    seats_cards: tuple[SeatCards, ...] = ()
    if rules.hand_mode is HandMode.SHARED:
        if command.shared is None or command.seats is not None:
            raise Invalid("one hand for all: name player, not seats", field="player")
        shared = parse_cards(command.shared, "player", HAND_SIZE)
    else:
        seats_cards = _seats_cards(command, round_)
    check_distinct([*shared, *(card for one in seats_cards for card in one.cards), *dealer], "dealer")
    deck, salt = ((), "") if round_.cards is None else (round_.cards.deck, round_.cards.salt)
    return OpenedCards(deck, salt, dealer, shared, seats_cards)


def _seats_cards(command: Resettle, round_: Round) -> tuple[SeatCards, ...]:
    dealt = () if round_.cards is None else tuple(one.seat for one in round_.cards.seats)
    given = dict(command.seats or ())
    if command.shared is not None or tuple(sorted(given)) != tuple(sorted(dealt)):
        raise Invalid(f"name the cards of the seats that were dealt: {', '.join(map(str, dealt))}", field="seats")
    return tuple(SeatCards(seat, parse_cards(given[seat], f"seats.{seat}", HAND_SIZE)) for seat in dealt)


def _awards_anew(desk: Desk, round_: Round, rules: RuleSet, hands: Hands, order: Sequence[Seat]) -> Records:
    """Awards on meter, reserve, overflow and parameters that the first showdown found."""
    pool = None if round_.jackpot is None else desk.find_pool(round_.jackpot)
    was = round_.found
    if pool is None or was is None:
        return (), ()
    claims = claims_of(round_, rules, hands, order, f"r{round_.corrections + 1}")
    balances = Balances(was.meter_micro, was.reserve_micro, was.overflow_micro)
    events = award_events(was.terms, balances, round_.round, claims, was.waiting)
    turn = pool.version + 1
    awards, resets = records_of(events, 0)
    # all of them are one event of the pool, so all have its turn
    return (
        tuple(replace(one, turn=turn) for one in awards),
        tuple(replace(one, turn=turn) for one in resets),
    )


def _correct(
    desk: Desk, command: Resettle, round_: Round, cards: OpenedCards, records: Records, *, approver: str
) -> Facts:
    rules = ruleset(round_.terms.ruleset)
    order = CorrectCards(cards, *dealer_hand(rules, cards), *records, command.reason, command.policy.value, approver)
    return desk.round_at(round_.round), rounds.decide(order, round_)


def _pool(desk: Desk, round_: Round, records: Records) -> list[Facts]:
    """Old awards and resets mirrored, new ones posted, one net."""
    awards, resets = records
    if round_.jackpot is None or not (awards or round_.awards):
        return []
    old = MirrorRound(round_.round, (), round_.awards, round_.resets)
    applied = round_.found.waiting if resets and round_.found is not None else None
    order = ResettleRound(old, MirrorRound(round_.round, (), awards, resets), applied)
    return [(desk.pool_at(round_.jackpot), jackpots.decide(order, desk.find_pool(round_.jackpot)))]


def _seat(
    desk: Desk, round_: Round, seat: Seat, result: SettleSeat, policy: VoidPolicy
) -> tuple[list[Facts], SeatResettled]:
    """One seat's new result; what the old one gave more is owed under `policy`, what it gave less comes in."""
    wallet = desk.wallet(seat.player)
    new = sum(one.payout_minor for one in result.results) + result.prize_minor
    owed = sum(one.payout_minor for one in seat.results) + seat.prize_minor - new
    taken = wallets.takeable_minor(wallet, policy, owed)
    review = policy is VoidPolicy.HOLD_FOR_REVIEW and owed > 0
    events = seats.decide(ResettleSeat(result, taken, review), seat)
    event = events[0]
    if not isinstance(event, SeatResettled):
        raise TypeError("a resettlement resettles")
    # also where nothing is owed: the player's account has a line of it, with the balance at that place
    money = wallets.decide(wallets.ReverseOutcome(round_.round, policy, owed), wallet)
    return [(desk.seat_at(round_.round, seat.player), events), (desk.wallet_at(seat.player), money)], event


def _player(desk: Desk, event: SeatResettled) -> ResettledPlayer:
    return ResettledPlayer(
        event.player,
        event.outcome,
        event.returned_minor,
        event.net_minor,
        max(event.owed_minor, 0),
        max(event.taken_minor, 0),
        event.loss_minor,
        desk.balance(event.player),
    )
