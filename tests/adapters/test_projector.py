"""The projector on a real PostgreSQL: what it stores is what the log says, whatever is done to it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

import pytest
from psycopg import Connection

from adapters.projector import Projector, compare_models, dump_hash
from adapters.projector.storage import Generation
from domain.views import MODELS
from domain.views.balances import BALANCES, balance_key
from domain.views.model import Fact, Model, RowKey
from domain.wallets.events import Deposited
from tests.adapters.projecting import all_at, catch_up, killed_projector, positions, running, until
from tests.adapters.view_log import append
from tests.domain.views.endings import facts_of
from tests.domain.views.folds import folded
from tests.domain.views.plots import one_of_everything, random_story
from tests.domain.views.story import Story
from tests.postgres import Database


def deposit(database: Database, story: Story, amount: int) -> int:
    """One more deposit of ann; the position of its event."""
    known = len(story.told)
    story.deposit("ann", amount)
    with database.connect("writer") as conn:
        return append(conn, story.told[known:])


def test_I6_the_stored_rows_are_a_fresh_fold_of_the_log(database: Database) -> None:
    story = one_of_everything()
    with database.connect("writer") as conn:
        head = append(conn, story.told)
    catch_up(database)
    assert all_at(database, head)
    with database.connect("projector") as conn:
        assert compare_models(conn) == []
        for name in MODELS:
            rows = conn.execute("SELECT count(*) FROM view_rows WHERE model = %s", [name]).fetchone()
            assert rows == (len(folded(name, facts_of(story.told))),)


def test_I6_the_size_of_the_batches_leaves_no_trace(database: Database) -> None:
    story = random_story(7)
    with database.connect("writer") as conn:
        append(conn, story.told)
    catch_up(database, Projector(database.conninfo("projector"), Event(), batch=7))
    with database.connect("projector") as conn:
        small = {name: dump_hash(conn, name) for name in MODELS}
        conn.execute("DELETE FROM view_rows")
        conn.execute("DELETE FROM view_progress")
    catch_up(database)
    with database.connect("projector") as conn:
        assert {name: dump_hash(conn, name) for name in MODELS} == small


def test_a_changed_missing_or_surplus_row_is_found(database: Database) -> None:
    with database.connect("writer") as conn:
        append(conn, one_of_everything().told)
    catch_up(database)
    with database.connect("projector") as conn:
        conn.execute("UPDATE view_rows SET body = body || ' ' WHERE model = 'balances' AND key = 'ann'")
        conn.execute("DELETE FROM view_rows WHERE model = 'balances' AND key = 'bob'")
        conn.execute(
            "INSERT INTO view_rows SELECT model, generation, 'other', grp, key, body FROM view_rows"
            " WHERE model = 'jackpots'"
        )
        found = compare_models(conn)
    assert [(one.model, one.operator, one.key) for one in found] == [
        ("balances", "demo", "ann"),
        ("balances", "demo", "bob"),
        ("jackpots", "other", "J1"),
    ]
    assert found[1].stored is None
    assert found[2].fresh is None


def reached(conn: Connection) -> int:
    row = conn.execute("SELECT coalesce(min(position), 0) FROM view_progress").fetchone()
    assert row is not None
    return int(row[0])


def past(conn: Connection, position: int) -> bool:
    return reached(conn) > position


@pytest.mark.parametrize("batch", [1, 12])
def test_F12_killed_at_any_moment_the_projector_goes_on_where_it_stood(database: Database, batch: int) -> None:
    dice = random.Random(batch)
    story = random_story(batch, rounds=120)
    with database.connect("writer") as conn:
        head = append(conn, story.told)
    stood = 0
    with database.connect("projector") as conn:
        for _ in range(15):
            with killed_projector(database, batch):
                until(partial(past, conn, stood))
                time.sleep(dice.random() * 0.02)
            stood = reached(conn)
            assert compare_models(conn) == []
    assert 0 < stood < head
    catch_up(database)
    assert all_at(database, head)
    with database.connect("projector") as conn:
        assert compare_models(conn) == []


def test_bug_003_a_cut_connection_is_made_again_and_nothing_is_missed(database: Database) -> None:
    story = one_of_everything()
    with database.connect("writer") as conn:
        append(conn, story.told)
    with running(Projector(database.conninfo("projector"), Event())), database.tamper() as admin:
        for number in range(3):
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            head = deposit(database, story, 500 + number)
            until(partial(all_at, database, head))
    with database.connect("projector") as conn:
        assert compare_models(conn) == []


def test_bug_011_an_idle_projector_sees_the_next_event_after_an_empty_transaction(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        head = append(conn, story.told)
        with running(Projector(database.conninfo("projector"), Event())):
            until(lambda: all_at(database, head))
            conn.execute("SELECT pg_notify('studbook_events', '0')")
            last = deposit(database, story, 1)
            until(lambda: all_at(database, last))


def test_bug_005_positions_that_were_never_used_hold_nothing_up(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        append(conn, story.told)
        with database.tamper() as admin:  # the writer itself leaves no gap
            admin.execute("UPDATE stored_events SET notification_id = notification_id + 1000 WHERE notification_id > 2")
        catch_up(database)
        head = deposit(database, story, 500)
    catch_up(database)
    assert all_at(database, head)


def test_two_projectors_do_not_work_at_once_and_the_second_takes_over(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        head = append(conn, story.told)
    first, second = (Projector(database.conninfo("projector"), Event()) for _ in range(2))
    with running(first):
        until(lambda: all_at(database, head))
        with running(second):
            with database.connect("projector") as conn:
                holders = """
                    SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
                    WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND d.datname = current_database()"""
                assert conn.execute(holders).fetchone() == (1,)
            first.stop.set()
            last = deposit(database, story, 7)
            until(lambda: all_at(database, last))


def counted(model: Model[Any], seen: Counter[int]) -> Model[Any]:
    """The same model, noting the positions that it folds."""

    def fold(rows: Mapping[RowKey, Any], fact: Fact) -> Mapping[RowKey, Any]:
        seen[fact.position] += 1
        return model.fold(rows, fact)

    return replace(model, fold=fold)


def test_I7_every_position_is_folded_once(database: Database) -> None:
    story = random_story(3)
    with database.connect("writer") as conn:
        append(conn, story.told)
    seen: Counter[int] = Counter()
    models = {"balances": counted(BALANCES, seen)}
    catch_up(database, Projector(database.conninfo("projector"), Event(), models, batch=11))
    reads = [n for n, one in enumerate(story.told, 1) if type(one.event) in BALANCES.reads]
    assert seen == Counter(reads)


def stopped(conn: Connection) -> dict[str, tuple[int, str | None]]:
    rows = conn.execute("SELECT model, position, stopped_reason FROM view_progress WHERE live").fetchall()
    return {model: (position, reason) for model, position, reason in rows}


@pytest.mark.parametrize("name", MODELS)
def test_F11_a_handler_that_raises_stops_its_model_alone_just_before_the_event(database: Database, name: str) -> None:
    story = one_of_everything()
    model = MODELS[name]
    poison = next(n for n, one in enumerate(story.told, 1) if n > 1 and type(one.event) in model.reads)

    def fold(rows: Mapping[RowKey, Any], fact: Fact) -> Mapping[RowKey, Any]:
        if fact.position == poison:
            raise ArithmeticError("no such number")
        return model.fold(rows, fact)

    with database.connect("writer") as conn:
        head = append(conn, story.told)
    models = {**MODELS, name: replace(model, fold=fold)}
    catch_up(database, Projector(database.conninfo("projector"), Event(), models))
    with database.connect("projector") as conn:
        found = stopped(conn)
        position, reason = found.pop(name)
        assert position == poison - 1
        assert reason is not None
        assert reason.startswith(f"position {poison}: ")
        assert "no such number" in reason
        assert set(found.values()) == {(head, None)}
        assert compare_models(conn) == []
    catch_up(database)  # a program that can take the event goes on by itself
    assert all_at(database, head)


@pytest.mark.parametrize(
    ("name", "state", "readers"),
    [
        ("wallet.deposited.v1", b"{", {one for one in MODELS if Deposited in MODELS[one].reads}),
        ("wallet.became_gold.v1", b"{}", set(MODELS)),
        ("wallet.deposited.v9", b"{}", set(MODELS)),
    ],
)
def test_bug_009_an_unreadable_event_stops_those_who_read_it(
    database: Database, name: str, state: bytes, readers: set[str]
) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        poison = append(conn, story.told)
        with database.tamper() as admin:
            change = "UPDATE stored_events SET topic = %s, state = %s WHERE notification_id = %s"
            admin.execute(change, [name, state, poison])
        head = deposit(database, story, 5)
    catch_up(database)
    with database.connect("projector") as conn:
        for model, (position, reason) in stopped(conn).items():
            if model in readers:
                assert position == poison - 1
                assert (reason or "").startswith(f"position {poison}: ")
            else:
                assert (position, reason) == (head, None)


def test_F11_a_stopped_model_is_tried_again_with_growing_pauses(database: Database) -> None:
    now = [0.0]
    projector = Projector("", Event(), clock=lambda: now[0])
    tries = []
    stands = Generation(BALANCES, 1, 4, "position 5: no")
    while now[0] < 60:
        if projector._is_due(stands):
            tries.append(now[0])
            projector._note([stands], [stands])
        now[0] += 0.5
    assert tries == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0]


def test_a_row_of_another_version_stops_the_model_and_asks_for_a_rebuild(database: Database) -> None:
    story = Story().open_house()
    with database.connect("writer") as conn:
        head = append(conn, story.told)
        catch_up(database)
        with database.connect("projector") as owner:
            owner.execute("UPDATE view_rows SET body = '{}' WHERE model = 'balances' AND key = 'ann'")
        deposit(database, story, 5)
    catch_up(database)
    with database.connect("projector") as conn:
        position, reason = stopped(conn)["balances"]
    assert position == head
    assert "rebuild" in (reason or "")
    assert positions(database)["histories"] == head + 1


def test_balance_key_is_where_the_balance_lies(database: Database) -> None:
    with database.connect("writer") as conn:
        append(conn, Story().open_house(("ann",)).told)
    catch_up(database)
    with database.connect("projector") as conn:
        row = conn.execute("SELECT grp, key FROM view_rows WHERE model = 'balances'").fetchone()
    assert row == tuple(balance_key("ann"))
