"""What people write when they ask for a report: times, gaming days and cells."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain.errors import Invalid
from services.calendar import day_bounds


class CellName(NamedTuple):
    """A number of a report: its table, the key of its row, its column."""

    table: str
    row: tuple[str, ...]
    column: str


def asked_time(text: str, field: str, zone: ZoneInfo) -> datetime:
    """A time of RFC 3339 with its offset, or a gaming day such as 2026-11-29: its beginning. UTC. Raises Invalid."""
    try:
        if len(text) == len("2026-11-29"):
            return day_bounds(date.fromisoformat(text), zone)[0]
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Invalid("a time with its offset, such as 2026-11-29T00:00:00Z, or a day, such as 2026-11-29", field=field)


def asked_cell(text: str) -> CellName:
    """TABLE:COLUMN:KEY:KEY..., the keys in the order of the table's. Keys may hold a colon written `::`. Invalid."""
    parts = [part.replace("\0", ":") for part in text.replace("::", "\0").split(":")]
    if len(parts) < 3:
        raise Invalid(
            "a cell is TABLE:COLUMN:KEY and further keys, such as accounts:closing_micro:EUR:cash", field="explain"
        )
    return CellName(parts[0], tuple(parts[2:]), parts[1])
