"""What the writer's log says when the database, the network or another writer is in the way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import psycopg
import pytest

from adapters.event_store import PostgresLog
from adapters.event_store.statements import SESSION
from domain.ids import wallet_stream
from services.ports import LogUnavailable, OutcomeUnknown, Pending
from tests.adapters.event_store_support import CutAt, deposits, key_record, known, opened, proxied, put, stored
from tests.postgres import Database

KEY = ("demo", "key", "k")
COMMIT, LOCK = (b"\0" + name + bytes(5) for name in (b"COMMIT", b"LOCK"))
"""How the message begins that runs the prepared statement of this name; the one that prepares it has fewer zeros."""


async def append_through(conninfo: str, at: CutAt) -> tuple[Exception | None, bool]:
    """One append through a proxy that cuts; its error, and whether it turns out to have happened."""
    async with proxied(conninfo, COMMIT, at) as (through, proxy), opened(through) as log:
        error: Exception | None = None
        try:
            await put(log, deposits("a", [1, 2]), [key_record("k")])
        except (LogUnavailable, OutcomeUnknown) as raised:
            error = raised
        assert proxy.has_cut
        return error, KEY in await known(log, [KEY])


async def test_the_answer_to_commit_is_cut_off_and_under_the_lock_it_turns_out_to_have_happened(
    database: Database,
) -> None:
    error, happened = await append_through(database.conninfo("writer"), CutAt.ANSWERED)
    assert isinstance(error, OutcomeUnknown)
    assert happened
    assert len(stored(database)) == 2


async def test_commit_never_arrives_and_under_the_lock_it_turns_out_that_nothing_happened(database: Database) -> None:
    error, happened = await append_through(database.conninfo("writer"), CutAt.BEFORE)
    assert isinstance(error, OutcomeUnknown)
    assert not happened
    assert stored(database) == []


async def test_a_commit_still_under_way_is_waited_for_before_its_keys_are_looked_up(database: Database) -> None:
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute("SET search_path = studbook")
        conn.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'"
        )
        conn.execute("GRANT EXECUTE ON FUNCTION slow() TO studbook_writer")
        conn.execute(
            "CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON idempotency DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION slow()"
        )
    error, happened = await append_through(database.conninfo("writer"), CutAt.SENT)
    assert isinstance(error, OutcomeUnknown)
    assert happened


async def test_a_cut_before_anything_was_written_is_unavailable_and_the_next_turn_works(database: Database) -> None:
    cutting = proxied(database.conninfo("writer"), LOCK, CutAt.SENT)
    async with cutting as (through, proxy), opened(through) as log:
        with pytest.raises(LogUnavailable):
            await put(log, deposits("a", [1]))
        assert proxy.has_cut
        assert await put(log, deposits("a", [1])) == 1


async def test_a_session_ended_between_turns_or_within_one_is_replaced(database: Database) -> None:
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1]))
        end_writers(database)
        with pytest.raises(LogUnavailable):
            await put(log, deposits("a", [2]))
        assert await put(log, deposits("a", [2])) == 2
        with pytest.raises(OutcomeUnknown):  # COMMIT goes out with the insert, so the client cannot tell
            await put_late(log, lambda: end_writers(database), deposits("b", [1]))
        with pytest.raises(LogUnavailable):
            await load_late(log, lambda: end_writers(database))
        assert await put(log, deposits("a", [3])) == 3
    assert [row.stream for row in stored(database)] == [wallet_stream("demo", "a")] * 3


async def put_late(log: PostgresLog, before: Callable[[], None], events: Sequence[Pending]) -> None:
    async with log.turn([], 2) as turn:
        before()
        await turn.append(events, [])


async def load_late(log: PostgresLog, before: Callable[[], None]) -> None:
    async with log.turn([], 2) as turn:
        before()
        await turn.load([wallet_stream("demo", "a")], [])


def end_writers(database: Database) -> None:
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND usename = 'studbook_writer'",
            [database.name],
        )


async def test_no_server_is_unavailable(tmp_path: object) -> None:
    log = PostgresLog(f"host={tmp_path} port=5432 dbname=none user=studbook_writer")
    with pytest.raises(LogUnavailable, match="no connection"):
        await log.aopen()
    with pytest.raises(LogUnavailable):
        await put(log, deposits("a", [1]))


async def test_bug_001_bug_012_a_long_open_write_is_waited_for_for_3_seconds_and_never_passed_over(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SESSION, "idle_in_transaction_session_timeout", "120s")  # a busy machine ends no turn here
    events = deposits("a", [1, 2])
    async with opened(database.conninfo("writer")) as first, opened(database.conninfo("writer")) as second:
        async with first.turn([], 0) as turn:
            before = asyncio.get_running_loop().time()
            with pytest.raises(LogUnavailable, match="another writer"):
                await put(second, deposits("b", [1]))
            assert asyncio.get_running_loop().time() - before >= 2.9
            assert stored(database) == []
            await turn.append(events, [])
        assert await put(second, deposits("b", [1])) == 3
    assert [(row.position, row.stream) for row in stored(database)] == [
        (1, events[0].stream),
        (2, events[0].stream),
        (3, wallet_stream("demo", "b")),
    ]


async def test_a_turn_left_open_is_ended_by_the_server_and_the_lock_is_free(database: Database) -> None:
    async with opened(database.conninfo("writer")) as first, opened(database.conninfo("writer")) as second:
        has_lock, over = asyncio.Event(), asyncio.Event()
        hanging = asyncio.create_task(hang(first, has_lock, over))
        await has_lock.wait()
        assert await put_at_last(second, deposits("b", [1])) == 1  # after the 5 seconds that it may stand idle
        assert not hanging.done()
        over.set()
        with pytest.raises((LogUnavailable, OutcomeUnknown)):
            await hanging
        assert await put(first, deposits("a", [1])) == 2


async def hang(log: PostgresLog, has_lock: asyncio.Event, over: asyncio.Event) -> None:
    async with log.turn([], 0) as turn:
        has_lock.set()
        await over.wait()
        await turn.append(deposits("a", [1]), [])


async def put_at_last(log: PostgresLog, events: Sequence[Pending]) -> int:
    """Append as soon as nobody is in the way."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await put(log, events)
            except LogUnavailable:
                await asyncio.sleep(0.05)


async def test_bug_005_rolled_back_inserts_burn_no_position(database: Database) -> None:
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1]), [key_record("k")])
        for _ in range(3):
            with pytest.raises(LogUnavailable):
                await put(log, deposits("b", [1, 2]), [key_record("k")])
        assert await put(log, deposits("a", [2])) == 2
    assert [row.position for row in stored(database)] == [1, 2]
    assert [row.sequence for row in stored(database)] == [1, 2]


async def test_a_version_that_is_there_already_raises_the_alarm_and_nothing_is_written(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1]))
        with pytest.raises(LogUnavailable), caplog.at_level(logging.CRITICAL):
            await put(log, [*deposits("b", [1]), *deposits("a", [1])], [key_record("k")])
        assert [record.levelname for record in caplog.records] == ["CRITICAL"]
        assert await known(log, [KEY]) == {}
    assert len(stored(database)) == 1


async def test_a_cancelled_append_leaves_the_log_usable(database: Database) -> None:
    async with opened(database.conninfo("writer")) as log:
        task = asyncio.create_task(put(log, deposits("a", [1])))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        head = len(stored(database))
        assert await put(log, deposits("b", [1])) == head + 1
