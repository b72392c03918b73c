"""What a run is asked, and the stored read model that it is held against."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain.frozen import dataclass
from services.reconcile.pools import Amounts


class Question(NamedTuple):
    """Whose pools, which gaming days (both included), one pool or all (None), and what time it is."""

    operator: str
    zone: ZoneInfo
    first: date
    last: date
    pool: str | None
    now: datetime

    def has(self, day: date) -> bool:
        """Whether the day is asked about."""
        return self.first <= day <= self.last


class Unread(NamedTuple):
    """An event that cannot be read, and why."""

    position: int
    stream: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoredPool:
    """A pool's row of the read model `jackpots`; `position` is that of the last event that it knows of."""

    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    position: int

    @property
    def amounts(self) -> Amounts:
        """By account."""
        return {"m": self.meter_micro, "res": self.reserve_micro, "ovf": self.overflow_micro}


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The read model as it is stored: how far it has come, and its pools."""

    position: int
    pools: Mapping[str, StoredPool]
