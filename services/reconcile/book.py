"""What persons have said of the operator's days: prepared, resolved, sealed; and what came late into a sealed day."""

from __future__ import annotations

from dataclasses import field
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain import reconciliations
from domain.frozen import dataclass
from domain.reconciliations import Reconciliation, ReconciliationEvent
from services.calendar import gaming_day
from services.ports import Told


class Late(NamedTuple):
    """An event recorded after the seal of the day that it takes effect in. The sealed figures stay as they are."""

    position: int
    event: str
    day: date
    recorded_at: datetime
    effective_at: datetime


@dataclass(slots=True)
class Book:
    """Reconciliations by day."""

    zone: ZoneInfo
    days: dict[date, Reconciliation] = field(default_factory=dict)
    late: list[Late] = field(default_factory=list)

    def take(self, told: Told) -> None:
        """The operator's next event."""
        event = told.one.event
        if isinstance(event, ReconciliationEvent):
            day = date.fromisoformat(event.day)
            self.days[day] = reconciliations.evolve(self.days.get(day), event)
        elif self.days and told.one.meta.effective_at < told.one.recorded_at:
            self._late(told)

    def _late(self, told: Told) -> None:
        one = told.one
        day = gaming_day(one.meta.effective_at, self.zone)
        known = self.days.get(day)
        if known is not None and known.sealed is not None:
            self.late.append(Late(one.position, told.name, day, one.recorded_at, one.meta.effective_at))
