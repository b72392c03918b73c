"""Tables of reports as plain grids, and what stands at the foot of an export: rows, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.grids import COUNT, MICRO, MINOR, TEXT, Grid, GridColumn, GridRow, decimals_of
from services.reports.printing import Exponents, decimal_text
from services.reports.tables import Layout, Row

SUMMED: Final = frozenset({COUNT, MINOR, MICRO})


def grid_of(layout: Layout, rows: Iterable[Row], exponents: Exponents, totals: Totals) -> Grid:
    """A table as a grid whose rows are counted into `totals` as they are taken."""
    keys = [GridColumn(name, name.replace("_", " ").capitalize(), TEXT) for name in layout.keys]
    columns = (*keys, *(GridColumn(one.name, one.title, one.unit.value) for one in layout.columns))
    at = layout.keys.index("currency") if "currency" in layout.keys else None
    grid = Grid(layout.name, layout.title, columns, _rows(rows, at, exponents))
    return totals.watched(grid)


def _rows(rows: Iterable[Row], at: int | None, exponents: Exponents) -> Iterator[GridRow]:
    for row in rows:
        currency = "" if at is None else row.key[at]
        yield GridRow(exponents[currency] if currency else 0, currency, (*row.key, *row.cells))


class Totals:
    """Rows of each table, and the sums of its columns by currency: exact integers in the columns' units."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self._sums: dict[tuple[str, str, str], tuple[int, int]] = {}

    def watched(self, grid: Grid) -> Grid:
        """The same grid; what is taken from it is counted here."""
        self.rows[grid.name] = 0
        return Grid(grid.name, grid.title, grid.columns, self._counted(grid))

    def add(self, table: str, column: str, currency: str, whole: int, decimals: int) -> None:
        """A number more in a column; `decimals` is how many of its digits stand behind the point."""
        before, _ = self._sums.get((table, column, currency), (0, 0))
        self._sums[table, column, currency] = (before + whole, decimals)

    def count(self, table: str) -> None:
        """One row more of something that has no columns."""
        self.rows[table] = self.rows.get(table, 0) + 1

    def as_json(self) -> dict[str, Any]:
        """Per table its rows and, per column and currency, the sum as a decimal string of the unit."""
        found: dict[str, Any] = {table: {"rows": rows, "sums": {}} for table, rows in self.rows.items()}
        for (table, column, currency), (whole, _) in sorted(self._sums.items()):
            found[table]["sums"].setdefault(column, {})[currency] = str(whole)
        return found

    def shown(self) -> list[tuple[str, str, str, str]]:
        """Table, column, currency and sum, with the decimals of the currency, for people."""
        return [(*key, decimal_text(whole, decimals)) for key, (whole, decimals) in sorted(self._sums.items())]

    def _counted(self, grid: Grid) -> Iterator[GridRow]:
        summed = [(at, one) for at, one in enumerate(grid.columns) if one.unit in SUMMED]
        for row in grid.rows:
            self.rows[grid.name] += 1
            for at, column in summed:
                cell = row.cells[at]
                if isinstance(cell, int):
                    self.add(grid.name, column.name, row.currency, cell, decimals_of(column.unit, row.exponent))
            yield row
