"""Parquet and SQL over exported files: amounts exact whatever their size, texts as they are, nothing from outside."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from adapters.export_files import ExtraMissing, SqlRefused, query, write_parquet
from domain.grids import COUNT, MICRO, TEXT, Grid, GridColumn, GridRow
from tests.api.test_cli import run

COLUMNS = (GridColumn("account", "Account", TEXT), GridColumn("closing_micro", "Closing", MICRO),
           GridColumn("rounds", "Rounds", COUNT))  # fmt: skip
ROWS = (
    GridRow(2, "EUR", ("=av/ann", 12345678901234567890123456789012345678, 3)),
    GridRow(3, "KWD", ('a "b"\n\u00e9', -1, None)),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_parquet(path := tmp_path / "day.parquet", Grid("accounts", "Accounts", COLUMNS, ROWS))
    assert [one.name for one in tmp_path.iterdir()] == ["day.parquet"]
    return path


def test_a_row_comes_out_as_it_went_in(file: Path) -> None:
    names, rows = query("SELECT * FROM day ORDER BY closing_micro DESC", [file])
    assert names == ["exponent", "account", "closing_micro", "rounds"]
    assert rows == [
        (2, "=av/ann", Decimal("12345678901234567890123456789012345678"), 3),
        (3, 'a "b"\n\u00e9', -1, None),
    ]


def test_an_empty_table_has_its_columns(tmp_path: Path) -> None:
    write_parquet(path := tmp_path / "none.parquet", Grid("accounts", "Accounts", COLUMNS, ()))
    names, rows = query("SELECT * FROM none", [path])
    assert (len(names), rows) == (4, [])


def test_files_are_asked_from_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statement = "SELECT exponent, sum(closing_micro) AS total FROM day GROUP BY 1 ORDER BY 1"
    code, out, _ = run(capsys, "sql", statement, str(file), "--json")
    assert code == 0
    assert json.loads(out) == [
        {"exponent": 2, "total": "12345678901234567890123456789012345678"}, {"exponent": 3, "total": -1},
    ]  # fmt: skip
    (file.parent / "book.csv").write_bytes(b"account,debit\r\nav/ann,1.005\r\n")
    assert run(capsys, "sql", "SELECT * FROM book", str(file.parent / "book.csv"))[1].split() == [
        "account", "debit", "av/ann", "1.005",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("SELECT nothing FROM day", "nothing"),
        ("SELEC 1", "SELEC"),
        ("SELECT * FROM 'https://example.com/a.csv'", "http"),
    ],
)
def test_what_cannot_be_asked_is_one_line(file: Path, statement: str, named: str) -> None:
    with pytest.raises(SqlRefused, match=named) as refused:
        query(statement, [file])
    assert "\n" not in str(refused.value)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SqlRefused, match="parquet"):
        query("SELECT 1", [tmp_path / "day.xlsx"])


def test_without_the_extra_it_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ExtraMissing, match="pip install"):
        query("SELECT 1", [file])
