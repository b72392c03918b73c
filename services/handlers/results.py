"""Results worked out from cards: hands against the dealer's, claims on the pool, what each wager pays.

Used by the first settlement and by a resettlement on corrected cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from domain.frozen import dataclass
from domain.hands import rank_five
from domain.jackpots.commands import Claim
from domain.jackpots.decider import Pool
from domain.jackpots.events import Awarded, PoolEvent, PoolFound, PoolReset
from domain.jackpots.upkeep import UpkeepEvent
from domain.rounds.decider import Round
from domain.rounds.events import AwardRecord, OpenedCards, ResetRecord
from domain.rules import HandMode, PaymentOrder, RuleSet
from domain.seats.commands import SettleSeat
from domain.seats.decider import Seat
from domain.seats.events import WagerKind, WagerResult
from domain.settlement import Decision, Showdown, Stakes, settle, show

NO_ANTE: Final = "NO_ANTE"
"""The outcome of a seat whose ante was voided: its side wager alone was settled."""


@dataclass(frozen=True, slots=True)
class Returns:
    """What a hand with its decision brings, whatever lies on the spots: `back` is what a unit of each wager returns."""

    hand: str
    outcome: str
    back: Mapping[WagerKind, int]


class Hands:
    """The comparison of each hand of the round with the dealer's: one for all, or by seat number."""

    __slots__ = ("_by_seat", "_returns", "_shared")

    def __init__(self, shared: Showdown | None, by_seat: Mapping[int, Showdown]) -> None:
        self._shared = shared
        self._by_seat = by_seat
        self._returns: dict[tuple[int | None, Decision | None], Returns] = {}

    def of(self, seat: Seat) -> Showdown:
        """The comparison that a seat is settled by."""
        return self._shared if self._shared is not None else self._by_seat[seat.seat or 0]

    def returns(self, rules: RuleSet, seat: Seat) -> Returns:
        """What the seat's hand brings; worked out once for all ten thousand who play a shared one."""
        same = (seat.seat, seat.decision)
        found = self._returns.get(same)
        if found is None:
            found = self._returns[same] = _returns(rules, self.of(seat), seat.decision or Decision.FOLD)
        return found


def compare_all(rules: RuleSet, cards: OpenedCards) -> Hands:
    """Each hand against the dealer's, once."""
    if rules.hand_mode is HandMode.SHARED:
        return Hands(show(rules, cards.shared, cards.dealer), {})
    return Hands(None, {one.seat: show(rules, one.cards, cards.dealer) for one in cards.seats})


def hand_of(cards: OpenedCards, seat: Seat) -> Sequence[str]:
    """The five cards that a seat plays with."""
    if cards.shared:
        return cards.shared
    return next(one.cards for one in cards.seats if one.seat == seat.seat)


def dealer_hand(rules: RuleSet, cards: OpenedCards) -> tuple[str, bool]:
    """The category of the dealer's hand, and whether it qualifies."""
    hand = rank_five(cards.dealer, rules.wheel_is_straight)
    return hand.category.value, rules.qualifies(hand)


def payment_order(rules: RuleSet, playing: Sequence[Seat]) -> list[Seat]:
    """Seats in the order of payment: 002 from the dealer's right to left (S2-20), else from the lowest seat."""
    ordered = sorted(playing, key=lambda one: (one.seat or 0, one.player))
    return ordered[::-1] if rules.payment_order is PaymentOrder.DESCENDING else ordered


def claims_of(round_: Round, rules: RuleSet, hands: Hands, order: Sequence[Seat], mark: str = "") -> tuple[Claim, ...]:
    """The progressive wagers that won, in the order of payment. An award's id begins with that of its round."""
    claims = []
    for seat in order:
        shown = hands.of(seat)
        prize = settle(rules, shown, _stakes(seat), seat.decision or Decision.FOLD).prize
        if prize is not None:
            wager = next(one.wager for one in seat.wagers if one.kind is WagerKind.PROGRESSIVE)
            award = f"{round_.round}:{seat.seat}{mark}"
            claims.append(Claim(award, seat.player, seat.seat, wager, shown.player.category.value, prize))
    return tuple(claims)


def records_of(
    events: Sequence[PoolEvent | UpkeepEvent], first_turn: int
) -> tuple[tuple[AwardRecord, ...], tuple[ResetRecord, ...]]:
    """Awards and resets as the round keeps them; `first_turn` is the version that the first event has in the pool."""
    awards = tuple(
        AwardRecord(
            one.award, one.player, one.seat, one.category, one.fund.value,
            one.prize_minor, one.pool_micro, one.pending, first_turn + nth, one.wager, one.shared,
            one.meter_before_micro,
        )
        for nth, one in enumerate(events)
        if isinstance(one, Awarded)
    )  # fmt: skip
    resets = tuple(
        ResetRecord(one.award, one.reset_micro, one.from_reserve_micro, first_turn + nth)
        for nth, one in enumerate(events)
        if isinstance(one, PoolReset)
    )
    return awards, resets


def found(pool: Pool | None) -> PoolFound | None:
    """A pool as a showdown finds it."""
    if pool is None:
        return None
    held = pool.balances
    return PoolFound(pool.terms, pool.waiting, held.meter_micro, held.reserve_micro, held.overflow_micro)


def seat_result(round_: Round, rules: RuleSet, hands: Hands, seat: Seat, awards: Sequence[AwardRecord]) -> SettleSeat:
    """What every wager of the seat pays, and its prizes out of `awards`."""
    own = [one for one in awards if one.player == seat.player]
    returns = hands.returns(rules, seat)
    return SettleSeat(
        round_.terms.ruleset,
        round_.terms.currency,
        returns.hand,
        returns.outcome if seat.stake_minor(WagerKind.ANTE) else NO_ANTE,
        # every unit of a spot gets the same, so wagers of one spot add up to it
        tuple([WagerResult(one.wager, one.kind, one.stake_minor, one.stake_minor * returns.back[one.kind])
               for one in seat.wagers]),
        sum([one.prize_minor for one in own if not one.pending]),
        sum([one.prize_minor for one in own if one.pending]),
    )  # fmt: skip


def _stakes(seat: Seat) -> Stakes:
    return Stakes(
        seat.stake_minor(WagerKind.ANTE), seat.stake_minor(WagerKind.SIDE), seat.stake_minor(WagerKind.PROGRESSIVE)
    )


def _returns(rules: RuleSet, shown: Showdown, decision: Decision) -> Returns:
    called = decision is Decision.CALL
    back = {
        WagerKind.ANTE: shown.ante_back if called else 0,
        WagerKind.CALL: shown.call_back,
        WagerKind.SIDE: shown.side_back,
        WagerKind.PROGRESSIVE: 0,
    }
    outcome = settle(rules, shown, Stakes(0), decision).outcome.value
    return Returns(shown.player.category.value, outcome, back)
