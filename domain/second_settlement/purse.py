"""A pool while a round's prizes are paid: the second settlement's reading of the ledger's postings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.second_settlement.pages import Game
from domain.second_settlement.ranking import ROYAL, STRAIGHT_FLUSH

MICRO: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool as the round finds it, its contributions counted; `next_*` take force with the next reset."""

    meter_micro: int
    reset_minor: int
    reserve_micro: int = 0
    overflow_micro: int = 0
    ceiling_minor: int | None = None
    funding: str = "HOUSE"
    policy: str = "SEQUENTIAL"
    next_reset_minor: int | None = None
    next_policy: str | None = None
    handpay_threshold_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One entry of the pool: a prize, or the reset behind it, and the pool after it. A reset is paid by the reserve."""

    kind: str
    seat: int | None
    prize_minor: int
    pool_paid_minor: int
    house_paid_minor: int
    pending: bool
    meter_micro: int
    reserve_micro: int
    overflow_micro: int


class Purse:
    """A pool while a round's prizes are paid, in the order of the seats."""

    def __init__(self, game: Game, hands: Sequence[int], pool: Pool | None) -> None:
        self.game, self.hands, self.pool = game, hands, pool
        self.moves: list[Move] = []
        self.paid: dict[int, int] = {}

    def turn_of(self, seat: int) -> int:
        """The prize of a seat whose turn it is, in minor units; shared ones are all paid at the first one's turn."""
        hand = self.hands[seat]
        if seat not in self.paid:
            if hand == ROYAL or (hand == STRAIGHT_FLUSH and self.game.ten_percent):
                self._percentage(seat, hand)
            elif prize := (self.game.fixed or {}).get(hand, 0):
                by_pool = self._pool.funding == "POOL"
                self._pay("FIXED", seat, prize, min(prize, self._pool.meter_micro // MICRO) if by_pool else 0)
        return self.paid.get(seat, 0)

    @property
    def _pool(self) -> Pool:
        assert self.pool is not None
        return self.pool

    def _percentage(self, seat: int, hand: int) -> None:
        """10 % or 100 % of what the meter shows, floors topped up by the house; the fraction stays (C21, C23)."""
        policy, meter = self._pool.policy, self._pool.meter_micro // MICRO
        share = meter if hand == ROYAL else meter // 10
        prize = max((self.game.floors or {}).get(hand, 0), share)
        winners = [seat]
        if policy != "SEQUENTIAL":
            winners = [n for n in range(len(self.hands)) if self.hands[n] == hand and n not in self.paid]
        borne = [min(k * share, meter) for k in range(len(winners) + 1)]
        if policy == "EQUAL_SPLIT":
            prize //= len(winners)
            borne = [min(k * prize, share) for k in range(len(winners) + 1)]
        for k, winner in enumerate(winners):
            self._pay("PERCENT_100" if hand == ROYAL else "PERCENT_10", winner, prize, borne[k + 1] - borne[k])
        if hand == ROYAL:
            self._reset()

    def _pay(self, kind: str, seat: int, prize: int, by_pool: int) -> None:
        self.paid[seat] = prize
        limit = self._pool.handpay_threshold_minor
        self._post(kind, seat, prize, by_pool, meter_minor=-by_pool, pending=limit is not None and prize > limit)

    def _reset(self) -> None:
        """The meter starts again at once, from the reserve as far as it goes; what was to change now has changed."""
        old = self._pool
        reset = old.reset_minor if old.next_reset_minor is None else old.next_reset_minor
        self.pool = replace(
            old, reset_minor=reset, policy=old.next_policy or old.policy, next_reset_minor=None, next_policy=None
        )
        given = min(old.reserve_micro // MICRO, reset)
        self._post("RESET", None, reset, given, meter_minor=reset, reserve_minor=-given)

    def _post(
        self,
        kind: str,
        seat: int | None,
        amount: int,
        by_pool: int,
        *,
        meter_minor: int,
        reserve_minor: int = 0,
        pending: bool = False,
    ) -> None:
        """Move the pool; an entry that touches it splits meter and overflow anew at the ceiling."""
        old = self._pool
        meter, over = old.meter_micro + meter_minor * MICRO, old.overflow_micro
        if meter_minor or reserve_minor:
            whole = meter + over
            meter = whole if old.ceiling_minor is None else min(whole, old.ceiling_minor * MICRO)
            over = whole - meter
        reserve = old.reserve_micro + reserve_minor * MICRO
        self.pool = replace(old, meter_micro=meter, reserve_micro=reserve, overflow_micro=over)
        self.moves.append(Move(kind, seat, amount, by_pool, amount - by_pool, pending, meter, reserve, over))
