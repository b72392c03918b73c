"""Public faults of projections, tried on the served application: sessions that die, an event that nobody can read, an
event of another time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from unittest.mock import patch

import httpx2
import psycopg
import pytest

from adapters.codec import CODEC, Json
from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from adapters.embedded.postmaster import wait_gone
from adapters.projector import Projector, compare_models, dump_hash
from domain.views import MODELS
from domain.views.lobby import LOBBY
from domain.wallets.events import Deposited
from services import commands as c
from tests.adapters.projecting import all_at, catch_up, positions
from tests.embedded import folder
from tests.postgres import Database
from tests.store.in_process import Client, key_of, serving, serving_with
from tests.store.support import Ask, assert_sound, head_of, shop_of

__all__ = ["folder"]

PATIENCE_SECONDS = 60.0
"""More than five times what the reports ask for, as the machine may have other work."""

AWAY_SECONDS, SERVING_SECONDS = 3.0, 10.0


@pytest.fixture(autouse=True)
def one_operator() -> Iterator[None]:
    """Houses of these tests work for the operator that is served."""
    with patch("tests.support.counter.OPERATOR", "demo"):
        yield


async def kept_asking(client: Client, path: str, body: object, key: str) -> httpx2.Response:
    """The first answer that is not a 503, which says that nothing happened."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (answer := await client.post(path, body, key)).status_code == 503:
            assert answer.json()["retryable"] is True
            await asyncio.sleep(0.1)
    return answer


async def test_bug_003_when_every_session_is_ended_the_next_deposit_shows_and_health_tells_how_far_behind_reads_are(
    database: Database,
) -> None:
    async with serving(database) as client:
        await client.done("/v1/players", {"player": "ann", "currency": "EUR"})
        for nth in range(1, 4):
            with database.tamper() as admin:
                ended = admin.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                ).fetchone()
            assert ended is not None
            assert ended[0] >= 4, "house, projector, reads and keys each have a session"
            body = {"amount": 500, "currency": "EUR", "transaction_id": f"t{nth}"}
            assert (await kept_asking(client, "/v1/players/ann/deposits", body, f"k{nth}")).status_code == 201
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await shown(client)) != 500 * nth:
                    await asyncio.sleep(0.05)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (told := await client.get("/readyz")).status_code != 200:
                await asyncio.sleep(0.05)
        assert {one["lag"] for one in told.json()["models"].values()} == {0}
    assert_sound(database)


async def shown(client: Client) -> int | None:
    """Ann's balance as reads have it; None when they cannot say."""
    answer = await client.get("/v1/players/ann/balance")
    return int(answer.json()["available"]) if answer.status_code == 200 else None


async def test_bug_003_while_no_projector_can_work_health_tells_the_gap_and_then_that_it_is_closed(
    database: Database,
) -> None:
    async with serving(database) as client:
        await client.done("/v1/players", {"player": "ann", "currency": "EUR"})
        with psycopg.connect(database.conninfo("projector")) as rival:
            rival.execute("LOCK TABLE view_progress IN EXCLUSIVE MODE")  # reads go on, projections do not
            paid = await client.done(
                "/v1/players/ann/deposits", {"amount": 500, "currency": "EUR", "transaction_id": "t"}
            )
            told = (await client.get("/readyz")).json()
            assert told["position"] == paid["position"]
            assert {one["lag"] for one in told["models"].values()} != {0}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not all_at(database, paid["position"]):
                await asyncio.sleep(0.05)
        told = (await client.get("/readyz")).json()
        assert {one["lag"] for one in told["models"].values()} == {0}


async def test_bug_003_a_process_that_has_written_nothing_tells_the_gap_too(database: Database) -> None:
    async with serving(database) as client:
        await client.done("/v1/players", {"player": "ann", "currency": "EUR"})
        with psycopg.connect(database.conninfo("projector")) as rival:
            rival.execute("LOCK TABLE view_progress IN EXCLUSIVE MODE")  # reads go on, projections do not
            paid = await client.done(
                "/v1/players/ann/deposits", {"amount": 500, "currency": "EUR", "transaction_id": "t"}
            )
            async with serving(database) as idle, asyncio.timeout(PATIENCE_SECONDS):
                while (told := (await idle.get("/readyz")).json()).get("position") != paid["position"]:
                    await asyncio.sleep(0.05)
                assert {one["lag"] for one in told["models"].values()} != {0}


async def test_bug_003_a_quiet_casino_whose_projector_is_dead_is_not_ready(database: Database) -> None:
    dead = Projector(database.conninfo("projector"), Event())
    dead.stop.set()
    async with serving(database) as client:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await client.get("/readyz")).status_code != 200:
                await asyncio.sleep(0.05)
    async with serving(database, dead) as client:
        told = await client.get("/readyz")
    assert (told.status_code, told.json()["faults"]) == (503, ["no projector runs: start `studbook project`"])
    async with serving(database) as client, asyncio.timeout(PATIENCE_SECONDS):
        while (await client.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.05)


