"""Keys on the real store: all of a change or nothing of it, one line of changes, and every process hears of an end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import orjson
import psycopg
import pytest

from adapters.access_rows import newest
from adapters.clock import SystemClock
from adapters.database.locks import WRITER_LOCK
from adapters.key_book import PostgresKeyBook
from adapters.key_watch import watch_keys
from adapters.keys import ensure_operator
from adapters.token_keys import DerivedSecrets
from api.auth import ROLES, make_key
from domain.errors import IdempotencyMismatch, LimitReached, NotFound, Unavailable
from services.keys import Caller, FreshKey, KeyDesk, Outcome, Served, Wish
from tests.postgres import Database

WHO = Caller("lucky", "boss", "k0", ROLES, "10.0.0.1", "r1", "/v1/keys")
WISH = Wish("ann", frozenset({"dealer"}), "till")
WAIT_SECONDS = 60.0


@pytest.fixture
def opened(database: Database) -> Database:
    with database.connect("writer") as conn:
        for operator in ("lucky", "royal"):
            ensure_operator(conn, operator, "strict")
    return database


def desk_on(database: Database, encode: Any = orjson.dumps) -> KeyDesk:
    book = PostgresKeyBook(database.conninfo("writer"))
    secrets = DerivedSecrets({"one": bytes(range(32))})
    return KeyDesk(book, SystemClock(), lambda: FreshKey(*make_key()), secrets, encode, hold_seconds=0.0)


def served(key: str, fingerprint: bytes = b"f") -> Served:
    return Served(("lucky", "key", key), fingerprint)


async def settled(desk: KeyDesk, wish: Wish, key: Served | None = None) -> Outcome:
    """The outcome; what came too late for the lock is sent again, as its caller would."""
    while True:
        try:
            return await desk.add(WHO, wish, served=key)
        except Unavailable:
            await asyncio.sleep(0.1)


def counted(database: Database) -> tuple[int, int, int]:
    """Keys, idempotency records, lines of the access log."""
    with database.connect("writer") as conn, database.connect("projector") as other:
        keys = conn.execute("SELECT count(*) FROM api_keys").fetchall()
        records = conn.execute("SELECT count(*) FROM idempotency").fetchall()
        lines = other.execute("SELECT count(*) FROM access_log").fetchall()
    return keys[0][0], records[0][0], lines[0][0]


async def test_a_key_its_record_and_its_line_are_one_transaction(opened: Database) -> None:
    made = json.loads((await desk_on(opened).add(WHO, WISH, served=served("i1"))).body)
    assert counted(opened) == (1, 1, 1)
    with opened.connect("writer") as conn:
        kept = conn.execute("SELECT status, body FROM idempotency").fetchone()
        stored = conn.execute("SELECT secret_hash, made_by, label FROM api_keys").fetchone()
    assert kept is not None
    assert (kept[0], json.loads(bytes(kept[1]))["key"]) == (200, None)
    assert made["key"].encode() not in bytes(kept[1])
    assert stored is not None
    assert stored[1:] == ("boss", "till")
    with opened.connect("projector") as conn:
        (line,) = newest(conn, "lucky", 9)
    assert (line.visit.subject, line.visit.address, line.request_id) == ("boss", "10.0.0.1", "r1")


async def test_what_fails_on_the_way_leaves_nothing(opened: Database) -> None:
    def broken(_: Any) -> bytes:
        raise RuntimeError("the disk of this test is full")

    with pytest.raises(RuntimeError, match="full"):
        await desk_on(opened, broken).add(WHO, WISH, served=served("i1"))
    assert counted(opened) == (0, 0, 0)
    with pytest.raises(NotFound, match="operator"):
        await desk_on(opened).add(Caller("nobody", "boss", None, ROLES), WISH)
    await desk_on(opened).add(WHO, WISH, served=served("i1"))
    assert counted(opened) == (1, 1, 1)


async def test_of_many_at_once_two_get_a_key_and_one_idempotency_key_makes_one(opened: Database) -> None:
    desks = [desk_on(opened) for _ in range(6)]
    found = await asyncio.gather(*(settled(desk, WISH) for desk in desks), return_exceptions=True)
    assert sum(isinstance(one, LimitReached) for one in found) == 4
    other = Wish("bob", frozenset({"dealer"}))
    same = await asyncio.gather(*(settled(desk, other, served("i2")) for desk in desks))
    assert sorted(one.status for one in same) == [200] * 5 + [201]
    assert len({json.loads(one.body)["key_id"] for one in same}) == 1
    with pytest.raises(IdempotencyMismatch):
        await desks[0].add(WHO, other, served=served("i2", b"another"))


async def test_another_operators_key_cannot_be_touched(opened: Database) -> None:
    desk = desk_on(opened)
    made = json.loads((await desk.add(WHO, WISH)).body)
    for act in (desk.rotate, desk.revoke):
        with pytest.raises(NotFound):
            await act(Caller("royal", "boss", None, ROLES), made["key_id"])


async def test_while_the_log_is_locked_a_change_is_unavailable_and_then_possible(opened: Database) -> None:
    with opened.connect("owner") as holder:
        with holder.transaction():
            holder.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
            with pytest.raises(Unavailable):
                await desk_on(opened).add(WHO, WISH)
        await desk_on(opened).add(WHO, WISH)


async def test_an_end_is_heard_by_all_who_listen_also_after_a_lost_connection(opened: Database) -> None:
    heard: list[list[str | None]] = [[], []]
    conninfo = opened.conninfo("request")
    tasks = [asyncio.create_task(watch_keys(conninfo, one.append)) for one in heard]

    async def until(*wanted: str | None) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            while any(one != list(wanted) for one in heard):
                await asyncio.sleep(0.02)

    await until(None)
    desk = desk_on(opened)
    first, second = [json.loads((await desk.add(WHO, WISH)).body)["key_id"] for _ in range(2)]
    await desk.revoke(WHO, first)
    await until(None, first)
    with psycopg.connect(opened.superuser, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE usename = 'studbook_request' AND datname = current_database()"
        )
    await until(None, first, None)  # what was missed in between is forgotten with all else
    await desk.revoke(WHO, second)
    await until(None, first, None, second)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
