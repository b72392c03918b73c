"""The operator's statement: read line by line, and matched against the log (R4, R29)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.errors import Invalid
from services.reconcile.asked import Question
from services.reconcile.cashier import CashKind
from services.reconcile.matching import Matching, match_statement
from services.reconcile.run import reconcile
from services.reconcile.statement import Statement, read_statement
from tests.support.casino import Casino
from tests.support.fixtures import EXPONENTS
from tests.support.reported import told_of

HEAD = "transaction_id,player,kind,amount,currency,at\n"
DAY = date(2026, 1, 3)


def read(text: str) -> Statement:
    return read_statement(text.encode(), EXPONENTS)


def refused(line: str) -> str:
    """Why a line is bad; one that is good beside it is read."""
    found = read(f"{HEAD}{line}\nok,ann,deposit,1.00,EUR,\n")
    assert [one.transaction_id for one in found.lines] == ["ok"]
    (bad,) = found.bad
    assert bad.number == 2
    return bad.reason


def test_a_statement_with_byte_order_mark_windows_line_ends_quotes_and_blank_lines_is_read_whole() -> None:
    data = (
        b'\xef\xbb\xbf"Kind",AMOUNT,currency,transaction_id\r\n'
        b'\r\ndeposit,"12.50",EUR,"a"\r\n  \r\nWITHDRAWAL,1000,JPY,b\rrollback,1.250,KWD,c'
    )
    found = read_statement(data, {"EUR": 2, "JPY": 0, "KWD": 3})
    assert found.bad == ()
    assert [(one.number, one.transaction_id, one.kind, one.amount_minor, one.currency) for one in found.lines] == [
        (3, "a", CashKind.DEPOSIT, 1250, "EUR"),
        (5, "b", CashKind.WITHDRAWAL, 1000, "JPY"),
        (6, "c", CashKind.ROLLBACK, 1250, "KWD"),
    ]


@pytest.mark.parametrize(
    "amount",
    ["1250", "12.5", "12.500", '"12,50"', '"1,250.00"', "1e3", "-12.50", "+1.00", "12.50 EUR", "", "١٢.٥٠", "=1+1"],
)
def test_bug_033_an_amount_has_one_form_and_minor_units_or_another_locale_are_refused(amount: str) -> None:
    assert refused(f"x,ann,deposit,{amount},EUR,").startswith("amount: is written in EUR with 2 decimals")


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("x y,ann,deposit,1.00,EUR,", "transaction_id"),
        ("x,a/b,deposit,1.00,EUR,", "player"),
        ("x,ann,payout,1.00,EUR,", "kind"),
        ("x,ann,deposit,1.00,eur,", "currency"),
        ("x,ann,deposit,1.00,EUR,yesterday", "at"),
        ("x,ann,deposit,1.00,EUR,2026-01-03T00:00:00", "at"),
        ("x,ann,deposit,1.00,EUR", "has 5 fields"),
        ('x,"ann,deposit,1.00,EUR,', "unexpected end of data"),
        ("x,ann,deposit,99999999999999.99,EUR,", "amount"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_field_and_those_beside_it_are_read(line: str, field: str) -> None:
    assert refused(line).startswith(field)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is empty"),
        ("transaction_id,kind,amount,currency\n".encode("utf-16"), "UTF-16"),
        (b"transaction_id;kind;amount;currency\n", "separated by commas"),
        (b"transaction_id,kind,amount\n", "no column currency"),
        (b"transaction_id,kind,amount,currency,currency\n", "each column once"),
        (b"transaction_id,kind,amount,currency,card\n", "no other than"),
    ],
)
def test_a_file_that_is_no_statement_is_refused_in_one_line(data: bytes, why: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read_statement(data, EXPONENTS)
    assert why in refusal.value.detail
    assert refusal.value.field == "statement"


def test_bytes_that_are_not_utf8_are_named_by_their_line() -> None:
    found = read_statement(HEAD.encode() + b"x,\xff,deposit,1.00,EUR,\nok,,deposit,1.00,EUR,\n", EXPONENTS)
    assert [(one.number, one.reason) for one in found.bad] == [(2, "is not UTF-8")]
    assert len(found.lines) == 1


async def days(casino: Casino) -> None:
    """Three days of the cashier: of interest is the second."""
    for player in ("ann", "bob"):
        await casino.player(player)
    await casino.deposit("ann", 5_000, transaction="early")
    casino.clock.forward(86_400)
    for name, amount in (("d1", 1_250), ("d2", 2_000), ("d3", 3_000), ("d4", 4_000), ("d5", 5_000), ("lost", 60)):
        await casino.deposit("ann", amount, transaction=name)
    await casino.withdraw("ann", 700, transaction="w1")
    await casino.roll_back("d5")
    await casino.roll_back("never")
    casino.clock.forward(86_400)
    await casino.deposit("bob", 100, transaction="tomorrow")


def matched(casino: Casino, lines: str) -> Matching:
    asked = Question("op", ZoneInfo("UTC"), DAY, DAY, None, datetime(2026, 1, 10, tzinfo=UTC))
    run = reconcile(asked, told_of(casino.log.events), None)
    return match_statement(asked, run.cashier, read(HEAD + lines), EXPONENTS)


def classes(found: Matching) -> list[tuple[str, str, str, str]]:
    return [(one.kind.value, one.about, one.expected, one.found) for one in found.breaks]


WHOLE = """d1,ann,deposit,12.50,EUR,2026-01-03T03:04:05Z
d2,ann,deposit,20.00,EUR,
d3,ann,deposit,30.00,EUR,
d4,ann,deposit,40.00,EUR,
d5,ann,deposit,50.00,EUR,
lost,ann,deposit,0.60,EUR,
w1,ann,withdrawal,7.00,EUR,
d5,ann,rollback,50.00,EUR,
"""


async def test_a_statement_that_says_what_the_log_says_matches_line_by_line_with_equal_totals(casino: Casino) -> None:
    await days(casino)
    found = matched(casino, WHOLE + "never,bob,deposit,1.00,EUR,\nnever,bob,rollback,1.00,EUR,\n")
    assert (found.lines, found.matched, found.breaks) == (10, 10, ())
    assert found.ours_minor[("EUR", CashKind.DEPOSIT)] == 15_310
    assert found.ours_minor[("EUR", CashKind.ROLLBACK)] == 5_000


WRONG = """d1,ann,deposit,12.05,EUR,
d2,ann,deposit,20.00,USD,
d3,bob,deposit,30.00,EUR,
d4,ann,deposit,40.00,EUR,2026-01-02T23:59:59Z
d5,ann,deposit,50.00,EUR,
d5,ann,deposit,50.00,EUR,
d5,ann,rollback,50.00,EUR,
w1,ann,deposit,7.00,EUR,
early,ann,deposit,50.00,EUR,
ghost,ann,withdrawal,9.99,EUR,
never,ann,deposit,1.00,EUR,
odd,ann,deposit,1,EUR,
"""


async def test_each_class_of_difference_is_told_from_the_others(casino: Casino) -> None:
    await days(casino)
    found = matched(casino, WRONG)
    assert classes(found) == [
        ("BAD_LINE", "line 13", "", ""),
        ("DIFFERENT_AMOUNT", "d1 DEPOSIT", "12.50 EUR", "12.05 EUR"),
        ("WRONG_CURRENCY", "d2 DEPOSIT", "20.00 EUR", "20.00 USD"),
        ("DIFFERENT_PLAYER", "d3 DEPOSIT", "30.00 EUR", "30.00 EUR"),
        ("WRONG_PERIOD", "d4 DEPOSIT", "40.00 EUR", "40.00 EUR"),
        ("DUPLICATE", "d5 DEPOSIT", "", "50.00 EUR"),
        ("MISSING_HERE", "w1 DEPOSIT", "", "7.00 EUR"),
        ("WRONG_PERIOD", "early DEPOSIT", "50.00 EUR", "50.00 EUR"),
        ("MISSING_HERE", "ghost WITHDRAWAL", "", "9.99 EUR"),
        ("MISSING_HERE", "never DEPOSIT", "", "1.00 EUR"),
        ("MISSING_THERE", "lost DEPOSIT", "0.60 EUR", ""),
        ("MISSING_THERE", "w1 WITHDRAWAL", "7.00 EUR", ""),
    ]
    assert found.matched == 2
    reasons = {one.about: one.reason for one in found.breaks}
    assert reasons["w1 DEPOSIT"] == "line 9: here this id is a WITHDRAWAL"
    assert reasons["never DEPOSIT"].startswith("line 12: here it was rolled back before it came, at position ")
    (lost,) = [one for one in found.breaks if one.about == "lost DEPOSIT"]
    assert (lost.event, lost.position is not None) == ("wallet.deposited.v1", True)


async def test_of_many_lines_none_is_lost(casino: Casino) -> None:
    await days(casino)
    found = matched(casino, WHOLE + "".join(f"x{nth},ann,deposit,{nth}.00,EUR,\n" for nth in range(10_000)))
    assert (found.lines, found.matched, found.classes) == (10_008, 8, {"MISSING_HERE": 10_000})
