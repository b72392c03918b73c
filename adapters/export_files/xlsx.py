"""XLSX: a summary, and one sheet for each table. Texts are never formulas or links, numbers are numbers.

A spreadsheet counts in doubles and shows fifteen digits. A number with more is written as a text, and the summary says
how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from domain.grids import COUNT, PPM, Grid, GridColumn, GridRow, Head, decimals_of

ROWS_MOST: Final = 1_048_575
"""Rows of a sheet below its header."""

DIGITS_MOST: Final = 15
NAME_CHARS_MAX: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
_SAFE: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class SheetFull(Exception):
    """A table has more rows than a sheet can hold."""


Foot = Callable[[], Sequence[tuple[str, str, str, str]]]
"""Table, column, currency and sum of everything that was written."""


def write_xlsx(path: Path, head: Head, grids: Sequence[Grid], foot: Foot, at: datetime) -> None:
    """The file; `at` is when it is made. Raises SheetFull, OSError."""
    with xlsxwriter.Workbook(str(path), _SAFE) as workbook:
        workbook.set_properties({"title": head.title, "created": at.replace(tzinfo=None)})
        writer = _Writer(workbook)
        summary = workbook.add_worksheet("Summary")
        for grid in grids:
            writer.table(grid)
        writer.summary(summary, head, foot())


class _Writer:
    """One workbook; formats are made once."""

    def __init__(self, workbook: xlsxwriter.Workbook) -> None:
        self._workbook = workbook
        self._formats: dict[str, Format] = {}
        self._bold = workbook.add_format({"bold": True})
        self._counts: list[tuple[str, int, int]] = []

    def table(self, grid: Grid) -> None:
        """A sheet with a header that stays in sight."""
        name = _FORBIDDEN.sub("-", grid.name)[:NAME_CHARS_MAX]
        sheet = self._workbook.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        sheet.set_column(0, len(grid.columns) - 1, 18)
        for at, column in enumerate(grid.columns):
            sheet.write_string(0, at, column.title, self._bold)
        number, as_texts = 0, 0
        for number, row in enumerate(grid.rows, 1):
            if number > ROWS_MOST:
                raise SheetFull(f"{grid.name} has more rows than the {ROWS_MOST} that a sheet holds")
            as_texts += sum(self._cell(sheet, number, at, column, row) for at, column in enumerate(grid.columns))
        self._counts.append((name, number, as_texts))

    def summary(self, sheet: Worksheet, head: Head, foot: Sequence[tuple[str, str, str, str]]) -> None:
        """What it is, and its control totals; sums are texts, which are exact whatever their size."""
        sheet.set_column(0, 3, 24)
        lines: list[tuple[str | int, ...]] = [*head.lines, (), ("Sheet", "Rows", "Numbers written as texts")]
        lines += [*self._counts, (), ("Table", "Column", "Currency", "Sum"), *foot]
        if any(as_texts for _, _, as_texts in self._counts):
            lines += [(), (f"Numbers of more than {DIGITS_MOST} digits are texts: a spreadsheet would round them.",)]
        if not any(rows for _, rows, _ in self._counts):
            lines += [(), ("No activity",)]
        for number, line in enumerate(lines):
            for at, cell in enumerate(line):
                if isinstance(cell, int):
                    sheet.write_number(number, at, cell)
                else:
                    sheet.write_string(number, at, cell)

    def _cell(self, sheet: Worksheet, number: int, at: int, column: GridColumn, row: GridRow) -> bool:
        """Write a cell; whether its number had to be a text."""
        cell = row.cells[at]
        if cell is None:
            return False
        if isinstance(cell, str):
            sheet.write_string(number, at, cell)
            return False
        value = Decimal(f"{cell}e-{decimals_of(column.unit, row.exponent)}")
        if len(str(abs(cell))) > DIGITS_MOST:
            sheet.write_string(number, at, f"{value:f}")
            return True
        # written with sixteen digits, so the decimal stands in the file as it is
        sheet.write_number(number, at, value, self._format(column.unit, row.exponent))
        return False

    def _format(self, unit: str, exponent: int) -> Format:
        form = _number_format(unit, exponent)
        if form not in self._formats:
            self._formats[form] = self._workbook.add_format({"num_format": form})
        return self._formats[form]


def _number_format(unit: str, exponent: int) -> str:
    if unit == COUNT:
        return "0"
    if unit == PPM:
        return "0.0000%"
    beyond = decimals_of(unit, exponent) - exponent
    places = "0" * exponent + ("#" if exponent else "0") * beyond
    return f"#,##0.{places}" if places else "#,##0"
