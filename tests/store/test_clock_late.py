"""A process that took the place of a dead one while the database was away checks its clock before it writes."""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from adapters.embedded.postmaster import wait_gone
from tests.embedded import folder
from tests.postgres import Database
from tests.store.in_process import Client, key_of, serving, serving_with
from tests.store.support import head_of

__all__ = ["folder"]

ANN = {"player": "ann", "currency": "EUR"}
BEN = {"player": "ben", "currency": "EUR"}


class Ahead:
    """A clock ten minutes ahead."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(minutes=10)


async def faults_of(client: Client) -> list[str]:
    found: list[str] = (await client.get("/readyz")).json()["faults"]
    return found


async def test_a_clock_behind_the_log_is_found_before_the_first_command_though_the_database_was_away(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.main.application.AGAIN_SECONDS", 3.0)
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        key = key_of(database)
        with patch("api.main.application.SystemClock", Ahead):
            async with serving(database) as client:
                await client.done("/v1/players", ANN)
        head = head_of(database)
        os.kill(cluster.pid, signal.SIGINT)
        assert wait_gone(cluster.pid, folder / "cluster", 150)
        async with serving_with(key, database) as client:
            await asyncio.to_thread(cluster.ensure_running)
            async with asyncio.timeout(60):
                while not any("clock is behind" in one for one in await faults_of(client)):
                    answer = await client.post("/v1/players", BEN, "k")
                    assert answer.status_code == 503, answer.text
                    assert answer.json()["retryable"] is True
                    await asyncio.sleep(0.1)
            assert (await client.post("/v1/players", BEN, "k")).status_code == 503
        assert head_of(database) == head


async def test_F01_a_process_that_serves_is_connected_to_the_log_before_its_first_command(database: Database) -> None:
    async with serving(database):
        with database.tamper() as admin:
            found = admin.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND application_name = 'studbook house'"
            ).fetchone()
    assert found == (1,)
