"""XLSX as a reader of its XML sees it: texts are texts, numbers are numbers, sheets as they were ordered."""

from __future__ import annotations

import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.export_files import SheetFull, write_xlsx, xlsx
from domain.grids import COUNT, MICRO, MINOR, TEXT, Grid, GridColumn, GridRow, Head

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
COLUMNS = (
    GridColumn("name", "Name", TEXT), GridColumn("stake_minor", "Stake", MINOR), GridColumn("rounds", "N", COUNT),
    GridColumn("share_micro", "Share", MICRO),
)  # fmt: skip
HEAD = Head("trial-balance", (("Operator", "=demo"), ("From (included)", "the beginning")))


def sheets(tmp_path: Path, *rows: GridRow) -> dict[str, str]:
    """The XML of each sheet by its name."""
    grids = [Grid("accounts", "Accounts", COLUMNS, rows), Grid("none", "None", COLUMNS, ())]
    write_xlsx(tmp_path / "a.xlsx", HEAD, grids, lambda: [("accounts", "stake_minor", "EUR", "12.34")], AT)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
        return {name: book.read(f"xl/worksheets/sheet{at}.xml").decode() for at, name in enumerate(names, 1)}


def cells(sheet: str) -> dict[str, tuple[str | None, str]]:
    """Each cell's type (None: a number) and what stands in it."""
    found = re.findall(r'<c r="(\w+)"(?: s="\d+")?(?: t="(\w+)")?>(?:<v>|<is><t[^>]*>)(.*?)<', sheet)
    return {place: (kind or None, text) for place, kind, text in found}


def test_bug_083_in_a_spreadsheet_file_a_text_is_never_a_formula(tmp_path: Path) -> None:
    found = sheets(tmp_path, GridRow(2, "EUR", ("=1+1", -1234, 3, 5)))
    assert all("<f>" not in sheet and "hyperlink" not in sheet for sheet in found.values())
    row = cells(found["accounts"])
    assert row["A2"] == ("inlineStr", "=1+1")
    assert (row["B2"], row["C2"], row["D2"]) == ((None, "-12.34"), (None, "3"), (None, "5E-8"))


def test_a_number_of_more_digits_than_a_spreadsheet_shows_is_a_text_and_the_summary_says_so(tmp_path: Path) -> None:
    found = sheets(tmp_path, GridRow(2, "EUR", ("a", 999_999_999_999_999, 2**53, -(10**38))))
    row = cells(found["accounts"])
    assert row["B2"] == (None, "9999999999999.99")
    assert (row["C2"], row["D2"]) == (
        ("inlineStr", "9007199254740992"), ("inlineStr", "-1000000000000000000000000000000.00000000"),
    )  # fmt: skip
    assert "Numbers of more than 15 digits are texts" in found["Summary"]


def test_R27_the_summary_names_what_it_is_and_its_control_totals(tmp_path: Path) -> None:
    found = sheets(tmp_path, GridRow(2, "EUR", ("a", 1234, 1, 1)))
    assert list(found) == ["Summary", "accounts", "none"]
    told = [text for _, text in cells(found["Summary"]).values()]
    for text in ("=demo", "the beginning", "accounts", "1", "12.34"):
        assert text in told
    assert "No activity" not in told
    assert "No activity" in found_nothing(tmp_path)


def found_nothing(tmp_path: Path) -> list[str]:
    return [text for _, text in cells(sheets(tmp_path)["Summary"]).values()]


def test_a_table_larger_than_a_sheet_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "ROWS_MOST", 2)
    rows = [GridRow(2, "EUR", ("a", 1, 1, 1))] * 3
    with pytest.raises(SheetFull, match="accounts has more rows"):
        sheets(tmp_path, *rows)
