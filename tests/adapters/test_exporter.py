"""The exporter: what it begins it ends, what it cannot make says why, what has had its time goes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from psycopg import Connection

from adapters.database.pools import request_pool
from adapters.export_store import PostgresExports
from adapters.exporter import Exporter, Failed
from adapters.exporter.jobs import CHUNK_BYTES, Jobs
from adapters.exporter.loop import Made, Work
from domain.exports import ATTEMPTS_MOST, OPEN_MOST, Export, Status
from tests.postgres import Database

NOW = datetime.now(UTC)
SECONDS = 60.0


def order(name: str, operator: str = "lucky", **more: Any) -> Export:
    usual = {"hurry": False, "asked_at": NOW, "expires_at": NOW + timedelta(days=7), "position": 0}
    return Export(operator, name, "journal", "csv", "{}", "ann", **{**usual, **more})


@asynccontextmanager
async def exports(database: Database) -> AsyncIterator[PostgresExports]:
    pool = request_pool(database.conninfo("request"), 2, "test", autocommit=True)
    await pool.open()
    try:
        yield PostgresExports(pool)
    finally:
        await pool.close()


def written(content: bytes) -> Work:
    def work(_conn: Connection, one: Export, path: Path, progress: Callable[[int], None]) -> Made:
        progress(1)
        path.write_bytes(content)
        return Made(json.dumps({"file": one.export}), len(content), 7)

    return work


@contextmanager
def working(database: Database, work: Work) -> Iterator[Event]:
    """An exporter in a thread; it ends with the block."""
    stop = Event()
    thread = Thread(daemon=True, target=Exporter(database.conninfo("projector"), work).run, args=(stop,))
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join(SECONDS)
    assert not thread.is_alive()


async def over(store: PostgresExports, one: Export) -> Export:
    async with asyncio.timeout(SECONDS):
        while (found := await store.get(one.operator, one.export)) is None or not found.is_over:
            await asyncio.sleep(0.02)
    return found


async def test_a_file_of_several_chunks_comes_back_as_it_was_and_to_its_operator_alone(database: Database) -> None:
    content = bytes(range(256)) * (CHUNK_BYTES // 256) + b"the rest"
    async with exports(database) as store:
        assert await store.add("lucky", order("a"), OPEN_MOST)
        with working(database, written(content)):
            done = await over(store, order("a"))
        assert (done.status, done.position, done.attempts) == (Status.DONE, 7, 1)
        assert b"".join([chunk async for chunk in store.chunks("lucky", "a")]) == content
        assert await store.get("royal", "a") is None
        assert [chunk async for chunk in store.chunks("royal", "a")] == []
    theirs = (
        "INSERT INTO exports (operator, export, kind, format, wish, subject, hurry, asked_at, expires_at, position)"
    )
    with database.connect("request", operator="royal") as conn:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(f"{theirs} VALUES ('lucky', 'b', '', '', '', '', true, now(), now(), 0)".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("UPDATE exports SET status = 'DONE'")


async def test_what_somebody_waits_for_comes_first_and_what_cannot_be_made_says_why(database: Database) -> None:
    seen: list[str] = []

    def work(_conn: Connection, one: Export, _path: Path, _progress: Callable[[int], None]) -> Made:
        seen.append(one.export)
        if one.hurry:
            raise Failed("no such account")
        raise ValueError("secret text")

    async with exports(database) as store:
        await store.add("lucky", order("old", asked_at=NOW - timedelta(hours=1)), OPEN_MOST)
        await store.add("royal", order("quick", "royal", hurry=True), OPEN_MOST)
        with working(database, work):
            slow, quick = await over(store, order("old")), await over(store, order("quick", "royal"))
    assert seen == ["quick", "old"]
    assert (quick.status, quick.failure) == (Status.FAILED, "no such account")
    assert slow.failure == "a fault of ours (ValueError); it is in the service's log"


async def test_an_export_whose_worker_was_killed_is_begun_again_and_given_up_after_three_times(
    database: Database,
) -> None:
    async with exports(database) as store:
        await store.add("lucky", order("a"), OPEN_MOST)
        await store.add("lucky", order("deadly", asked_at=NOW + timedelta(seconds=1)), OPEN_MOST)
        with database.connect("projector") as conn:
            Jobs(conn).begin(order("a"))  # and then it was killed
            for _ in range(ATTEMPTS_MOST):
                Jobs(conn).begin(order("deadly"))
        with working(database, written(b"whole")):
            done, deadly = await over(store, order("a")), await over(store, order("deadly"))
        assert (done.status, done.attempts) == (Status.DONE, 2)
        assert b"".join([chunk async for chunk in store.chunks("lucky", "a")]) == b"whole"
        assert (deadly.status, "3 times" in str(deadly.failure)) == (Status.FAILED, True)


async def test_one_that_is_stopped_leaves_its_export_as_if_it_had_not_begun(database: Database) -> None:
    begun = Event()

    def work(_conn: Connection, _one: Export, _path: Path, progress: Callable[[int], None]) -> Made:
        begun.set()
        while True:
            progress(1)

    async with exports(database) as store:
        await store.add("lucky", order("a"), OPEN_MOST)
        with working(database, work):
            assert begun.wait(SECONDS)
        found = await store.get("lucky", "a")
    assert found is not None
    assert (found.status, found.attempts) == (Status.WAITING, 0)


async def test_an_operator_has_only_so_many_unfinished_exports(database: Database) -> None:
    async with exports(database) as store:
        assert [await store.add("lucky", order(str(nth)), 2) for nth in range(3)] == [True, True, False]
        assert await store.add("royal", order("mine", "royal"), 2)


async def test_what_has_had_its_time_goes_with_its_file_and_unfinished_work_stays(database: Database) -> None:
    past = {"asked_at": NOW - timedelta(days=8), "expires_at": NOW - timedelta(days=1)}
    async with exports(database) as store:
        for name, more in (("old", past), ("late", past), ("new", {})):
            await store.add("lucky", order(name, **more), OPEN_MOST)
    with database.connect("projector") as conn:
        for name in ("old", "new"):
            conn.execute("INSERT INTO export_chunks VALUES ('lucky', %s, 0, 'x')", [name])
            conn.execute("UPDATE exports SET status = 'DONE' WHERE export = %s", [name])
        assert Jobs(conn).forget() == 1
        assert conn.execute("SELECT export FROM exports ORDER BY 1").fetchall() == [("late",), ("new",)]
        assert conn.execute("SELECT export FROM export_chunks").fetchall() == [("new",)]
        Jobs(conn).figures(3, 1)
        assert conn.execute("SELECT waiting, done, failed FROM export_figures").fetchall() == [(1, 3, 1)]
