"""Running a report over the log, and asking where a number of it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from domain.errors import Invalid
from domain.views.model import time_text
from services.ports import Told
from services.reports.asking import CellName
from services.reports.scope import Scope, When
from services.reports.tables import Cell, Kind, Layout, Part, Printed, Row, Table

Rows = dict[tuple[str, ...], dict[str, int | str]]
"""The cells of a table that parts have been given to, by row and column."""


class Source(NamedTuple):
    """An event that a number comes from, and what it gave."""

    position: int
    event: str
    stream: str
    at: str
    actor: str
    column: str
    value: int | str


def run(kind: Kind, scope: Scope, log: Iterable[Told], progress: Callable[[int], None] = lambda _: None) -> Printed:
    """The report over the operator's events in order. `progress` is told the position now and then."""
    report = kind.make(scope)
    tables: defaultdict[str, Rows] = defaultdict(dict)
    position = 0
    for number, told in enumerate(log):
        position = told.one.position
        if scope.when(told) is not When.AFTER:
            for part in report.parts(told):
                _add(tables[part.table], part)
        if number % 1_000 == 0:
            progress(position)
    return Printed(kind, scope, position, tuple(_table(one, tables[one.name]) for one in kind.tables))


def explain(kind: Kind, scope: Scope, log: Iterable[Told], cell: CellName) -> tuple[Source, ...]:
    """The events that a cell comes from, in order; of a derived cell those of its inputs. Their sum is the cell.

    Raises Invalid naming what the report does not have.
    """
    wanted = _wanted(kind, cell.table, cell.column)
    report = kind.make(scope)
    found = []
    for told in log:
        if scope.when(told) is When.AFTER:
            continue
        found += [
            _source(told, scope, part)
            for part in report.parts(told)
            if part.table == cell.table and part.row == cell.row and part.column in wanted
        ]
    return tuple(found)


def _wanted(kind: Kind, table: str, column: str) -> frozenset[str]:
    try:
        layout = kind.layout(table)
    except KeyError:
        raise Invalid(f"{kind.name} has the tables {', '.join(t.name for t in kind.tables)}", field="table") from None
    try:
        found = layout.column(column)
    except KeyError:
        names = ", ".join(one.name for one in layout.columns)
        raise Invalid(f"{table} has the columns {names}", field="column") from None
    return frozenset(found.inputs or (found.name,))


def _source(told: Told, scope: Scope, part: Part) -> Source:
    one = told.one
    at = time_text(scope.at(told))
    return Source(one.position, told.name, one.stream, at, one.meta.actor, part.column, part.value)


def _add(rows: Rows, part: Part) -> None:
    cells = rows.setdefault(part.row, {})
    before = cells.get(part.column)
    if isinstance(part.value, int) and isinstance(before, int):
        cells[part.column] = before + part.value
    else:
        cells[part.column] = part.value


def _table(layout: Layout, rows: Rows) -> Table:
    return Table(layout, tuple(Row(key, _cells(layout, rows[key])) for key in sorted(rows)))


def _cells(layout: Layout, given: Mapping[str, int | str]) -> tuple[Cell, ...]:
    cells: dict[str, Cell] = {}
    for column in layout.columns:
        if column.derived is not None:
            cells[column.name] = column.derived(cells)
        else:
            cells[column.name] = given.get(column.name, "" if column.unit == "text" else 0)
    return tuple(cells[column.name] for column in layout.columns)
