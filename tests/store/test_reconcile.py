"""A break of each kind planted in a database, and each named exactly (R16 to R18)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from psycopg import Connection

from adapters.embedded import Cluster
from domain.jackpots.events import Awarded, Contributed, PoolReset, RoundMirrored
from domain.jackpots.identity import Term
from domain.money import MICRO
from tests.adapters.projecting import catch_up
from tests.postgres import Database, new_database
from tests.store.reconciling import (
    FIRST,
    SECOND,
    alter_row,
    breaks_of,
    events,
    named,
    planted,
    question,
    ran,
    rewrite,
    shift_balances,
    two_days,
)


@pytest.fixture(scope="module")
def story(cluster: Cluster, template: str) -> Iterator[Database]:
    """One database for all: what a test plants is taken back."""
    with new_database(cluster, template) as made:
        asyncio.run(two_days(made))
        catch_up(made)
        yield made


@pytest.fixture
def conn(story: Database) -> Iterator[Connection]:
    with planted(story) as made:
        yield made


def test_R16_opening_and_terms_make_the_closing_three_ways_and_a_day_opens_as_the_one_before_closed(
    conn: Connection,
) -> None:
    run = ran(conn)
    assert run.breaks == ()
    days = {(one.pool, one.day): one for one in run.asked_days}
    assert set(days) == {(pool, day) for pool in ("j", "k") for day in (FIRST, SECOND)}
    for day in days.values():
        assert day.holds
        assert day.model is not None
        assert day.opening_micro + sum(day.terms.values()) == day.closing_micro
        assert sum(day.model.values()) == day.closing_micro
    for pool in ("j", "k"):
        assert days[pool, SECOND].opening_micro == days[pool, FIRST].closing_micro
    first, second = days["j", FIRST], days["j", SECOND]
    assert first.terms[Term.SEED] == 100_000 * MICRO
    # four wagers of 50 at 40 % to the meter and 10 % to the reserve
    assert first.terms[Term.CONTRIBUTIONS] == 4 * 25 * MICRO
    assert first.terms[Term.AWARDS] < 0 < first.terms[Term.RESETS]
    # three more, and two of the day before taken back by a void
    assert second.terms[Term.CONTRIBUTIONS] == (3 - 2) * 25 * MICRO
    assert (second.terms[Term.CORRECTIONS], second.terms[Term.TRANSFERS]) == (1_500_000, 2_000_000)
    assert days["k", SECOND].terms[Term.TRANSFERS] == -2_000_000


def test_R16_each_contribution_was_paid_or_is_displayed_or_is_in_reserve_and_CON_is_what_the_wagers_gave(
    conn: Connection,
) -> None:
    for day in ran(conn).asked_days:
        split = day.split
        assert split.total_micro == split.paid_micro + split.displayed_micro + split.held_micro
        assert min(split) >= 0
        assert day.plays_micro == day.ledger["CON"] == -split.total_micro


def test_a_stored_row_of_the_read_model_that_was_altered_is_named(conn: Connection) -> None:
    whole = ran(conn).asked_days[-2]
    last = events(conn, object)[-1].position
    alter_row(conn, lambda row: row | {"meter_micro": row["meter_micro"] + 7})
    run = ran(conn)
    meter = whole.ledger["m"]
    assert named(run.breaks) == [("MODEL", "j m", last, str(meter), str(meter + 7))]
    assert [one.pool for one in run.asked_days if not one.holds] == ["j", "j"]


def test_a_stored_row_that_is_gone_is_named(conn: Connection) -> None:
    conn.execute("DELETE FROM view_rows WHERE model = 'jackpots' AND grp = 'pool' AND key = 'k'")
    ((kind, about, *_),) = named(ran(conn).breaks)
    assert (kind, about) == ("MODEL", "k row")


def test_a_share_that_is_not_its_stake_at_the_rates_in_force_is_named(conn: Connection) -> None:
    one = events(conn, Contributed)[0]
    share = one.event.shares[0]
    wrong = replace(share, increment_micro=share.increment_micro + 1)
    rewrite(conn, one, replace(one.event, shares=(wrong, *one.event.shares[1:])))
    due = 50 * 500_000
    assert named(breaks_of(conn)) == [("EVENT_RATE", "j CON", one.position, str(due), str(due + 1))]


def test_a_contribution_that_was_posted_on_another_stake_than_the_wagers_is_named(conn: Connection) -> None:
    one = events(conn, Contributed)[-1]
    (share,) = one.event.shares
    more = replace(share, stake_minor=60, increment_micro=60 * 400_000, reserve_micro=share.reserve_micro + MICRO)
    move = one.event.move
    moved = replace(
        move,
        meter_micro=move.meter_micro + 4 * MICRO,
        meter_after_micro=move.meter_after_micro + 4 * MICRO,
        reserve_micro=move.reserve_micro + MICRO,
        reserve_after_micro=move.reserve_after_micro + MICRO,
    )
    given = {"increment_micro": 24 * MICRO, "reserve_micro": 6 * MICRO}
    rewrite(conn, one, replace(one.event, shares=(more,), move=moved, **given))
    shift_balances(conn, one, 4 * MICRO)
    alter_row(conn, lambda row: row | {"reserve_micro": row["reserve_micro"] + MICRO})
    assert named(breaks_of(conn)) == [
        ("CONTRIBUTION", "j CON", one.position, str(25 * MICRO), str(30 * MICRO)),
    ]


def test_an_award_that_says_another_sum_than_it_moved_is_named(conn: Connection) -> None:
    one = next(one for one in events(conn, Awarded) if one.event.pool_micro)
    rewrite(conn, one, replace(one.event, pool_micro=one.event.pool_micro - MICRO))
    paid = one.event.pool_micro
    assert named(breaks_of(conn)) == [("EVENT_TERMS", "j m+res+ovf", one.position, str(MICRO - paid), str(-paid))]


def test_a_balance_that_an_event_says_wrongly_is_named_once(conn: Connection) -> None:
    one = events(conn, PoolReset)[0]
    move = one.event.move
    wrong = replace(move, meter_after_micro=move.meter_after_micro + 1)
    rewrite(conn, one, replace(one.event, move=wrong))
    after = move.meter_after_micro
    assert named(breaks_of(conn)) == [("EVENT_BALANCE", "j m", one.position, str(after), str(after + 1))]


def test_what_a_void_gave_back_to_the_house_otherwise_than_its_awards_say_is_named(conn: Connection) -> None:
    one = events(conn, RoundMirrored)[0]
    line = one.event.funds[0]
    wrong = replace(line, amount_micro=line.amount_micro - MICRO)
    rewrite(conn, one, replace(one.event, funds=(wrong, *one.event.funds[1:])))
    ((kind, about, position, expected, found),) = named(breaks_of(conn))
    assert (kind, about, position) == ("EVENT_POSTING", "j FUND", one.position)
    assert int(found) - int(expected) == MICRO


def test_an_event_that_is_gone_from_a_pools_stream_is_named_at_the_next_one(conn: Connection) -> None:
    gone, following = [one for one in events(conn, object) if one.position > events(conn, Awarded)[0].position][:2]
    assert isinstance(gone.event, Contributed)
    conn.execute("DELETE FROM stored_events WHERE notification_id = %s", [gone.position])
    found = {one.kind.value: one for one in breaks_of(conn)}
    missing = found["EVENT_MISSING"]
    assert (missing.about, missing.position) == ("j version", following.position)
    assert (missing.expected, missing.found) == (str(gone.version), str(following.version))
    # what the wagers gave is missed too, at the close that says so; the read model alone still has it
    assert (found["CONTRIBUTION"].event, found["CONTRIBUTION"].found) == ("round.betting_closed.v1", "0")
    assert set(found) == {"EVENT_MISSING", "CONTRIBUTION", "MODEL"}


def test_an_event_that_cannot_be_read_is_named_and_the_rest_is_still_reckoned(conn: Connection) -> None:
    one = events(conn, Contributed, "j")[0]
    conn.execute("UPDATE stored_events SET state = '{}' WHERE notification_id = %s", [one.position])
    run = ran(conn)
    kinds = {one.kind.value for one in run.breaks}
    assert ("EVENT_UNREADABLE", "j", one.position) in {(a, b, p) for a, b, p, *_ in named(run.breaks)}
    assert "EVENT_BALANCE" not in kinds
    assert len(run.asked_days) == 4


def test_a_break_has_the_same_id_in_every_run_and_knows_its_age(conn: Connection) -> None:
    alter_row(conn, lambda row: row | {"reserve_micro": row["reserve_micro"] + 7})
    first, again = ran(conn).breaks, ran(conn, question(SECOND)).breaks
    assert [one.id for one in first] == [one.id for one in again]
    assert first[0].id.startswith("b-")