async def test_bug_078_after_the_database_was_away_everything_serves_again_without_a_restart(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        async with serving(database) as client:
            await client.done("/v1/players", {"player": "ann", "currency": "EUR"})
            os.kill(cluster.pid, signal.SIGINT)  # a fast stop: it ends every session first
            assert wait_gone(cluster.pid, folder / "cluster", 150)
            away = time.monotonic() + AWAY_SECONDS
            body = {"amount": 500, "currency": "EUR", "transaction_id": "t"}
            while time.monotonic() < away:
                calls = (client.post("/v1/players/ann/deposits", body, "k"), client.get("/v1/players/ann/balance"))
                for answer in await asyncio.gather(*calls, client.get("/readyz")):
                    assert answer.status_code == 503, answer.text
            await asyncio.to_thread(cluster.ensure_running)
            assert (await kept_asking(client, "/v1/players/ann/deposits", body, "k")).status_code == 201
            async with asyncio.timeout(5 * SERVING_SECONDS):
                while await shown(client) != 500 or (await client.get("/readyz")).status_code != 200:
                    await asyncio.sleep(0.1)
        assert_sound(database)


async def test_bug_078_a_process_that_starts_while_the_database_is_away_answers_503_until_it_is_back(
    folder: Path,
) -> None:
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        key = key_of(database)
        os.kill(cluster.pid, signal.SIGINT)
        assert wait_gone(cluster.pid, folder / "cluster", 150)
        async with serving_with(key, database) as client:
            body = {"player": "ann", "currency": "EUR"}
            for answer in await asyncio.gather(client.post("/v1/players", body, "k"), client.get("/readyz")):
                assert answer.status_code == 503, answer.text
            await asyncio.to_thread(cluster.ensure_running)
            assert (await kept_asking(client, "/v1/players", body, "k")).status_code == 201
            async with asyncio.timeout(5 * SERVING_SECONDS):
                while (await client.get("/readyz")).status_code != 200:
                    await asyncio.sleep(0.1)
        assert_sound(database)


@pytest.mark.parametrize(("name", "state"), [("wallet.became_gold.v1", b"{}"), ("wallet.deposited.v1", b"{")])
async def test_bug_009_an_event_that_cannot_be_read_is_named_by_health_and_stops_only_those_who_read_it(
    database: Database, name: str, state: bytes
) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann", "bob"], 100)
    bad = next(one for one in range(head_of(database), 0, -1) if topic(database, one) == "wallet.deposited.v1")
    kept = row_of(database, bad)
    change = "UPDATE stored_events SET topic = %s, state = %s WHERE notification_id = %s"
    with database.tamper() as admin:
        admin.execute(change, [name, state, bad])
    async with serving(database) as client:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (told := (await client.get("/readyz")).json())["status"] == "ok" or not told["models"]:
                await asyncio.sleep(0.05)
        assert (await client.get("/readyz")).status_code == 503
        assert any(f"position {bad}: " in fault for fault in told["faults"]), told["faults"]
        assert positions(database)["balances"] == bad - 1
        # writes go on, of everybody whose own history can be read
        await client.done("/v1/players", {"player": "new", "currency": "EUR"})
        await client.done("/v1/players/new/deposits", {"amount": 1, "currency": "EUR", "transaction_id": "n"})
        refused = await client.post("/v1/players/bob/deposits", {"amount": 1, "currency": "EUR", "transaction_id": "b"})
        assert (refused.status_code, refused.json()["code"]) == (503, "UNAVAILABLE")
        if name == "wallet.deposited.v1":  # its name says who need not read it
            async with asyncio.timeout(PATIENCE_SECONDS):
                while positions(database)[LOBBY.name] != head_of(database):
                    await asyncio.sleep(0.05)
        assert positions(database)["balances"] == bad - 1
        with database.tamper() as admin:
            admin.execute(change, [*kept, bad])
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not all_at(database, head_of(database)):
                await asyncio.sleep(0.05)
    assert_sound(database)


def row_of(database: Database, position: int) -> tuple[str, bytes]:
    with database.connect("projector") as conn:
        row = conn.execute("SELECT topic, state FROM stored_events WHERE notification_id = %s", [position]).fetchone()
    assert row is not None
    return row[0], bytes(row[1])


def topic(database: Database, position: int) -> str:
    return row_of(database, position)[0]


async def test_bug_008_an_event_stored_under_an_old_name_and_field_gives_the_same_state_to_reads_and_writer(
    database: Database,
) -> None:
    def today(data: Json) -> tuple[str, Json]:
        """`wallet.cash_in.v1` called the amount otherwise."""
        return "wallet.deposited.v1", {"amount_minor": data.pop("amount"), **data}

    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann"], 700)
    catch_up(database)
    before = hashes(database)
    for position in range(1, head_of(database) + 1):
        name, state = row_of(database, position)
        if name == "wallet.deposited.v1":
            assert isinstance(CODEC.decode(name, state).event, Deposited)
            with database.tamper() as admin:
                admin.execute(
                    "UPDATE stored_events SET topic = 'wallet.cash_in.v1', state = %s WHERE notification_id = %s",
                    [state.replace(b'"amount_minor"', b'"amount"', 1), position],
                )
    with database.connect("projector") as conn:
        conn.execute("DELETE FROM view_rows")
        conn.execute("DELETE FROM view_progress")
    with patch.dict(CODEC._upcasters, {"wallet.cash_in.v1": today}):  # type: ignore[arg-type]  # a dict it is
        catch_up(database)
        assert hashes(database) == before
        async with shop_of(database.conninfo("writer")) as shop:
            (told,) = await shop.ask_all([Ask(c.WithdrawFunds("ann", 701, "EUR", "w"))])
            assert told.code == "INSUFFICIENT_FUNDS"
            await shop.all_done(Ask(c.WithdrawFunds("ann", 700, "EUR", "w")))
        with database.connect("projector") as conn:
            catch_up(database)
            assert compare_models(conn) == []


def hashes(database: Database) -> dict[str, str]:
    with database.connect("projector") as conn:
        return {name: dump_hash(conn, name) for name in MODELS}
