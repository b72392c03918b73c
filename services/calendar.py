"""Weeks and gaming days of the operator: a week starts on Friday at midnight in the operator's zone (S3-21, C27)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

FRIDAY: Final = 4
DAYS: Final = 7


def week_starts(now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The start of the week that `now` lies in, and of the next one; UTC."""
    local = now.astimezone(zone)
    first = local.date() - timedelta(days=(local.weekday() - FRIDAY) % DAYS)
    starts = [datetime.combine(day, time(0), zone) for day in (first, first + timedelta(days=DAYS))]
    return starts[0].astimezone(UTC), starts[1].astimezone(UTC)


def gaming_day(at: datetime, zone: ZoneInfo) -> date:
    """The gaming day that a time lies in: days begin at midnight in the operator's zone."""
    return at.astimezone(zone).date()


def day_bounds(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """When a gaming day begins and when the next one does, UTC: 23 or 25 hours apart where clocks change."""
    begin, end = (datetime.combine(one, time(0), zone) for one in (day, day + timedelta(days=1)))
    return begin.astimezone(UTC), end.astimezone(UTC)
