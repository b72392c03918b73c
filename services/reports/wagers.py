"""Wagers as revenue sees them: settled, taken back by a void, paid otherwise by a resettlement (R4, R29).

A void before the settlement names its wagers alone, so what lies on the spots of open seats is kept here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple

from domain.frozen import dataclass
from domain.seats.events import (
    ActionUndone,
    SeatDecided,
    SeatPassed,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    Stage,
    Wager,
    WagerKind,
    WagerPlaced,
    WagersRejected,
)
from domain.streams import Event


class Happened(StrEnum):
    """What became of a wager."""

    SETTLED = "SETTLED"
    VOIDED_OPEN = "VOIDED_OPEN"
    """Before its settlement: its stake came back, it never was revenue."""
    VOIDED = "VOIDED"
    """After it: stake and payout with their signs turned."""
    RESETTLED = "RESETTLED"


class Spot(NamedTuple):
    """All wagers of one kind at one seat, and what became of them. Of a resettlement `payout_minor` is how much more
    it pays than before.
    """

    happened: Happened
    kind: WagerKind
    wagers: int
    stake_minor: int
    payout_minor: int

    @property
    def sign(self) -> int:
        """Whether wagers came to what is settled (+1), or left it (-1)."""
        return {Happened.SETTLED: 1, Happened.VOIDED: -1}.get(self.happened, 0)

    def taken(self) -> Iterator[tuple[str, int]]:
        """What it does to handle and payouts, by column: their difference is the change of REV."""
        if self.sign:
            yield "handle_minor", self.sign * self.stake_minor
            yield "payouts_minor", self.sign * self.payout_minor
        elif self.happened is Happened.RESETTLED:
            yield "payouts_minor", self.payout_minor


@dataclass(frozen=True, slots=True)
class Wagers:
    """What lies on the spots of seats that are not settled; give it every event."""

    standing: dict[tuple[str, str], dict[str, Wager]] = field(default_factory=dict)

    def take(self, event: Event) -> Iterator[Spot]:
        """What the event makes of wagers that count, kind by kind."""
        match event:
            case WagerPlaced():
                self._seat(event.round, event.player).update({one.wager: one for one in event.wagers})
            case SeatDecided() if event.call is not None:
                self._seat(event.round, event.player)[event.call.wager] = event.call
            case ActionUndone() | SeatPassed() | WagersRejected():
                self._taken(event.round, event.player, event.wagers)
            case SeatSettled():
                self.standing.pop((event.round, event.player), None)
                settled = [(one.kind, one.stake_minor, one.payout_minor) for one in event.results]
                yield from _spots(Happened.SETTLED, settled)
            case SeatVoided() if event.stage is Stage.BEFORE_SETTLEMENT:
                gone = self._taken(event.round, event.player, event.wagers)
                yield from _spots(Happened.VOIDED_OPEN, [(one.kind, one.stake_minor, 0) for one in gone])
            case SeatVoided():
                voided = [(one.kind, one.stake_minor, one.payout_minor) for one in event.results]
                yield from _spots(Happened.VOIDED, voided)
            case SeatResettled():
                paid = {one.wager: one.payout_minor for one in event.before}
                more = [(one.kind, one.stake_minor, one.payout_minor - paid[one.wager]) for one in event.results]
                yield from _spots(Happened.RESETTLED, more)
            case _:
                pass

    def _seat(self, round_id: str, player: str) -> dict[str, Wager]:
        return self.standing.setdefault((round_id, player), {})

    def _taken(self, round_id: str, player: str, names: tuple[str, ...]) -> list[Wager]:
        seat = self.standing.get((round_id, player), {})
        found = [seat.pop(name) for name in names if name in seat]
        if not seat:
            self.standing.pop((round_id, player), None)
        return found


def _spots(happened: Happened, wagers: list[tuple[WagerKind, int, int]]) -> Iterator[Spot]:
    for kind in WagerKind:
        of_kind = [one for one in wagers if one[0] is kind]
        if of_kind:
            staked, paid = sum(one[1] for one in of_kind), sum(one[2] for one in of_kind)
            yield Spot(happened, kind, len(of_kind), staked, paid)
