"""CSV: what stands in it is text for spreadsheets that does no harm, and numbers that are exact (R5, R27)."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from domain.errors import Invalid
from domain.grids import COUNT, MICRO, MINOR, PPM, TEXT, Grid, GridColumn, GridRow
from services.exports.kinds import exportable
from services.exports.texts import csv_lines, harmless, ndjson_lines
from tests.domain.showdowns import EURO
from tests.support.cards import ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.exported import csv_rows, exported

COLUMNS = (
    GridColumn("name", "Name", TEXT), GridColumn("stake_minor", "Stake", MINOR),
    GridColumn("share_micro", "Share", MICRO), GridColumn("rounds", "Rounds", COUNT), GridColumn("rtp_ppm", "RTP", PPM),
)  # fmt: skip


def grid(*rows: GridRow) -> Grid:
    return Grid("t", "T", COLUMNS, rows)


def read(made: Grid) -> list[dict[str, str]]:
    return csv_rows("".join(csv_lines(made)))


NICKNAMES = ('=HYPERLINK("http://x")', "@SUM(A1)", "\t=1+1", " =1", "+1", "-1+1", "\r=1", "＝1", "\u00a0=1")


@pytest.mark.parametrize("nickname", NICKNAMES)
def test_bug_083_csv_a_text_that_would_be_a_formula_begins_with_an_apostrophe(nickname: str) -> None:
    [row] = read(grid(GridRow(2, "EUR", (nickname, -5, -5, -5, -5))))
    assert row["name"].startswith("'")
    assert row["name"].replace("'", "") == nickname
    numbers = [row[one] for one in ("stake", "stake_minor", "share", "share_micro", "rounds", "rtp", "rtp_ppm")]
    assert numbers == ["-0.05", "-5", "-0.00000005", "-5", "-5", "-0.000005", "-5"]


def test_bug_083_csv_no_formula_begins_where_a_reader_with_other_separators_would_cut_the_text() -> None:
    for cut in ";", "\t", "\n":
        for other in csv.reader(io.StringIO(harmless(f"paid{cut}=1+1")), delimiter=";"):
            assert not any(cell.startswith(("=", "\t=")) for cell in other)
    assert harmless("paid; twice - agreed, see a=b") == "paid; twice - agreed, see a=b"


CURRENCIES = [("KWD", 3, "1.005"), ("JPY", 0, "1005"), ("EUR", 2, "10.05")]


@pytest.mark.parametrize(("currency", "exponent", "text"), CURRENCIES)
def test_bug_033_csv_amounts_have_the_decimals_of_their_currency_and_the_exact_integer_beside(
    currency: str, exponent: int, text: str
) -> None:
    [row] = read(grid(GridRow(exponent, currency, ("a", 1005, 1005 * 10**6, 0, None))))
    assert (row["stake"], row["stake_minor"], row["share"], row["share_micro"]) == (text, "1005", text, "1005000000")
    assert (row["rtp"], row["rtp_ppm"]) == ("", "")


async def test_bug_033_csv_a_kuwaiti_balance_is_exported_as_1_005(casino: Casino, tmp_path: Path) -> None:
    await casino.player("noor", "KWD", deposit=1005)
    exported("trial-balance", "csv", casino.log.events, path := tmp_path / "day.csv")
    rows = {row["account"]: row for row in csv_rows(path.read_text("utf-8"))}
    assert (rows["av/noor"]["closing"], rows["cash"]["closing"]) == ("1.005", "-1.005")


async def test_bug_069_csv_the_journal_shows_the_meter_that_was_paid_not_the_one_after(
    casino: Casino, tmp_path: Path
) -> None:
    await casino.jackpot("j", EURO, seed_minor=5_000_000, reset_minor=1_000)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=10_000)
    await casino.played("t", {"ann": Play(1, hand(ROYAL, 1), ante=500)})
    exported("journal", "csv", casino.log.events, path := tmp_path / "day.csv")
    rows = csv_rows(path.read_text("utf-8"))
    hit = [row for row in rows if row["event"] == "jackpot.awarded.v1" and row["account"] == "m/j"]
    assert [row["debit"] for row in hit] == ["50000.20"]
    assert [row["credit"] for row in rows if row["event"] == "wallet.prize_paid.v1"] == ["50000.20"]


def test_lines_end_with_cr_lf_and_cells_that_need_it_are_quoted() -> None:
    text = "".join(csv_lines(grid(GridRow(2, "EUR", ('a,"b"\nc', 1, 1, 1, 1)))))
    assert text.endswith("\r\n")
    assert text.count("\r\n") == 2
    assert '"a,""b""\nc"' in text


def test_ndjson_keeps_texts_as_they_are_and_large_integers_exact() -> None:
    [line] = ndjson_lines([grid(GridRow(2, "EUR", ("=1", 2**53, 1, 1, None)))])
    assert line == (
        '{"table":"t","exponent":2,"name":"=1","stake_minor":"9007199254740992","share_micro":1,"rounds":1,'
        '"rtp_ppm":null}\n'
    )


async def test_the_control_totals_are_what_a_reader_of_the_file_adds_up(casino: Casino, tmp_path: Path) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.player("yoko", "JPY", deposit=500)
    made = exported("journal", "csv", casino.log.events, path := tmp_path / "day.csv")
    rows = csv_rows(path.read_text("utf-8"))
    assert made["totals"]["entries"]["rows"] == len(rows) == 4
    for column, sums in made["totals"]["entries"]["sums"].items():
        for currency, whole in sums.items():
            assert int(whole) == sum(int(row[column]) for row in rows if row["currency"] == currency)
    assert made["totals"]["entries"]["sums"]["amount_micro"] == {"EUR": "0", "JPY": "0"}


@pytest.mark.parametrize(
    ("kind", "form", "table", "field"),
    [
        ("diary", "csv", None, "kind"),
        ("journal", "pdf", None, "format"),
        ("events", "csv", None, "format"),
        ("trial-balance", "hledger", None, "format"),
        ("trial-balance", "csv", "lines", "table"),
        ("trial-balance", "xlsx", "accounts", "table"),
    ],
)
def test_what_there_is_not_is_refused_with_the_name_of_the_field(
    kind: str, form: str, table: str | None, field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        asked(kind, form, table)
    assert refusal.value.field == field


def asked(kind: str, form: str, table: str | None) -> None:
    what = exportable(kind)
    what.table(what.format(form), table)
