"""Parquet, and SQL over exported files, by DuckDB (the extra `parquet`). It is never let near the network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from domain.grids import COUNT, MICRO, MINOR, PPM, TEXT, Grid, GridRow

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TYPES: Final = {
    TEXT: "VARCHAR",
    COUNT: "BIGINT",
    PPM: "BIGINT",
    MINOR: "DECIMAL(38, 0)",
    MICRO: "DECIMAL(38, 0)",
}
"""A column's unit to its type; amounts are integers of their unit, beside the `exponent` of their currency."""

READERS: Final = {
    ".parquet": "read_parquet(?)",
    ".csv": "read_csv(?, header = true, all_varchar = true)",
    ".ndjson": "read_json_auto(?, format = 'newline_delimited')",
}
"""How a file is read, by the end of its name. A CSV is read as texts: what they are, the query says."""

_SAFE: Final = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": "1",
    "memory_limit": "512MB",
}


class ExtraMissing(Exception):
    """DuckDB is not installed."""


class SqlRefused(Exception):
    """DuckDB does not take a query or a file; one line."""


def write_parquet(path: Path, grid: Grid) -> None:
    """The table as one file. Raises ExtraMissing, OSError."""
    columns = {**({"exponent": "BIGINT"} if grid.has_currency else {}), **{c.name: TYPES[c.unit] for c in grid.columns}}
    lines = path.with_name(f"{path.name}.rows")
    with _duckdb() as conn:
        try:
            with lines.open("w", encoding="utf-8") as file:
                for row in grid.rows:
                    file.write(json.dumps(_object(grid, row), ensure_ascii=False) + "\n")
            shape = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in columns.items())
            named = ", ".join(_quoted(name) for name in columns)
            conn.execute(
                f"COPY (SELECT {named} FROM read_json(?, format = 'newline_delimited', columns = {{{shape}}}))"
                f" TO {_literal(str(path))} (FORMAT parquet, COMPRESSION zstd)",
                [str(lines)],
            )
        finally:
            lines.unlink(missing_ok=True)


def query(statement: str, files: Sequence[Path]) -> tuple[list[str], list[Sequence[Any]]]:
    """The names of the columns, and the rows, of a statement over the files, each a table named as the file is without
    its ending. Raises ExtraMissing, SqlRefused.
    """
    with _duckdb() as conn:
        for file in files:
            _view(conn, file)
        rows: list[Sequence[Any]] = list(conn.execute(statement).fetchall())
        return [one[0] for one in conn.description or ()], rows


def _view(conn: DuckDBPyConnection, file: Path) -> None:
    reader = READERS.get(file.suffix)
    if reader is None:
        raise SqlRefused(f"{file}: the name of a file ends with {', '.join(READERS)}")
    # a view cannot be prepared with a parameter
    conn.execute(f"CREATE VIEW {_quoted(file.stem)} AS SELECT * FROM {reader.replace('?', _literal(str(file)))}")


@contextmanager
def _duckdb() -> Iterator[DuckDBPyConnection]:
    try:
        import duckdb  # noqa: PLC0415  an extra: it may not be there
    except ImportError:
        raise ExtraMissing("DuckDB is not installed: pip install 'studbook[parquet]'") from None
    try:
        with duckdb.connect(":memory:", config=dict(_SAFE)) as conn:
            yield conn
    except duckdb.Error as fault:
        raise SqlRefused(" ".join(str(fault).split())) from None


def _object(grid: Grid, row: GridRow) -> dict[str, Any]:
    """Numbers as texts, which DuckDB turns into the column's exact type."""
    cells = {
        one.name: str(cell) if isinstance(cell, int) else cell
        for one, cell in zip(grid.columns, row.cells, strict=True)
    }
    return {**({"exponent": str(row.exponent)} if grid.has_currency else {}), **cells}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
