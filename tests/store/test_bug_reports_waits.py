"""Public faults of event stores, tried on the real one: a write that stays open, and who follows it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from unittest.mock import patch

import psycopg
import pytest

from adapters.projector import compare_models
from services import commands as c
from tests.adapters.projecting import all_at, positions
from tests.postgres import Database
from tests.store.in_process import Client, serving
from tests.store.support import assert_sound, head_of, shop_of

HELD = 0x5354_00FF
"""Holds the slow transaction open for as long as the test has it."""

SLOW = "slow"
"""The key of the request whose transaction stays open after its INSERT."""


def keep_open(database: Database) -> None:
    """COMMIT of the slow request takes its time: its events are inserted, and not there for anybody else."""
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute("SET search_path = studbook")
        conn.execute(
            "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS"
            f" 'BEGIN WHILE NOT pg_try_advisory_xact_lock({HELD}) LOOP PERFORM pg_sleep(0.02); END LOOP;"
            " RETURN NULL; END'"
        )
        conn.execute("GRANT EXECUTE ON FUNCTION stay() TO studbook_writer")
        conn.execute(
            "CREATE CONSTRAINT TRIGGER stay_open AFTER INSERT ON idempotency DEFERRABLE INITIALLY DEFERRED"
            f" FOR EACH ROW WHEN (NEW.key = '{SLOW}') EXECUTE FUNCTION stay()"
        )


async def inserted(database: Database) -> None:
    """Wait until the slow transaction is in its COMMIT."""
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        async with asyncio.timeout(60):
            while not conn.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND wait_event = 'PgSleep'", [database.name]
            ).fetchone():
                await asyncio.sleep(0.02)


@asynccontextmanager
async def slow_write(database: Database) -> AsyncIterator[None]:
    """Another process deposits 700 for ann in a transaction that stays open from here on."""
    keep_open(database)
    with psycopg.connect(database.superuser, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", [HELD])
        async with shop_of(database.conninfo("writer")) as other:
            order = other.order(c.DepositFunds("ann", 700, "EUR", SLOW), key=SLOW, status=201)
            writing = asyncio.create_task(other.ask(order))
            await inserted(database)
            try:
                yield
            finally:
                holder.execute("SELECT pg_advisory_unlock(%s)", [HELD])
                assert (await writing).code == "OK"


async def player(client: Client, *names: str) -> None:
    for name in names:
        await client.done("/v1/players", {"player": name, "currency": "EUR"})


def pay_in(amount: int, name: str) -> dict[str, object]:
    return {"amount": amount, "currency": "EUR", "transaction_id": name}


async def available(client: Client, name: str) -> int:
    """What is shown now."""
    return int((await client.get(f"/v1/players/{name}/balance")).json()["available"])


async def shows(client: Client, name: str, amount: int) -> None:
    """It comes to be shown without another event."""
    async with asyncio.timeout(60):
        while await available(client, name) != amount:
            await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def one_operator() -> Iterator[None]:
    """The other process works for the operator that is served."""
    with patch("tests.support.counter.OPERATOR", "demo"):
        yield


async def test_bug_001_no_reader_passes_an_open_write_and_what_it_wrote_shows_when_it_ends(database: Database) -> None:
    async with serving(database) as client:
        await player(client, "ann", "bob")
        committed = head_of(database)
        async with slow_write(database):
            before = asyncio.get_running_loop().time()
            waiting = asyncio.create_task(client.post("/v1/players/bob/deposits", pay_in(5, "b"), "b"))
            while not waiting.done():  # the projections go on looking, and stand before what is not committed
                assert head_of(database) == committed
                assert set(positions(database).values()) <= set(range(committed + 1))
                assert await available(client, "ann") == 0
                await asyncio.sleep(0.1)
            refused = await waiting
            assert asyncio.get_running_loop().time() - before >= 2.9
            assert (refused.status_code, refused.json()["code"]) == (503, "UNAVAILABLE")
            assert refused.json()["retryable"] is True
        await shows(client, "ann", 700)
        assert all_at(database, head_of(database))
        assert (await client.post("/v1/players/bob/deposits", pay_in(5, "b"), "b")).status_code == 201
        await shows(client, "bob", 5)
        with database.connect("projector") as conn:
            assert compare_models(conn) == []
    assert_sound(database)


async def test_bug_012_a_hundred_deposits_beside_an_open_write_are_refused_or_shown_without_a_new_event(
    database: Database,
) -> None:
    names = [f"d{nth}" for nth in range(100)]
    async with serving(database) as client:
        await player(client, "ann", "bob")
        async with slow_write(database):
            sending = asyncio.gather(*(client.post("/v1/players/bob/deposits", pay_in(1, one), one) for one in names))
            assert await available(client, "bob") == 0
            answers = await sending
        found = Counter(one.status_code for one in answers)
        assert found.keys() <= {201, 503}
        assert found[503], "nobody had to wait for three seconds"
        await shows(client, "ann", 700)
        await shows(client, "bob", found[201])
        again = [await client.post("/v1/players/bob/deposits", pay_in(1, one), one) for one in names]
        assert {one.status_code for one in again} == {201}
        await shows(client, "bob", 100)
    assert_sound(database)
