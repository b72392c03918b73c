"""A rebuild whose rows stay in memory and are folded by two processes."""

from __future__ import annotations

import os
import signal
from threading import Event

import pytest

from adapters.database.locks import REBUILD_LOCK, REBUILD_PART_LOCK
from adapters.projector import Projector, RebuildRefused, building, compare_models, dump_hash, rebuild, split
from adapters.projector.building import Part
from adapters.projector.storage import Generation
from domain.views import MODELS
from tests.adapters.projecting import catch_up
from tests.adapters.view_log import append
from tests.domain.views.plots import random_story
from tests.postgres import Database

_GENERATIONS = "SELECT DISTINCT generation FROM view_rows"
_COUNT = "SELECT count(*) FROM view_rows WHERE generation = 2"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every log is long enough for two processes, which two processors have; each has two of the four players. What
    threads other tests have left does not count.
    """
    monkeypatch.setattr("threading.active_count", lambda: 1)
    monkeypatch.setattr(split, "EVENTS_MIN", 1)
    monkeypatch.setattr(split, "FIRST_PERCENT", 45)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})


def filled(database: Database, seed: int) -> dict[str, str]:
    """Models that are live; their hashes."""
    with database.connect("writer") as conn:
        append(conn, random_story(seed, rounds=30).told)
    catch_up(database)
    with database.connect("projector") as conn:
        return {name: dump_hash(conn, name) for name in MODELS}


@pytest.mark.parametrize("rows_max", [1, 40, 40_000])
def test_I6_models_rebuilt_by_two_processes_are_the_live_ones_byte_for_byte(
    database: Database, monkeypatch: pytest.MonkeyPatch, rows_max: int
) -> None:
    monkeypatch.setattr(building, "ROWS_MAX", rows_max)
    before = filled(database, 21)
    told: list[int] = []
    with database.connect("projector") as conn:
        forks: list[int] = []
        fork = os.fork
        monkeypatch.setattr("os.fork", lambda: forks.append(1) or fork())
        rebuilt = rebuild(conn, batch=17, progress=told.append)
        assert len(forks) == 1
        assert [one.model for one in rebuilt] == list(MODELS)
        assert len({one.position for one in rebuilt}) == 1
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert conn.execute(_GENERATIONS).fetchall() == [(2,)]
    assert told == sorted(told)
    catch_up(database)
    with database.connect("projector") as conn:
        assert compare_models(conn) == []


def test_I6_what_arrives_while_two_processes_fold_is_folded_when_they_have_ended(database: Database) -> None:
    story = random_story(27, rounds=30).told
    with database.connect("writer") as writer, database.connect("projector") as conn:
        append(writer, story[:200])
        left = [story[200:]]

        def go_on(_: int) -> None:
            if left:
                append(writer, left.pop())

        rebuilt = rebuild(conn, batch=17, progress=go_on)
        assert min(one.position for one in rebuilt) > len(story) - 17
    catch_up(database)
    with database.connect("projector") as conn:
        assert compare_models(conn) == []


def test_a_seat_that_names_another_player_than_its_stream_is_refused_and_all_is_as_it_was(database: Database) -> None:
    before = filled(database, 28)
    with database.tamper() as admin:
        admin.execute("""
            UPDATE stored_events SET originator_id = originator_id || 'x' WHERE notification_id =
                (SELECT max(notification_id) FROM stored_events WHERE topic = 'seat.settled.v1')""")
    with database.connect("projector") as conn:
        with pytest.raises(RebuildRefused, match="its stream is another player's"):
            rebuild(conn)
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert conn.execute(_GENERATIONS).fetchall() == [(1,)]


@pytest.mark.parametrize("names", [["histories"], ["balances", "tables"]])
def test_some_models_are_rebuilt_by_two_processes(database: Database, names: list[str]) -> None:
    before = filled(database, 29)
    with database.connect("projector") as conn:
        rebuild(conn, names, batch=50)
        assert {name: dump_hash(conn, name) for name in MODELS} == before


@pytest.mark.parametrize(("topic", "model"), [("wallet.deposited.v1", "histories"), ("table.opened.v1", "tables")])
def test_a_poison_event_in_either_process_leaves_all_as_it_is(database: Database, topic: str, model: str) -> None:
    before = filled(database, 22)
    with database.tamper() as admin:
        admin.execute("UPDATE stored_events SET state = '{' WHERE topic = %s", [topic])
    with database.connect("projector") as conn:
        with pytest.raises(RebuildRefused, match=rf"{model} cannot be rebuilt past position \d+"):
            rebuild(conn, ["histories", "tables"])
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert conn.execute(_GENERATIONS).fetchall() == [(1,)]


def test_F12_what_a_killed_rebuild_left_is_removed_once_its_other_process_has_ended(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled(database, 23)
    monkeypatch.setattr(building, "ROWS_MAX", 1)
    pid = os.fork()
    if not pid:
        with database.connect("projector") as conn:  # killed in the midst of the work
            rebuild(conn, batch=40, progress=lambda at: os.kill(os.getpid(), signal.SIGKILL) if at > 100 else None)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    with database.connect("projector") as conn:
        assert conn.execute(_COUNT).fetchone() != (0,)
        rebuild(conn)
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert len(conn.execute(_GENERATIONS).fetchall()) == 1
        assert conn.execute("SELECT count(*) FROM view_progress").fetchone() == (len(MODELS),)


def test_a_process_whose_rebuild_is_gone_ends_and_writes_nothing(database: Database) -> None:
    filled(database, 24)
    part = Part([Generation(MODELS["balances"], 2, 0)])
    with database.connect("projector") as conn:
        reading, writing = os.pipe()
        split._work(database.conninfo("projector"), conn.info.backend_pid, part, 10, writing)
        assert b"lost its connection" in os.read(reading, 1_000)
        conn.execute("SELECT pg_advisory_lock(%s::int, %s::int)", REBUILD_LOCK)
        os.close(reading)
        split._work(database.conninfo("projector"), conn.info.backend_pid, part, 10, writing)
        os.close(writing)
        assert conn.execute(_COUNT).fetchone() == (0,)
        assert conn.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", REBUILD_PART_LOCK).fetchone() == (True,)


def test_a_process_that_ends_without_a_word_ends_the_rebuild(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled(database, 25)
    monkeypatch.setattr(split, "_work", lambda *_: None)
    with database.connect("projector") as conn:
        with pytest.raises(RebuildRefused, match="was ended"):
            rebuild(conn)
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert conn.execute(_GENERATIONS).fetchall() == [(1,)]


def test_one_process_folds_where_threads_run(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    before = filled(database, 26)
    monkeypatch.setattr("threading.active_count", lambda: 2)
    monkeypatch.setattr("os.fork", lambda: pytest.fail("a fork would leave the other threads out"))
    with database.connect("projector") as conn:
        rebuild(conn, batch=17)
        assert {name: dump_hash(conn, name) for name in MODELS} == before
    catch_up(database, Projector(database.conninfo("projector"), Event()))
