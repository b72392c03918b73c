"""Running a report over the log, and asking where a number of it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from domain.errors import Invalid
from domain.views.model import time_text
from services.ports import Told
from services.reports.asking import CellName
from services.reports.scope import Scope, When
from services.reports.tables import Cell, Column, Kind, Layout, Part, Printed, Row, Table, Unit

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
    position, active = 0, False
    for number, told in enumerate(log):
        position = told.one.position
        when = scope.when(told)
        if when is not When.AFTER:
            for part in report.parts(told):
                _add(tables[part.table], part)
                active = active or when is When.WITHIN
        if number % 1_000 == 0:
            progress(position)
    return Printed(kind, scope, position, tuple(_table(one, tables[one.name]) for one in kind.tables), active)


def explain(kind: Kind, scope: Scope, log: Iterable[Told], cell: CellName) -> tuple[Source, ...]:
    """The events that a cell comes from, in order; of a derived cell those of its inputs. `worth` of them is the cell.

    Raises Invalid naming what the report does not have.
    """
    wanted = _wanted(kind, cell)
    report = kind.make(scope)
    found = []
    for told in log:
        if scope.when(told) is When.AFTER:
            continue
        found += [
            _source(told, scope, part)
            for part in report.parts(told)
            if part.table == cell.table and part.column in wanted and _is_row(kind, cell, part.row)
        ]
    return tuple(found)


def worth(kind: Kind, cell: CellName, found: Sequence[Source]) -> Cell:
    """What these events make of the cell, as the report itself does: their sum, or what is worked out from the sums of
    the columns that they gave to.
    """
    rows: Rows = {}
    for one in found:
        _add(rows, Part(cell.table, cell.row, one.column, one.value))
    layout = kind.layout(cell.table)
    cells = _cells(layout, rows.get(cell.row, {}))
    return cells[layout.columns.index(layout.column(cell.column))]


def _is_row(kind: Kind, cell: CellName, row: tuple[str, ...]) -> bool:
    """Whether it is the row that was named; a hash may be named by its beginning, as people are shown it."""
    if row == cell.row:
        return True
    named = zip(kind.layout(cell.table).keys, cell.row, row, strict=True)
    return all(
        key == asked or (name.endswith("_hash") and asked and key.startswith(asked)) for name, asked, key in named
    )


def _wanted(kind: Kind, cell: CellName) -> frozenset[str]:
    try:
        layout = kind.layout(cell.table)
    except KeyError:
        raise Invalid(f"{kind.name} has the tables {', '.join(t.name for t in kind.tables)}", field="table") from None
    try:
        found = layout.column(cell.column)
    except KeyError:
        names = ", ".join(one.name for one in layout.columns)
        raise Invalid(f"{cell.table} has the columns {names}", field="column") from None
    if len(cell.row) != len(layout.keys):
        raise Invalid(f"a row of {cell.table} is named by {', '.join(layout.keys)}", field="row")
    return frozenset(_given(layout, found))


def _given(layout: Layout, column: Column) -> Iterable[str]:
    """The columns that events give to, of those that a column is worked out from."""
    if column.derived is None:
        return [column.name]
    return [name for one in column.inputs for name in _given(layout, layout.column(one))]


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
    found = [Row(key, _cells(layout, rows[key])) for key in (rows if layout.in_order else sorted(rows))]
    if layout.sparse:
        found = [row for row in found if any(cell for cell in row.cells if isinstance(cell, int))]
    return Table(layout, tuple(found))


def _cells(layout: Layout, given: Mapping[str, int | str]) -> tuple[Cell, ...]:
    cells: dict[str, Cell] = {}
    for column in layout.columns:
        if column.derived is not None:
            cells[column.name] = column.derived(cells)
        else:
            nothing = "" if column.unit is Unit.TEXT else None if layout.in_order else 0
            cells[column.name] = given.get(column.name, nothing)
    return tuple(cells[column.name] for column in layout.columns)
