"""A player's own limit: at once when stricter, later when looser, once a week (S3-21, C27, R30)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import players
from domain.errors import LimitReached
from domain.players import Player
from services.calendar import week_starts

NEW_YORK = ZoneInfo("America/New_York")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FRIDAY = datetime(2026, 1, 2, tzinfo=NEW_YORK)


def known(zone: ZoneInfo = NEW_YORK, *changes: tuple[datetime, int | None]) -> Player:
    """A player who has asked for these limits at these times."""
    state = players.evolve(None, players.PlayerRegistered("ann", "USD"))
    for at, limit in changes:
        state = changed(state, at, limit, zone)
    return state


def changed(state: Player, at: datetime, limit: int | None, zone: ZoneInfo = NEW_YORK) -> Player:
    now = at.astimezone(UTC)
    for event in players.decide(players.ChangeLimit(limit, now, *week_starts(now, zone)), state):
        state = players.evolve(state, event)
    return state


def limits(state: Player, *times: datetime) -> list[int | None]:
    return [state.ante_max_minor(one.astimezone(UTC)) for one in times]


def test_S3_21_a_first_or_a_stricter_limit_holds_at_once() -> None:
    state = known(NEW_YORK, (FRIDAY, 500))
    assert limits(state, FRIDAY) == [500]
    state = changed(state, FRIDAY + 7 * DAY, 200)
    assert limits(state, FRIDAY + 7 * DAY) == [200]
    assert state.next_limit(FRIDAY + 7 * DAY) is None


@pytest.mark.parametrize("looser", [800, None])
def test_C27_a_looser_limit_or_none_holds_from_the_next_friday_midnight_of_the_operator(looser: int | None) -> None:
    state = known(NEW_YORK, (FRIDAY - 2 * DAY, 500), (FRIDAY + DAY, looser))
    boundary = FRIDAY + 7 * DAY
    assert limits(state, FRIDAY + DAY, boundary - timedelta(microseconds=1), boundary) == [500, 500, looser]
    waits = state.next_limit((FRIDAY + DAY).astimezone(UTC))
    assert waits is not None
    assert waits.effective_at == boundary
    assert state.next_limit(boundary.astimezone(UTC)) is None


def test_C27_a_looser_limit_never_holds_before_24_hours() -> None:
    late = FRIDAY + 6 * DAY + 23 * HOUR
    state = known(NEW_YORK, (FRIDAY - DAY, 500), (late, 800))
    assert limits(state, FRIDAY + 7 * DAY, late + DAY - timedelta(microseconds=1), late + DAY) == [500, 500, 800]


@pytest.mark.parametrize("limit", [100, 500, 800, None])
def test_S3_21_one_change_a_week_whatever_its_direction(limit: int | None) -> None:
    state = known(NEW_YORK, (FRIDAY, 500))
    for at in (FRIDAY, FRIDAY + 3 * DAY, FRIDAY + 7 * DAY - timedelta(microseconds=1)):
        with pytest.raises(LimitReached):
            changed(state, at, limit)
    changed(state, FRIDAY + 7 * DAY, limit)


def test_S3_21_a_change_that_changes_nothing_does_not_use_the_week_up() -> None:
    state = known(NEW_YORK, (FRIDAY - DAY, 500), (FRIDAY, 500))
    assert limits(changed(state, FRIDAY + DAY, 300), FRIDAY + DAY) == [300]


def test_C27_a_change_that_waits_is_loosened_by_no_later_one_before_its_time() -> None:
    thursday, friday = FRIDAY - HOUR, FRIDAY + HOUR
    state = known(NEW_YORK, (FRIDAY - 8 * DAY, 500), (thursday, 800), (friday, 2_000))
    assert limits(state, friday, thursday + DAY - HOUR) == [500, 500]
    assert limits(state, thursday + DAY, FRIDAY + 7 * DAY - HOUR) == [800, 800]
    assert limits(state, FRIDAY + 7 * DAY) == [2_000]


def test_C27_who_thinks_better_of_a_looser_limit_keeps_the_old_one() -> None:
    thursday, friday = FRIDAY - HOUR, FRIDAY + HOUR
    state = known(NEW_YORK, (FRIDAY - 8 * DAY, 500), (thursday, 800), (friday, 500))
    assert limits(state, friday, thursday + DAY, FRIDAY + 30 * DAY) == [500, 500, 500]
    between = known(NEW_YORK, (FRIDAY - 8 * DAY, 500), (thursday, 800), (friday, 600))
    assert limits(between, friday, thursday + DAY, FRIDAY + 30 * DAY) == [500, 600, 600]


@pytest.mark.parametrize(
    ("sunday", "hours"),
    [(datetime(2026, 3, 8, 12, tzinfo=NEW_YORK), 167), (datetime(2026, 11, 1, 12, tzinfo=NEW_YORK), 169)],
    ids=["spring", "autumn"],
)
def test_C27_weeks_of_a_clock_change_start_at_local_midnight_too(sunday: datetime, hours: int) -> None:
    week, next_week = week_starts(sunday.astimezone(UTC), NEW_YORK)
    assert next_week - week == timedelta(hours=hours)
    for start in (week, next_week):
        local = start.astimezone(NEW_YORK)
        assert (local.weekday(), local.hour, local.minute) == (4, 0, 0)
    state = known(NEW_YORK, (sunday - 7 * DAY, 500), (sunday, 900))
    assert limits(state, next_week - timedelta(microseconds=1), next_week) == [500, 900]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "Africa/Cairo"])
def test_C27_the_week_is_that_of_the_operators_zone(zone: str) -> None:
    """Cairo puts its clock forward at a Friday's midnight: the week then starts at the first moment of that Friday."""
    there = ZoneInfo(zone)
    now = datetime(2026, 4, 24, 12, tzinfo=there)
    week, next_week = (one.astimezone(there) for one in week_starts(now.astimezone(UTC), there))
    assert week <= now < next_week
    assert (week.weekday(), next_week.weekday()) == (4, 4)
    assert [one.hour for one in (week, next_week)] == [1 if zone == "Africa/Cairo" else 0, 0]


@given(
    st.lists(st.tuples(st.integers(0, 24 * 21), st.one_of(st.none(), st.integers(1, 5))), max_size=8),
    st.integers(0, 24 * 40),
)
def test_R30_no_history_of_changes_loosens_anything_within_24_hours(
    wishes: list[tuple[int, int | None]], hour: int
) -> None:
    state = known()
    for at, limit in sorted(wishes, key=lambda one: one[0]):
        now, before = FRIDAY + at * HOUR, state
        try:
            state = changed(state, now, limit)
        except LimitReached:
            continue
        times = [now, now + DAY - timedelta(microseconds=1)]
        for one, was, found in zip(times, limits(before, *times), limits(state, *times), strict=True):
            assert as_number(found) <= as_number(was), f"looser at {one}"
        assert len(state.limits) <= 3
    final = limits(state, FRIDAY + 100 * DAY, FRIDAY + (24 * 100 + hour) * HOUR)
    assert final[0] == final[1]


def as_number(limit: int | None) -> float:
    return float("inf") if limit is None else limit
