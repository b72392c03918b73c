"""Rebuilding while events arrive."""

from __future__ import annotations

from threading import Event, Thread, Timer

import pytest

from adapters.projector import Projector, RebuildRefused, building, compare_models, dump_hash, rebuild
from adapters.projector.storage import add_first_generations
from domain.views import MODELS
from tests.adapters.projecting import all_at, catch_up, running, until
from tests.adapters.view_log import append
from tests.domain.views.plots import one_of_everything, random_story
from tests.postgres import Database


def test_a_rebuilt_model_equals_the_live_one_byte_for_byte(database: Database) -> None:
    with database.connect("writer") as conn:
        head = append(conn, random_story(11).told)
    catch_up(database)
    with database.connect("projector") as conn:
        before = {name: dump_hash(conn, name) for name in MODELS}
        rebuilt = rebuild(conn, batch=13)
        assert {one.model: (one.generation, one.position) for one in rebuilt} == dict.fromkeys(MODELS, (2, head))
        assert {name: dump_hash(conn, name) for name in MODELS} == before
        assert conn.execute("SELECT DISTINCT generation FROM view_rows").fetchall() == [(2,)]
        assert conn.execute("SELECT count(*) FROM view_progress").fetchone() == (len(MODELS),)


def test_a_rebuild_takes_over_while_events_are_appended(database: Database) -> None:
    story = random_story(12, rounds=30)
    first, rest = story.told[:300], story.told[300:]
    with database.connect("writer") as writer:
        append(writer, first)

        second = Event()

        def go_on() -> None:
            for start in range(0, len(rest), 3):
                if start > len(rest) // 2:
                    second.wait(300)  # events are left for the second rebuild, however fast they go in
                append(writer, rest[start : start + 3])

        with running(Projector(database.conninfo("projector"), Event())), database.connect("projector") as conn:
            until(lambda: all_at(database, len(first)))
            appending = Thread(target=go_on)
            appending.start()
            generations = []
            while appending.is_alive():
                if generations:
                    second.set()
                generations.append(rebuild(conn, batch=50)[0].generation)
                assert compare_models(conn) == []
            appending.join()
            until(lambda: all_at(database, len(story.told)))
            assert compare_models(conn) == []
    assert generations == sorted(set(generations))
    assert len(generations) > 1


def test_a_rebuild_that_was_killed_leaves_nothing_that_the_next_one_does_not_remove(database: Database) -> None:
    with database.connect("writer") as conn:
        append(conn, one_of_everything().told)
    catch_up(database)
    with database.connect("projector") as conn:
        conn.execute("INSERT INTO view_progress VALUES ('balances', 2, 5, false, NULL)")
        conn.execute("INSERT INTO view_rows SELECT model, 2, operator, grp, key, body FROM view_rows")
        rebuild(conn, ["balances"])
        generations = "SELECT DISTINCT generation FROM view_rows WHERE model = 'balances'"
        assert conn.execute(generations).fetchall() == [(2,)]
        assert compare_models(conn) == []


def test_two_rebuilds_at_once_are_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "GONE_SECONDS", 0.3)
    with database.connect("projector") as first, database.connect("projector") as second:
        first.execute("SELECT pg_advisory_lock(%s::int, 0)", [0x5354_0002])
        with pytest.raises(RebuildRefused, match="under way"):
            rebuild(second)


def test_F12_a_rebuild_waits_until_the_session_of_one_that_was_killed_is_gone(database: Database) -> None:
    with database.connect("projector") as first, database.connect("projector") as second:
        first.execute("SELECT pg_advisory_lock(%s::int, 0)", [0x5354_0002])
        gone = Timer(0.5, first.close)
        gone.start()
        assert [one.model for one in rebuild(second, ["balances"])] == ["balances"]
        gone.join()


def test_a_rebuild_that_meets_a_poison_event_leaves_the_live_model_as_it_is(database: Database) -> None:
    story = one_of_everything()
    with database.connect("writer") as conn:
        append(conn, story.told)
    catch_up(database)
    with database.tamper() as admin:
        admin.execute("UPDATE stored_events SET state = '{' WHERE topic = 'wallet.withdrawn.v1'")
    with database.connect("projector") as conn:
        before = dump_hash(conn, "balances")
        with pytest.raises(RebuildRefused, match=r"balances cannot be rebuilt past position \d+"):
            rebuild(conn, ["balances"])
        assert dump_hash(conn, "balances") == before
        assert conn.execute("SELECT count(*) FROM view_progress WHERE NOT live").fetchone() == (0,)


def test_a_model_that_is_not_there_is_named(database: Database) -> None:
    with database.connect("projector") as conn:
        with pytest.raises(KeyError, match="balanzes"):
            rebuild(conn, ["balanzes"])
        add_first_generations(conn, list(MODELS.values()))
        assert dump_hash(conn, "balances") == dump_hash(conn, "histories")
