"""Days of the operator over nights in which the clock is put forward or back: each round lies in one (F09)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from zoneinfo import ZoneInfo

from domain.rounds.events import RoundCancelled, RoundOpened, RoundSettled, RoundVoided
from tests.faults.evidence import Evidence


def days(evidence: Evidence, zone_name: str) -> Iterator[str]:
    """What is wrong: a time that goes back against the order, a round in no day or two, a day without its rounds."""
    zone, last = ZoneInfo(zone_name), datetime.min.replace(tzinfo=UTC)
    opened: dict[str, datetime] = {}
    ended: dict[str, datetime] = {}
    for one in evidence.events:
        if one.recorded_at < last:
            yield f"position {one.position} was recorded at {one.recorded_at}, the one before at {last}"
        last = one.recorded_at
        match one.event:
            case RoundOpened(round=name):
                opened[name] = one.recorded_at
            case RoundSettled(round=name) | RoundCancelled(round=name) | RoundVoided(round=name):
                ended.setdefault(name, one.recorded_at)
            case _:
                pass
    for name, at in ended.items():
        if at < opened[name]:
            yield f"round {name} began at {opened[name]} and ended at {at}"
    found = Counter(day for at in ended.values() for day in _days_of(at, zone))
    if found.total() != len(ended):
        yield f"{len(ended)} rounds stand in {found.total()} days"
    if len(found) < 4:
        yield f"rounds of three nights and of today were expected, there are {sorted(found)}"


def _days_of(at: datetime, zone: ZoneInfo) -> list[date]:
    """The days from midnight to midnight, 23 to 25 hours long, that this moment lies in: one."""
    near = at.astimezone(zone).date()
    around = (near + timedelta(days=shift) for shift in (-1, 0, 1))
    return [day for day in around if _midnight(day, zone) <= at < _midnight(day + timedelta(days=1), zone)]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time_of_day(0), zone).astimezone(UTC)
