"""What people write when they ask for a report: times, gaming days and cells."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NamedTuple
from zoneinfo import ZoneInfo

from domain.errors import Invalid
from services.calendar import day_bounds, gaming_day
from services.reports.scope import Scope
from services.reports.tables import Kind


class Period(StrEnum):
    """The intervals of the trade, each up to the end of a gaming day (R27)."""

    DAY = "day"
    MTD = "mtd"
    YTD = "ytd"
    LTD = "ltd"


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


def asked_period(period: Period, day: str | None, now: datetime, zone: ZoneInfo) -> tuple[datetime | None, datetime]:
    """From when to when a period of a gaming day goes, UTC: that day, its month or its year up to its end, or all that
    was up to its end. Without a day it is the one of `now`. Raises Invalid that names `day`.
    """
    last = gaming_day(now, zone) if day is None else _day(day)
    first = {Period.DAY: last, Period.MTD: last.replace(day=1), Period.YTD: last.replace(month=1, day=1)}.get(period)
    try:
        begin = None if first is None else day_bounds(first, zone)[0]
        return begin, day_bounds(last, zone)[1]
    except OverflowError:
        raise Invalid("a gaming day such as 2026-11-29", field="day") from None


def _day(text: str) -> date:
    try:
        if len(text) == len("2026-11-29"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Invalid("a gaming day such as 2026-11-29", field="day")


def asked_of(kind: Kind, scope: Scope, asked: Mapping[str, str], now: datetime) -> Scope:
    """The scope with the report's parameters: what was asked, else their defaults; where its end matters and none was
    named, it ends now. Raises Invalid that names a parameter that is missing, or that the report does not have.
    """
    known = {one.name: one for one in kind.parameters}
    for name in asked:
        if name not in known:
            raise Invalid(f"{kind.name} takes {', '.join(known) or 'no such parameter'}", field=name)
    all_asked = {name: asked.get(name, one.default) for name, one in known.items()}
    given = {name: text for name, text in all_asked.items() if text is not None}
    for name, one in known.items():
        if name not in given:
            raise Invalid(f"{kind.name} needs {name}: {one.about}", field=name)
    end = now if kind.dated and scope.end is None else scope.end
    found = Scope(scope.operator, scope.zone, scope.begin, end, scope.currency, scope.clock, given)
    kind.make(found)  # so that a parameter is refused before anything is read
    return found


def asked_cell(text: str) -> CellName:
    """TABLE:COLUMN:KEY:KEY..., the keys in the order of the table's. Keys may hold a colon written `::`. Invalid."""
    parts = [part.replace("\0", ":") for part in text.replace("::", "\0").split(":")]
    if len(parts) < 3:
        raise Invalid(
            "a cell is TABLE:COLUMN:KEY and further keys, such as accounts:closing_micro:EUR:cash", field="explain"
        )
    return CellName(parts[0], tuple(parts[2:]), parts[1])
