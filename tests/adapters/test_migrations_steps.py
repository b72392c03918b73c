"""The numbered steps: once, whole, from several processes, after a kill, and never over a schema they do not know."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg import Connection

from adapters.database.connections import connect, library_datastore
from adapters.database.errors import SchemaRefused
from adapters.database.locks import MIGRATION_LOCK, REBUILD_LOCK
from adapters.database.migrations import migrate, missing_steps, schema_state
from adapters.database.steps import STEPS, Step
from tests.postgres import Database

KILLED_IN_A_STEP = """
import os, signal
from dataclasses import replace
from adapters.database.migrations import migrate
from adapters.database.steps import STEPS

def deadly(step):
    def run(conn):
        step.run(conn)
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(step, run=run)

migrate(os.environ["OWNER"], [deadly(s) if s.number == int(os.environ["STEP"]) else s for s in STEPS])
"""


def schema_of(database: Database) -> str:
    """The whole schema as text, without what differs from dump to dump."""
    dump = subprocess.run(
        [str(database.cluster.programs / "pg_dump"), "--schema-only", "-d", database.superuser],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return "\n".join(line for line in dump.splitlines() if not line.startswith(("\\restrict", "\\unrestrict")))


def applied(conn: Connection) -> list[int]:
    return [n for (n,) in conn.execute("SELECT step FROM studbook.studbook_schema ORDER BY step").fetchall()]


def test_all_steps_go_in_once_and_again_is_nothing(empty_database: Database) -> None:
    owner = empty_database.conninfo("owner")
    assert migrate(owner) == [step.name for step in STEPS]
    before = schema_of(empty_database)
    assert migrate(owner) == []
    assert schema_of(empty_database) == before
    with empty_database.connect("writer") as conn:
        schema_state(conn)
        assert applied(conn) == [step.number for step in STEPS]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"step {step.number}")
def test_F14_a_kill_in_the_middle_of_a_step_leaves_a_schema_that_the_next_run_completes(
    empty_database: Database, database: Database, step: Step
) -> None:
    owner = empty_database.conninfo("owner")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_IN_A_STEP],
        env={**os.environ, "OWNER": owner, "STEP": str(step.number), "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    with connect(owner) as conn:
        assert [left.number for left in missing_steps(conn)] == [
            one.number for one in STEPS if one.number >= step.number
        ]
        with pytest.raises(SchemaRefused, match="run `studbook migrate`") as refusal:
            schema_state(conn)
        assert "\n" not in str(refusal.value)
    assert migrate(owner) == [later.name for later in STEPS if later.number >= step.number]
    assert schema_of(empty_database) == schema_of(database)


def test_F14_two_instances_at_once_apply_each_step_once(empty_database: Database, database: Database) -> None:
    owner = empty_database.conninfo("owner")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: migrate(owner), range(4)))
    assert sorted(name for names in done for name in names) == sorted(step.name for step in STEPS)
    assert schema_of(empty_database) == schema_of(database)


def test_a_second_instance_waits_for_the_first(empty_database: Database) -> None:
    owner = empty_database.conninfo("owner")
    with connect(owner) as first, ThreadPoolExecutor(1) as pool:
        first.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        second = pool.submit(migrate, owner)
        with pytest.raises(TimeoutError):
            second.result(timeout=0.3)
        first.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        assert second.result(timeout=300) == [step.name for step in STEPS]


def test_a_step_waits_for_a_rebuild_that_an_older_program_has_under_way(
    empty_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = empty_database.conninfo("owner")
    migrate(owner, STEPS[:-1])
    with connect(owner) as rebuilding:
        rebuilding.execute("SELECT pg_advisory_lock(%s::int, %s::int)", REBUILD_LOCK)
        assert migrate(owner, STEPS[:-1]) == [], "where nothing is to be done nothing is waited for"
        monkeypatch.setattr("adapters.database.migrations._WAIT", "100ms")
        with pytest.raises(SchemaRefused, match="rebuilt read models"):
            migrate(owner)
        assert applied(rebuilding) == [step.number for step in STEPS[:-1]]
    assert migrate(owner) == [STEPS[-1].name]


def test_a_step_that_fails_leaves_nothing_of_itself(empty_database: Database) -> None:
    def broken(conn: Connection) -> None:
        conn.execute("CREATE TABLE studbook.half ()")
        conn.execute("SELECT 1 / 0")

    steps = [*STEPS[:2], Step(3, "broken", "broken", broken)]
    with pytest.raises(SchemaRefused, match="division by zero"):
        migrate(empty_database.conninfo("owner"), steps)
    with empty_database.connect("owner") as conn:
        assert applied(conn) == [1, 2]
        assert conn.execute("SELECT to_regclass('studbook.half')").fetchone() == (None,)


def test_a_schema_newer_than_the_program_is_refused(database: Database) -> None:
    with database.connect("writer") as conn, pytest.raises(SchemaRefused, match=r"newer than this program \(step 5"):
        schema_state(conn, STEPS[:4])
    with pytest.raises(SchemaRefused, match="newer than this program"):
        migrate(database.conninfo("owner"), STEPS[:4])


def test_a_step_whose_text_has_changed_is_refused(database: Database) -> None:
    changed = [replace(step, text=f"{step.text}-- later\n") if step.number == 3 else step for step in STEPS]
    with database.connect("request") as conn, pytest.raises(SchemaRefused, match=r"step 3 \(idempotency records\)"):
        schema_state(conn, changed)
    with pytest.raises(SchemaRefused, match="step 3"):
        migrate(database.conninfo("owner"), changed)


def test_a_gap_in_the_applied_steps_is_refused(database: Database) -> None:
    with database.connect("owner") as conn:
        conn.execute("DELETE FROM studbook.studbook_schema WHERE step = 2")
        with pytest.raises(SchemaRefused, match=r"step 2 .* is missing below later ones"):
            schema_state(conn)


def test_a_database_without_schema_says_what_to_run(empty_database: Database) -> None:
    with connect(empty_database.conninfo("owner")) as conn, pytest.raises(SchemaRefused, match="studbook migrate"):
        schema_state(conn)


def test_only_the_owner_migrates(empty_database: Database) -> None:
    with pytest.raises(SchemaRefused, match="permission denied"):
        migrate(empty_database.conninfo("writer"))


def test_step_10_takes_away_what_was_stored_of_the_journal_and_nothing_else(empty_database: Database) -> None:
    owner = empty_database.conninfo("owner")
    migrate(owner, STEPS[:9])
    with psycopg.connect(empty_database.superuser) as conn:
        for model in ("balances", "journal"):
            conn.execute("INSERT INTO studbook.view_rows VALUES (%s, 1, 'demo', 'g', 'k', '{}')", [model])
            conn.execute("INSERT INTO studbook.view_progress VALUES (%s, 1, 7, true)", [model])
    assert migrate(owner) == [step.name for step in STEPS[9:]]
    with psycopg.connect(empty_database.superuser) as conn:
        assert conn.execute("SELECT model FROM studbook.view_rows").fetchall() == [("balances",)]
        assert conn.execute("SELECT model FROM studbook.view_progress").fetchall() == [("balances",)]


def test_the_insert_function_and_the_sequence_of_the_library_are_gone(database: Database) -> None:
    with psycopg.connect(database.superuser) as conn:
        functions = conn.execute("SELECT proname FROM pg_proc WHERE proname LIKE 'es\\_insert%'").fetchall()
        sequences = conn.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'S' AND relname LIKE 'stored%'"
        ).fetchall()
        collation = conn.execute(
            "SELECT collname FROM pg_attribute a JOIN pg_collation c ON c.oid = a.attcollation "
            "WHERE attrelid = 'studbook.stored_events'::regclass AND attname = 'originator_id'"
        ).fetchone()
    assert (functions, sequences, collation) == ([], [], ("C",))


def test_the_library_reads_the_log_through_our_datastore(database: Database) -> None:

    with database.connect("writer") as conn:
        conn.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state, notification_id, "
            "operator_seq, hash) VALUES ('lucky/wallet/p', 1, 't.v1', 'x', 1, 1, %s)",
            [bytes(32)],
        )
    with library_datastore(database.conninfo("projector")) as datastore:
        recorder = PostgresApplicationRecorder(datastore, events_table_name="stored_events")
        found = recorder.select_notifications(start=1, limit=10)
        assert recorder.max_notification_id() == 1
    assert [(n.id, n.originator_id, n.topic, n.state) for n in found] == [(1, "lucky/wallet/p", "t.v1", b"x")]
