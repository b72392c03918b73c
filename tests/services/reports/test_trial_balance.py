"""The trial balance, and where a number of it comes from (R16, docs/ledger.md)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from domain.errors import Invalid
from services.reports.asking import CellName
from services.reports.printing import as_json, as_text, decimal_text
from services.reports.run import explain
from services.reports.scope import Scope
from services.reports.trial_balance import ACCOUNTS, TRIAL_BALANCE
from tests.domain.showdowns import EURO
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.reported import UTC, cells_of, printed_of, scope_of, told_of


async def played(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    await casino.void(await casino.decided("t", {"ann": Play(1, hand(HIGH, 1))}))
    await casino.settle(await casino.decided("t", {"ann": Play(1, hand(HIGH, 1))}))


async def test_R16_every_account_closes_at_what_the_books_hold_and_each_currency_sums_to_zero(casino: Casino) -> None:
    await played(casino)
    found = cells_of(printed_of(TRIAL_BALANCE, casino.log.events), ACCOUNTS)
    assert {account for _, account in found} >= {"cash", "av/ann", "held/ann", "m/j", f"REV/{EURO}/ANTE"}
    assert all(row["closing_micro"] == casino.books.balance(account) for (_, account), row in found.items())
    assert sum(int(row["closing_micro"] or 0) for row in found.values()) == 0


async def test_what_came_before_is_the_opening_and_opening_credits_and_debits_make_the_closing(casino: Casino) -> None:
    await played(casino)
    events = casino.log.events
    cut = events[len(events) // 2].recorded_at
    whole = cells_of(printed_of(TRIAL_BALANCE, events), ACCOUNTS)
    first = cells_of(printed_of(TRIAL_BALANCE, events, end=cut), ACCOUNTS)
    rest = cells_of(printed_of(TRIAL_BALANCE, events, begin=cut), ACCOUNTS)
    assert rest.keys() == whole.keys()
    for account, row in rest.items():
        assert row["opening_micro"] == first.get(account, {"closing_micro": 0})["closing_micro"]
        assert row["closing_micro"] == whole[account]["closing_micro"]


async def test_a_number_is_the_sum_of_what_its_events_gave(casino: Casino) -> None:
    await played(casino)
    told = told_of(casino.log.events)
    found = cells_of(printed_of(TRIAL_BALANCE, casino.log.events), ACCOUNTS)
    scope = scope_of("demo")
    for row, cells in found.items():
        for column in ("credit_micro", "debit_micro"):
            sources = explain(TRIAL_BALANCE, scope, told, CellName(ACCOUNTS, row, column))
            assert sum(int(one.value) for one in sources) == cells[column]
            assert all(one.position <= len(told) for one in sources)
    with pytest.raises(Invalid) as refusal:
        explain(TRIAL_BALANCE, scope, told, CellName(ACCOUNTS, ("EUR", "cash"), "interest"))
    assert refusal.value.field == "column"


async def test_R27_a_report_says_its_name_interval_and_time_and_no_activity_when_there_was_none(casino: Casino) -> None:
    await played(casino)
    late = casino.log.events[-1].recorded_at + timedelta(days=1)
    printed = printed_of(TRIAL_BALANCE, [], begin=late, end=late)
    assert as_json(printed, late)["no_activity"] is True
    shown = as_text(printed, late, {"EUR": 2})
    assert "Trial balance of demo" in shown
    assert "No activity" in shown


@pytest.mark.parametrize(
    ("whole", "decimals", "text"), [(1005, 3, "1.005"), (-5, 2, "-0.05"), (7, 0, "7"), (-1_000_000, 6, "-1.000000")]
)
def test_bug_033_amounts_are_written_with_the_decimals_of_their_currency(whole: int, decimals: int, text: str) -> None:
    assert decimal_text(whole, decimals) == text


def test_a_time_without_its_offset_is_refused_with_the_name_of_the_field() -> None:
    with pytest.raises(Invalid) as refusal:
        Scope("demo", UTC, datetime(2026, 11, 29))
    assert refusal.value.field == "from"
