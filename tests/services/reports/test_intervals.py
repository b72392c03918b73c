"""Gaming days, months, years, life to date, in the operator's zone (R27), and what else a report may be asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.errors import Invalid
from services.reports.ageing import AGEING
from services.reports.asking import CellName, Period, asked_of, asked_period
from services.reports.catalogue import REPORTS
from services.reports.daily_revenue import DAILY_REVENUE
from services.reports.run import explain, run
from services.reports.statement import STATEMENT
from services.reports.trial_balance import TRIAL_BALANCE
from tests.services.reports.conftest import Evening
from tests.support.bookkeeping import spread
from tests.support.reported import printed_of, scope_of, summed, told_of

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 29, 3, 30, tzinfo=UTC)
"""Still the evening of the 28th in New York."""


def bounds(period: Period, day: str | None) -> tuple[str | None, str]:
    begin, end = asked_period(period, day, NOW, NEW_YORK)
    return None if begin is None else begin.isoformat(), end.isoformat()


def test_R27_a_period_is_a_day_or_its_month_year_or_life_up_to_its_end_in_the_operators_zone() -> None:
    end = "2026-11-29T05:00:00+00:00"
    assert bounds(Period.DAY, None) == ("2026-11-28T05:00:00+00:00", end)
    assert bounds(Period.MTD, "2026-11-28") == ("2026-11-01T04:00:00+00:00", end)
    assert bounds(Period.YTD, "2026-11-28") == ("2026-01-01T05:00:00+00:00", end)
    assert bounds(Period.LTD, "2026-11-28") == (None, end)
    for bad in ("2026-11-31", "yesterday", "20261128"):
        with pytest.raises(Invalid) as refusal:
            asked_period(Period.DAY, bad, NOW, NEW_YORK)
        assert refusal.value.field == "day"


@pytest.mark.parametrize(("day", "hours"), [("2026-03-08", 23), ("2026-11-01", 25), ("2026-11-02", 24)])
def test_R27_the_nights_when_clocks_change_make_days_of_23_and_25_hours_and_no_event_is_lost_or_told_twice(
    day: str, hours: int, an_evening: Evening
) -> None:
    begin, end = asked_period(Period.DAY, day, NOW, NEW_YORK)
    assert begin is not None
    assert end - begin == timedelta(hours=hours)
    events = spread(an_evening.events, begin - timedelta(hours=6), timedelta(minutes=20))
    days = printed_of(DAILY_REVENUE, events, zone=NEW_YORK)
    of_day = summed(days, "days", "handle_minor", day=day)
    alone = printed_of(DAILY_REVENUE, events, begin=begin, end=end, zone=NEW_YORK)
    assert summed(alone, "days", "handle_minor") == of_day > 0
    assert {row["day"] for row in alone.table("days").objects()} == {day}
    parts = (printed_of(DAILY_REVENUE, events, zone=NEW_YORK, **one) for one in ({"end": begin}, {"begin": end}))
    around = sum(summed(one, "days", "handle_minor") for one in parts)
    assert around + of_day == summed(days, "days", "handle_minor") != of_day


def test_R27_openings_alone_are_no_activity(an_evening: Evening) -> None:
    late = an_evening.events[-1].recorded_at + timedelta(days=1)
    printed = printed_of(TRIAL_BALANCE, an_evening.events, begin=late, end=late + timedelta(days=1))
    assert printed.empty
    assert printed.table("accounts").rows
    assert not printed_of(TRIAL_BALANCE, an_evening.events, end=late).empty


def test_a_time_after_all_is_left_out_on_the_clock_that_was_asked_for(an_evening: Evening) -> None:
    events = spread(an_evening.events, datetime(2026, 1, 2, tzinfo=UTC), timedelta(hours=1))
    end = events[-1].recorded_at  # what was recorded then took effect half an hour before
    recorded = printed_of(TRIAL_BALANCE, events, end=end)
    effective = printed_of(TRIAL_BALANCE, events, end=end, clock="effective")
    assert summed(recorded, "accounts", "closing_micro", account="held/bob") == 0
    assert summed(effective, "accounts", "closing_micro", account="held/bob") > 0


def test_a_parameter_is_needed_known_and_a_number_where_it_must_be(an_evening: Evening) -> None:
    scope = scope_of("op")
    for kind, asked, field in (
        (STATEMENT, {}, "account"),
        (STATEMENT, {"account": "cash", "player": "ann"}, "player"),
        (TRIAL_BALANCE, {"round": "x"}, "round"),
    ):
        with pytest.raises(Invalid) as refusal:
            asked_of(kind, scope, asked, NOW)
        assert refusal.value.field == field
    large = REPORTS["large-wins"]
    for text in ("-1", "1.5", "1e9", "", "\u0665", "9" * 30):
        with pytest.raises(Invalid) as refusal:
            asked_of(large, scope, {"threshold": text}, NOW)
        assert refusal.value.field == "threshold"


def test_how_old_something_is_is_asked_as_of_now_where_no_end_is_named() -> None:
    assert asked_of(AGEING, scope_of("op"), {}, NOW).end == NOW
    assert asked_of(TRIAL_BALANCE, scope_of("op"), {}, NOW).end is None
    early = NOW - timedelta(days=3)
    assert asked_of(AGEING, scope_of("op", end=early), {}, NOW).end == early


@pytest.mark.parametrize("days", [0, 30, 31, 60, 61, 90, 91, 400])
def test_R23_a_debt_ages_by_30_60_and_90_days_from_when_the_balance_fell_below_zero(
    days: int, an_evening: Evening
) -> None:
    fell = next(one for one in an_evening.events if getattr(one.event, "available_after_minor", 0) < -500_000)
    printed = printed_of(AGEING, an_evening.events, end=fell.recorded_at + timedelta(days=days, hours=2))
    column = next((f"to_{most}_minor" for most in (30, 60, 90) if days <= most), "older_minor")
    (row,) = [one for one in printed.table("players").objects() if one["player"] == "vic"]
    balance = an_evening.books.balance("av/vic") // 10**6
    assert row[column] == row["owed_minor"] == -balance
    assert summed(printed, "totals", column) == -balance
    assert sum(int(one["players"] or 0) for one in printed.table("totals").objects()) == 1


def test_a_cell_is_named_by_all_keys_of_its_row(an_evening: Evening) -> None:
    with pytest.raises(Invalid) as refusal:
        explain(
            TRIAL_BALANCE, scope_of("op"), told_of(an_evening.events), CellName("accounts", ("EUR",), "debit_micro")
        )
    assert refusal.value.field == "row"


def test_a_hash_in_the_name_of_a_cell_may_be_cut_short_as_people_are_shown_it(an_evening: Evening) -> None:
    kind, told, scope = REPORTS["game-performance"], told_of(an_evening.events), scope_of("op")
    (row,) = [one for one in run(kind, scope, told).table("games").rows if one.key[1] == "live-5plus1-v1"]
    whole = explain(kind, scope, told, CellName("games", row.key, "handle_minor"))
    short = explain(kind, scope, told, CellName("games", (*row.key[:2], row.key[2][:12]), "handle_minor"))
    assert whole == short != ()
    assert explain(kind, scope, told, CellName("games", (*row.key[:2], ""), "handle_minor")) == ()
