"""A finished report for people and for machines. Amounts for people carry the currency's decimals, those for machines
are integers; an integer beyond what JSON numbers hold exactly is a string.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.money import MICRO
from domain.views.model import time_text
from services.reports.run import Source
from services.reports.tables import Cell, Layout, Printed, Row, Table, Unit

HASH: Final = 12
"""Characters of a hash that people are shown; machines get all of it."""

TIMES: Final = frozenset({"at", "since", "started"})
"""Columns that hold a time: people read it in the operator's zone."""

EXACT: Final = 2**53
"""Integers from here on are written as strings in JSON."""

NOTHING: Final = "No activity"
PPM: Final = 1_000_000

Exponents = Mapping[str, int]
"""The number of decimals of each currency (ISO 4217)."""


def as_json(printed: Printed, now: datetime) -> dict[str, Any]:
    """Name, interval, generation time (R27), and the tables as lists of objects."""
    scope = printed.scope
    return {
        "report": printed.kind.name,
        "title": printed.kind.title,
        "operator": scope.operator,
        "from": None if scope.begin is None else time_text(scope.begin),
        "to": None if scope.end is None else time_text(scope.end),
        "zone": scope.zone.key,
        "currency": scope.currency,
        "clock": scope.clock.value,
        "parameters": dict(scope.asked),
        "generated_at": time_text(now),
        "position": printed.position,
        "no_activity": printed.empty,
        "tables": {table.layout.name: [_object(table.layout, row) for row in table.rows] for table in printed.tables},
    }


def as_text(printed: Printed, now: datetime, exponents: Exponents) -> str:
    """For a terminal."""
    scope = printed.scope
    begin = "the beginning" if scope.begin is None else f"{scope.begin.astimezone(scope.zone):%Y-%m-%d %H:%M %z}"
    end = "now" if scope.end is None else f"{scope.end.astimezone(scope.zone):%Y-%m-%d %H:%M %z}"
    lines = [
        f"{printed.kind.title} of {scope.operator}",
        f"from {begin} to {end} ({scope.zone.key}, {scope.clock.value} time), {scope.currency or 'all currencies'}",
        f"generated {now.astimezone(scope.zone):%Y-%m-%d %H:%M:%S %z}, up to position {printed.position}",
        *(f"{name}: {text}" for name, text in scope.asked.items()),
    ]
    if not printed.active:
        lines += ["", NOTHING]
    for table in printed.tables:
        lines += ["", table.layout.title, *_grid(table, exponents, scope.zone), *_empty(table)]
    return "\n".join(lines)


def cell_text(unit: Unit, cell: Cell, exponent: int) -> str:
    """A cell as people write it: 1234 minor units of EUR are 12.34, 963000 ppm are 96.3000 %. Never a float."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    match unit:
        case Unit.MINOR:
            return decimal_text(cell, exponent)
        case Unit.MICRO:
            return decimal_text(cell, exponent + len(str(MICRO)) - 1)
        case Unit.PPM:
            return f"{decimal_text(cell, 4)} %"
        case Unit.COUNT | Unit.TEXT:
            return str(cell)


def decimal_text(whole: int, decimals: int) -> str:
    """An integer with its decimal point, whatever the locale (bug rows 33, 85): 1005 with three decimals is 1.005."""
    if decimals == 0:
        return str(whole)
    sign = "-" if whole < 0 else ""
    head, tail = divmod(abs(whole), 10**decimals)
    return f"{sign}{head}.{tail:0{decimals}d}"


def sources_json(found: Sequence[Source], cell: Cell = None) -> dict[str, Any]:
    """The events behind a cell, their sum where they are numbers, and the cell that they make (`run.worth`)."""
    return {"sources": [one._asdict() for one in found], "sum": total(found), "cell": _exact(cell)}


def sources_text(found: Sequence[Source], cell: Cell = None) -> str:
    """For a terminal: events, what they add up to by the column that they gave to, and the cell."""
    sums: dict[str, int] = {}
    for one in found:
        if isinstance(one.value, int):
            sums[one.column] = sums.get(one.column, 0) + one.value
    lines = [f"{one.position:>10}  {one.at}  {one.event:<32} {one.column:<22} {one.value:>20}" for one in found]
    added = [f"{'':>10}  {'':<27}  {'sum':<32} {column:<22} {whole:>20}" for column, whole in sums.items()]
    events = len({one.position for one in found})
    said = f"{events} event{'' if events == 1 else 's'}; the cell is {'-' if cell is None else cell}"
    return "\n".join([*lines, *added, said])


def total(found: Sequence[Source]) -> int:
    """The sum of what is a number among the sources."""
    return sum(one.value for one in found if isinstance(one.value, int))


def exponent_of(layout: Layout, row: Row, exponents: Exponents) -> int:
    """The decimals of the currency that a row's key names; 0 where it names none."""
    for name, value in zip(layout.keys, row.key, strict=True):
        if name == "currency" and value:
            return exponents[value]
    return 0


def _object(layout: Layout, row: Row) -> dict[str, Any]:
    cells = {column.name: _exact(cell) for column, cell in zip(layout.columns, row.cells, strict=True)}
    return dict(zip(layout.keys, row.key, strict=True)) | cells


def _exact(cell: Cell) -> Cell:
    return str(cell) if isinstance(cell, int) and abs(cell) >= EXACT else cell


def _grid(table: Table, exponents: Exponents, zone: ZoneInfo) -> list[str]:
    layout = table.layout
    if not table.rows:
        return [f"  {NOTHING}"]
    head = [*layout.keys, *(column.title for column in layout.columns if not column.working)]
    body = [_texts(layout, row, exponents, zone) for row in table.rows]
    widths = [max(len(line[at]) for line in (head, *body)) for at in range(len(head))]
    left = [True] * len(layout.keys) + [one.unit is Unit.TEXT for one in layout.columns if not one.working]
    return [
        (
            "  "
            + "  ".join(text.ljust(widths[at]) if left[at] else text.rjust(widths[at]) for at, text in enumerate(line))
        ).rstrip()
        for line in (head, *body)
    ]


def _empty(table: Table) -> list[str]:
    """What it means that a cell of some columns is empty, once for all of them."""
    found: dict[str, list[str]] = {}
    for at, column in enumerate(table.layout.columns):
        if column.nothing and any(row.cells[at] is None for row in table.rows):
            found.setdefault(column.nothing, []).append(column.title)
    return [f"  -  {', '.join(titles)}: {meaning}" for meaning, titles in found.items()]


def _texts(layout: Layout, row: Row, exponents: Exponents, zone: ZoneInfo) -> list[str]:
    exponent = exponent_of(layout, row, exponents)
    keys = [key[:HASH] if name.endswith("_hash") else key for name, key in zip(layout.keys, row.key, strict=True)]
    cells = []
    for column, cell in zip(layout.columns, row.cells, strict=True):
        if column.name in TIMES and isinstance(cell, str) and cell:
            cells.append(f"{datetime.fromisoformat(cell).astimezone(zone):%Y-%m-%d %H:%M:%S}")
        elif not column.working:
            cells.append(cell_text(column.unit, cell, exponent))
    return [*keys, *cells]
