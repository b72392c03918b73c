"""Showdown and payment: results and awards are fixed in one append, the seats are paid with it or after it."""

from __future__ import annotations

from collections.abc import Sequence

from domain import tables
from domain.hands import rank_five
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import AwardRound
from domain.jackpots.events import Awarded, PoolEvent
from domain.jackpots.upkeep import UpkeepEvent
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import OpenedCards, Phase
from domain.rules import HandMode, RuleSet
from domain.seats import decider as seats
from domain.seats.decider import Seat
from domain.streams import State
from domain.variants import ruleset
from domain.wallets import decider as wallets
from services.answers import SettleAnswer
from services.commands import Settle
from services.desk import Desk, StillPaying
from services.handlers.absent import absent, decide_for
from services.handlers.results import (
    Hands,
    claims_of,
    compare_all,
    dealer_hand,
    found,
    payment_order,
    records_of,
    seat_result,
)
from services.handlers.slices import SEATS_PER_APPEND
from services.opening import open_all, open_scans


def settle_round(desk: Desk, command: Settle) -> SettleAnswer:
    """Decide for who has not, open all cards, fix every result and award, and pay (S0-07, S2-20)."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.DECIDING)
    rules = ruleset(round_.terms.ruleset)
    undecided = absent(desk, round_)
    cards = open_all(desk.seals, round_, rules, command.dealer)
    if len(undecided) > SEATS_PER_APPEND:  # what is refused is refused before anybody is decided for
        raise StillPaying(command.round)
    decide_for(desk, round_, rules, cards, undecided)
    hands = compare_all(rules, cards)
    order = payment_order(rules, [one for one in desk.seats(command.round) if one.wagers])
    desk.need_wallets(one.player for one in order[:SEATS_PER_APPEND])
    pool_events = _awards(desk, round_, rules, hands, order)
    _post_showdown(desk, round_, cards, order, pool_events)
    _post_awards(desk, round_, pool_events)
    _pay(desk, desk.round(command.round), hands, order)
    return answer_of(desk.round(command.round), rules)


def pay_next(desk: Desk, round_: Round) -> SettleAnswer:
    """Pay the next seats of a round whose showdown is done; when the last is paid the round is settled."""
    rules = ruleset(round_.terms.ruleset)
    if round_.cards is None:
        raise TypeError("a round is paid after its showdown")
    order = _unpaid(desk, round_, rules)
    desk.need_wallets(one.player for one in order[:SEATS_PER_APPEND])
    _pay(desk, round_, compare_all(rules, round_.cards), order)
    return answer_of(desk.round(round_.round), rules)


def is_paid(state: State | None) -> bool:
    """Whether the showdown's money has come to a seat, or there is none to come."""
    return not isinstance(state, Seat) or state.settled or not state.wagers


def _unpaid(desk: Desk, round_: Round, rules: RuleSet) -> Sequence[Seat]:
    """Who is still to be paid, in the order of payment: all, or of a shared hand some more than one append takes."""
    if rules.hand_mode is HandMode.SHARED:  # nobody comes before anybody there, and there may be ten thousand
        return desk.next_seats(round_.round, SEATS_PER_APPEND + 1, is_paid)
    return payment_order(rules, [one for one in desk.seats(round_.round) if not is_paid(one)])


def answer_of(round_: Round, rules: RuleSet) -> SettleAnswer:
    """The answer to a settlement, made from the round alone."""
    cards = round_.cards
    dealer = () if cards is None else cards.dealer
    hand = rank_five(dealer, rules.wheel_is_straight)
    return SettleAnswer(
        round_.round, round_.phase.value, dealer, hand.category.value, rules.qualifies(hand), round_.seats
    )


def _awards(
    desk: Desk, round_: Round, rules: RuleSet, hands: Hands, order: Sequence[Seat]
) -> tuple[PoolEvent | UpkeepEvent, ...]:
    """What the pool pays for this round's progressive wagers, in the order of payment."""
    if round_.jackpot is None:
        return ()
    claims = claims_of(round_, rules, hands, order)
    return jackpots.decide(AwardRound(round_.round, claims), desk.find_pool(round_.jackpot))


def _post_showdown(
    desk: Desk,
    round_: Round,
    cards: OpenedCards,
    order: Sequence[Seat],
    pool_events: Sequence[PoolEvent | UpkeepEvent],
) -> None:
    rules = ruleset(round_.terms.ruleset)
    pool = None if round_.jackpot is None else desk.find_pool(round_.jackpot)
    records = records_of(pool_events, 0 if pool is None else pool.version + 1)
    # of a shared hand the order of payment means nothing and ten thousand names would be carried along
    names = tuple(one.player for one in order) if rules.hand_mode is HandMode.PER_SEAT else ()
    showdown = round_commands.HoldShowdown(cards, *dealer_hand(rules, cards), names, *records, found(pool))
    opened = rounds.decide(open_scans(desk.seals, round_), round_)
    desk.post((desk.round_at(round_.round), (*opened, *rounds.decide(showdown, round_))))


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


def _pay(desk: Desk, round_: Round, hands: Hands, unpaid: Sequence[Seat]) -> None:
    """Settle the next seats, at most `SEATS_PER_APPEND`; with the last of all that play the round and its table are
    done.
    """
    rules = ruleset(round_.terms.ruleset)
    for seat in unpaid[:SEATS_PER_APPEND]:
        _pay_seat(desk, round_, rules, hands, seat)
    if len(unpaid) > SEATS_PER_APPEND:
        desk.unfinished = round_.round
    else:
        playing = [one for one in desk.seats(round_.round) if one.wagers]
        finished = rounds.decide(round_commands.FinishRound(len(playing)), round_)
        ended = tables.decide(tables.EndRound(round_.round, desk.now), desk.find_table(round_.terms.table))
        desk.post((desk.round_at(round_.round), finished), (desk.table_at(round_.terms.table), ended))


def _pay_seat(desk: Desk, round_: Round, rules: RuleSet, hands: Hands, seat: Seat) -> None:
    settled = seats.settle(seat_result(round_, rules, hands, seat, round_.awards), seat)
    payout = settled.returned_minor - settled.prize_minor  # prizes come in with their awards
    money = wallets.SettleStakes(round_.round, settled.staked_minor, payout)
    paid = wallets.decide(money, desk.find_wallet(seat.player))
    desk.post((desk.seat_at(round_.round, seat.player), (settled,)), (desk.wallet_at(seat.player), paid))
