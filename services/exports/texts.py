"""CSV and NDJSON: text, the same bytes whatever the machine's language (bug row 85).

CSV is RFC 4180 in UTF-8. A text that a spreadsheet would take for a formula gets an apostrophe before it (bug row 83);
numbers are never touched. An amount stands twice: with the decimals of its currency, and as the exact integer.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.grids import COUNT, MICRO, TEXT, Grid, GridCell, GridColumn, GridRow, decimals_of, plain_name
from services.reports.printing import EXACT, decimal_text

_FORMULA: Final = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=\s)")
"""Where a formula could begin: at the start, blanks before it or not, and behind what other settings cut cells at."""


def harmless(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet could see a formula begin."""
    return _FORMULA.sub(r"\1'", text)


class _Line:
    """Gives back what is written to it."""

    def write(self, text: str) -> str:
        """The same text."""
        return text


def csv_lines(grid: Grid) -> Iterator[str]:
    """The table with its header, line by line, each with its CR and LF."""
    writer = csv.writer(_Line(), lineterminator="\r\n")
    names = [one.name for one in grid.columns]
    yield writer.writerow([name for one in grid.columns for name in _names(one, names)])
    for row in grid.rows:
        yield writer.writerow([text for at, one in enumerate(grid.columns) for text in _texts(one, row, at)])


def ndjson_lines(grids: Iterable[Grid]) -> Iterator[str]:
    """One object for each row: its table, its exponent where it has amounts, its cells as integers and texts."""
    for grid in grids:
        for row in grid.rows:
            yield json.dumps(row_object(grid, row), ensure_ascii=False, separators=(",", ":")) + "\n"


def row_object(grid: Grid, row: GridRow) -> dict[str, Any]:
    """A row by name. An integer that JSON numbers do not hold exactly is a string."""
    cells = {one.name: _exact(cell) for one, cell in zip(grid.columns, row.cells, strict=True)}
    return {"table": grid.name, **({"exponent": row.exponent} if grid.has_currency else {}), **cells}


def _names(column: GridColumn, taken: list[str]) -> list[str]:
    return [column.name] if column.unit in (TEXT, COUNT) else [plain_name(column, taken), column.name]


def _texts(column: GridColumn, row: GridRow, at: int) -> list[str]:
    cell = row.cells[at]
    if column.unit in (TEXT, COUNT):
        return [_text(cell)]
    if cell is None:
        return ["", ""]
    if isinstance(cell, str):
        return [harmless(cell), harmless(cell)]
    return [_decimal(cell, column.unit, row.exponent), str(cell)]


def _decimal(whole: int, unit: str, exponent: int) -> str:
    """An amount with the decimals of its currency, and more only where there is more: KWD 1.005, EUR 10.00, 0.4005."""
    text = decimal_text(whole, decimals_of(unit, exponent))
    if unit != MICRO:
        return text
    head, _, tail = text.partition(".")
    tail = tail.rstrip("0").ljust(exponent, "0")
    return f"{head}.{tail}" if tail else head


def _text(cell: GridCell) -> str:
    if cell is None:
        return ""
    return harmless(cell) if isinstance(cell, str) else str(cell)


def _exact(cell: GridCell) -> GridCell:
    return str(cell) if isinstance(cell, int) and abs(cell) >= EXACT else cell
