"""What was compared, and what differs."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from domain.frozen import dataclass

DIFFERENCES_MOST: Final = 1_000
"""Differences of one round that are named; more are only counted."""

Value = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: an event, and the seat that it is about."""

    position: int
    player: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that the log says and the replay does not.

    `kind` is the kind of wager (`ANTE`, `CALL`, `SIDE`, `PROGRESSIVE`), or `HAND`, `OUTCOME`, `DECISION`, `CARDS`,
    `TOTAL`, `HOLD`, `WALLET`, `POOL`, `CONTRIBUTION`, `VOID`, `RULES`, `MISSING`; `what` says it in words. Amounts are
    minor units where `what` does not say micro-units.
    """

    position: int
    player: str | None
    seat: int | None
    kind: str
    what: str
    expected: Value
    recorded: Value


@dataclass(slots=True)
class Sheet:
    """Takes comparisons. `compared` counts them, `found` the differences."""

    differences: list[Difference] = field(default_factory=list)
    compared: int = 0
    found: int = 0

    def compare(self, at: Place, kind: str, what: str, expected: Value, recorded: Value) -> None:
        """Two values that must be the same."""
        self.compared += 1
        if expected != recorded:
            self.note(at, kind, what, expected, recorded)

    def note(self, at: Place, kind: str, what: str, expected: Value, recorded: Value) -> None:
        """Something that differs."""
        self.found += 1
        if len(self.differences) < DIFFERENCES_MOST:
            self.differences.append(Difference(at.position, at.player, at.seat, kind, what, expected, recorded))
