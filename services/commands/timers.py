"""Commands of timers: nobody asked for them at that moment."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class TimeOut:
    """Take the step of a timer-driven round whose time has come."""

    round: str


@dataclass(frozen=True, slots=True)
class OpenNext:
    """Open the next round of a timer-driven table, its pause being over; its id is the command's id."""

    table: str


@dataclass(frozen=True, slots=True)
class CancelAbandoned:
    """Give up a round that nobody has touched for its table's `abandon_seconds`."""

    round: str
