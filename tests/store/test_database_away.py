"""While PostgreSQL is away every call is answered 503 with Retry-After, and all are served again once it is back."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from api.auth import KeyRing
from tests.embedded import folder
from tests.faults.f19_other_tenants import furnished
from tests.faults.processes import children_of, processes
from tests.faults.strangers import Desk, Reply, nobodys
from tests.http.bodies import sample
from tests.http.contract import Contract, Operation
from tests.postgres import Database
from tests.store.in_process import serving

__all__ = ["folder"]
"""A fixture."""

HEALTH = {"/livez": 200, "/readyz": 503, "/metrics": 200, "/v1/evidence/keys": 200, "/v1/reports": 200}
"""Calls that do not ask the database, with what they answer."""

WANTED = {"GET /v1/rounds": "?game_number=1"}
"""What a call must be asked for, so that it asks the database."""

BACK_SECONDS = 60.0
REMEMBERED = partial(KeyRing, ttl_seconds=3600.0)
"""So that it is the call itself that meets the database, not the look-up of its key."""


async def all_calls(desk: Desk, contract: Contract, key: str, ids: dict[str, str], name: str) -> dict[str, Reply]:
    """Every call of the document at once, with bodies that fit."""

    ask = desk.ask if name == "before" else desk.once

    async def asked(call: Operation) -> Reply:
        body = b"" if call.method == "GET" else orjson.dumps(sample(contract, contract.body_schema(call)))
        return await ask(call.method, call.url(ids) + WANTED.get(str(call), ""), key, body, f"{name} {call}")

    calls = [one for one in contract.operations() if "stream" not in one.path]
    return dict(zip(map(str, calls), await asyncio.gather(*map(asked, calls)), strict=True))


def wrong(replies: dict[str, Reply], contract: Contract) -> list[str]:
    """Calls that were not told to come again."""
    found = []
    for call, reply in replies.items():
        if (due := HEALTH.get(call.removeprefix("GET "))) is not None:
            found += [call] * (reply.status != due)
            continue
        if call.endswith("/bulk"):  # told for each item
            (item,) = orjson.loads(reply.body)["results"]
            found += [call] * ((item["status"], item["retryable"]) != (503, True))
            continue
        headers = dict(reply.headers)
        contract.check_problem(call, reply.status, headers, reply.body)
        if (reply.status, headers.get("retry-after")) != (503, "1"):
            found.append(f"{call}: {reply.status} {reply.body[:120]!r}")
    return found


async def test_while_the_database_is_away_every_call_is_503_and_served_again_afterwards(folder: Path) -> None:
    with Cluster.start(folder) as cluster, patch("api.main.doors.KeyRing", REMEMBERED):
        migrate(cluster.cluster_dsn("owner"))
        async with serving(Database("studbook", cluster)) as client:
            transport: Any = client.http._transport
            desk, ids = Desk(transport.app), await furnished(client)
            key = client.http.headers["authorization"].removeprefix("Bearer ")
            contract = Contract(orjson.loads((await desk.once("GET", "/openapi.json", None, b"", "")).body))
            before = await all_calls(desk, contract, key, nobodys(), "before")
            assert {reply.status for reply in before.values()} & {500, 503} == set()
            # given
            server = {cluster.pid, *(one.pid for one in children_of(cluster.pid))}
            os.kill(cluster.pid, signal.SIGKILL)
            while server & {one.pid for one in processes()}:  # a session may outlive its server for a moment
                await asyncio.sleep(0.02)
            # when
            away = await all_calls(desk, contract, key, ids, "away")
            # then
            assert wrong(away, contract) == []
            assert (await desk.once("GET", "/openapi.json", None, b"", "")).status == 200
            # and when it is back, nobody starts anything
            cluster.ensure_running()
            async with asyncio.timeout(BACK_SECONDS):
                while (await client.get(f"/v1/players/{ids['player']}/balance")).status_code != 200:
                    await asyncio.sleep(0.1)
                body = {"amount": 1, "currency": "EUR", "transaction_id": "back"}
                while (await client.post(f"/v1/players/{ids['player']}/deposits", body, "back")).status_code != 201:
                    await asyncio.sleep(0.1)
