"""Weeks of the operator: they start on Friday at midnight in the operator's zone (S3-21, C27)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
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
