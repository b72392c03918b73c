"""A round settled a second time, from cards, stakes, decisions and the rule set's name, by code that shares nothing
with the first settlement (domain/second_settlement.py, written from the game pages alone).

Here the round's facts are put into the words of that code, and its answer is put beside the round's seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain import second_settlement as second
from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound
from domain.money import MICRO
from domain.rounds.events import OpenedCards
from domain.seats.events import WagerKind

NO_ANTE = "NO_ANTE"
"""The outcome of a seat whose ante a void took away before the settlement."""


class CannotSettle(Exception):
    """The second settlement refuses what the round holds; the text says why."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A seat that has wagers at the showdown. `stakes` are minor units by kind, those of one kind added up."""

    player: str
    seat: int | None
    stakes: Mapping[WagerKind, int]
    decision: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What a seat must get: `payout` minor units by kind of wager, the stake included where it is returned.

    `prize_minor` is the progressive prize, all of it; `pending` says that it waits for verification.
    """

    player: str
    seat: int | None
    hand: str
    outcome: str
    payout: Mapping[str, int]
    staked_minor: int
    prize_minor: int
    pending: bool


@dataclass(frozen=True, slots=True)
class ExpectedMove:
    """What the pool must do: an award (`player` and `seat` set), or the reset after one. Micro-units but the prize."""

    kind: str
    player: str | None
    seat: int | None
    hand: str | None
    prize_minor: int
    pool_micro: int
    pending: bool
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


@dataclass(frozen=True, slots=True)
class Again:
    """The second result of a round."""

    dealer_hand: str
    qualifies: bool
    seats: Mapping[str, Expected]
    moves: Sequence[ExpectedMove]


def hand_of(cards: OpenedCards, seat: int | None) -> tuple[str, ...]:
    """The five cards that a seat plays with; none where the round dealt it none."""
    if cards.shared:
        return cards.shared
    return next((one.cards for one in cards.seats if one.seat == seat), ())


def in_order_of_payment(ruleset: str, playing: Sequence[Playing]) -> list[Playing]:
    """The seats in the order in which the rule set pays them."""
    by_seat = sorted(playing, key=lambda one: (one.seat or 0, one.player))
    numbers = second.order_of_payment(ruleset, [one.seat or 0 for one in by_seat])
    if len(set(numbers)) != len(by_seat):
        return by_seat  # one hand for all: nobody sits on a numbered seat
    at = {one.seat or 0: one for one in by_seat}
    return [at[number] for number in numbers]


def settled_again(ruleset: str, cards: OpenedCards, playing: Sequence[Playing], found: PoolFound | None) -> Again:
    """Settle these seats, given in the order of payment, on the pool as the showdown found it. Raises CannotSettle."""
    seats = [second.Seat(hand_of(cards, one.seat), _stakes(one), one.decision) for one in playing]
    wagered = any(WagerKind.PROGRESSIVE in one.stakes for one in playing)
    try:
        pool = _pool(found) if wagered and found is not None else None
        result = second.settle(ruleset, cards.dealer, seats, pool)
    except ValueError as fault:
        raise CannotSettle(" ".join(str(fault).split())) from fault
    pending = {move.seat for move in result.moves if move.pending}
    expected = {
        one.player: Expected(
            player=one.player,
            seat=one.seat,
            hand=of_seat.hand,
            outcome=of_seat.outcome or NO_ANTE,
            payout=of_seat.payout,
            staked_minor=of_seat.staked,
            prize_minor=of_seat.prize_minor,
            pending=nth in pending,
        )
        for nth, (one, of_seat) in enumerate(zip(playing, result.seats, strict=True))
    }
    hands = [of_seat.hand for of_seat in result.seats]
    moves = [_move(one, playing, hands) for one in result.moves]
    return Again(result.dealer_hand, result.qualifies, expected, moves)


def _stakes(one: Playing) -> dict[str, int]:
    """By kind as the second settlement names them; the call it works out itself."""
    return {kind.value: stake for kind, stake in one.stakes.items() if kind is not WagerKind.CALL}


def _pool(found: PoolFound) -> second.Pool:
    terms, waiting = found.terms, found.waiting
    return second.Pool(
        meter_micro=found.meter_micro,
        reset_minor=terms.reset_minor,
        reserve_micro=found.reserve_micro,
        overflow_micro=found.overflow_micro,
        ceiling_minor=terms.ceiling_minor,
        funding=terms.fixed_prize_funding.value,
        policy=terms.multi_winner_policy.value,
        next_reset_minor=None if waiting is None else waiting.reset_minor,
        next_policy=None if waiting is None else waiting.multi_winner_policy.value,
        handpay_threshold_minor=terms.handpay_threshold_minor,
    )


def _move(one: second.Move, playing: Sequence[Playing], hands: Sequence[str]) -> ExpectedMove:
    winner = None if one.seat is None else playing[one.seat]
    return ExpectedMove(
        kind=one.kind,
        player=None if winner is None else winner.player,
        seat=None if winner is None else winner.seat,
        hand=None if one.seat is None else hands[one.seat],
        prize_minor=one.prize_minor,
        pool_micro=one.pool_paid_minor * MICRO,
        pending=one.pending,
        meter_after_micro=one.meter_micro,
        reserve_after_micro=one.reserve_micro,
        overflow_after_micro=one.overflow_micro,
    )
