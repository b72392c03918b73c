"""A database that keeps its sockets and answers nothing (a machine that is paused, a disk that hangs): nobody waits
for ever, and all goes on when it answers again (F28).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import httpx2
import pytest

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from api.main.application import create_app
from api.main.leaving import END_SECONDS
from tests.embedded import folder
from tests.faults.processes import children_of
from tests.postgres import Database
from tests.store.commands import environment
from tests.store.in_process import Client, alive, key_of, serving, serving_with
from tests.store.support import assert_sound

__all__ = ["folder"]

ANSWER_SECONDS = 2.0
LOOK_SECONDS = 2.0


@contextmanager
def paused(cluster: Cluster) -> Iterator[None]:
    """Every process of the server stands still."""
    stopped = [cluster.pid, *(one.pid for one in children_of(cluster.pid))]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


async def test_F28_a_database_that_hangs_is_told_as_503_and_what_was_asked_happens_once_when_it_is_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.database.bounded.ANSWER_SECONDS", ANSWER_SECONDS)
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        async with serving_with(key_of(database), database) as client:
            ann, ben = ({"player": name, "currency": "EUR"} for name in ("ann", "ben"))
            await client.done("/v1/players", ann)
            assert (await client.get("/v1/players/ann/balance")).status_code in {200, 404}
            with paused(cluster):
                began = asyncio.get_running_loop().time()
                async with asyncio.timeout(5 * LOOK_SECONDS):
                    assert (await client.get("/readyz")).status_code == 503
                async with asyncio.timeout(5 * ANSWER_SECONDS):
                    told = await asyncio.gather(
                        client.get("/v1/players/ann/balance"), client.post("/v1/players", ben, "k")
                    )
                assert asyncio.get_running_loop().time() - began < 5 * (ANSWER_SECONDS + LOOK_SECONDS)
                assert [(one.status_code, one.json()["retryable"]) for one in told] == [(503, True)] * 2
            async with asyncio.timeout(60):
                while (again := await client.post("/v1/players", ben, "k")).status_code == 503:
                    await asyncio.sleep(0.1)
            assert again.status_code == 201, again.text
        assert_sound(database)


async def test_F27_a_process_that_ends_without_waiting_keeps_no_connection(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database) as client:
        await client.done("/v1/players", {"player": "ann", "currency": "EUR"})
        assert sessions_of_the_application(database) > 0
        # when there is no time at all to put anything away
        monkeypatch.setattr("api.main.application.PUT_AWAY_SECONDS", 0.0)
    # then they are closed all the same, while the application is still there
    assert client.app is not None
    async with asyncio.timeout(60):
        while sessions_of_the_application(database) > 0:
            await asyncio.sleep(0.05)


def sessions_of_the_application(database: Database) -> int:
    """How many connections the served application has."""
    with database.tamper() as admin:
        found = admin.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name LIKE 'studbook %'"
        ).fetchone()
    return int(found[0]) if found else 0


async def test_F27_a_database_that_hangs_does_not_hold_up_the_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.database.bounded.ANSWER_SECONDS", 10 * END_SECONDS)  # who waits for it is found out
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        key, ben = key_of(database), {"player": "ben", "currency": "EUR"}
        told = {**environment(database), "STUDBOOK_DATABASE_URL": database.settings.url}
        async with AsyncExitStack() as life:
            life.enter_context(patch.dict(os.environ, told))
            await life.enter_async_context(alive(app := create_app()))
            http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://test")
            http.headers["Authorization"] = f"Bearer {key}"
            client = Client(http, app)
            while (await client.post("/v1/players", {"player": "ann", "currency": "EUR"}, "a")).status_code == 503:
                await asyncio.sleep(0.1)
            with paused(cluster):
                asked = asyncio.create_task(client.post("/v1/players", ben, "k"))
                await asyncio.sleep(0.5)
                async with asyncio.timeout(5 * END_SECONDS):
                    await life.aclose()
                asked.cancel()
                await asyncio.gather(asked, return_exceptions=True)
        async with serving_with(key, database) as again:
            while (done := await again.post("/v1/players", ben, "k")).status_code == 503:
                await asyncio.sleep(0.1)
            assert done.status_code == 201, done.text
        assert_sound(database)
