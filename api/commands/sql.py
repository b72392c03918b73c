"""`studbook sql`: questions to exported files. No database is asked, and nothing leaves the machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from domain.errors import Invalid

EPILOG: Final = "Example: studbook sql 'SELECT account, closing_micro FROM day ORDER BY 2' day.parquet"
EXACT: Final = 2**53


def sql(
    statement: Annotated[str, typer.Argument(help="One SELECT; a table is called as its file is, without its ending.")],
    files: Annotated[list[Path], typer.Argument(help="Files of studbook export: .parquet, .csv, .ndjson.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array on standard output.")] = False,
) -> None:
    """Ask exported files in SQL (DuckDB, the extra `parquet`). Columns of a CSV are texts: cast what is a number."""
    from api.main.exporting import ask

    for file in files:
        if not file.is_file():
            raise Invalid(f"{file}: there is no such file", field="files")
    names, rows = ask(statement, files)
    if as_json:
        typer.echo(json.dumps([dict(zip(names, map(_plain, row), strict=True)) for row in rows], ensure_ascii=False))
    else:
        typer.echo(_grid([names, *([_text(cell) for cell in row] for row in rows)]))


def _plain(cell: Any) -> Any:
    """A cell for JSON: numbers that it holds exactly, all else as text."""
    if isinstance(cell, Decimal) and cell == cell.to_integral_value():
        cell = int(cell)
    if cell is None or isinstance(cell, bool | float | str) or (isinstance(cell, int) and abs(cell) < EXACT):
        return cell
    return str(cell)


def _text(cell: Any) -> str:
    return "-" if cell is None else str(cell)


def _grid(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
