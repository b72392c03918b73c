"""The served application and its projector inside the test's own process, so that every log record can be read."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any
from unittest.mock import patch

import httpx2
from starlette.types import ASGIApp, Message

from adapters.keys import KeyRow, add_key, ensure_operator
from adapters.projector import Projector
from api.auth import ROLES, make_key
from api.main.application import create_app
from tests.adapters.projecting import running
from tests.postgres import Database
from tests.store.commands import environment

OPERATOR = "demo"
PUT_AWAY_SECONDS = 60.0
"""On a busy machine the end of an application that is all right may take longer than one that hangs is given."""


@dataclass(frozen=True, slots=True)
class Client:
    """Calls with a key that may do everything."""

    http: httpx2.AsyncClient
    app: ASGIApp

    async def post(self, path: str, body: Any = None, key: str | None = None) -> httpx2.Response:
        """POST under a key of its own, or the one given."""
        return await self.http.post(path, json=body or {}, headers={"Idempotency-Key": key or uuid.uuid4().hex})

    async def done(self, path: str, body: Any = None) -> dict[str, Any]:
        """The same; the answer's body, which must be a success."""
        answer = await self.post(path, body)
        assert answer.status_code in {200, 201, 202}, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def get(self, path: str, **query: Any) -> httpx2.Response:
        """GET."""
        return await self.http.get(path, params=query)


@asynccontextmanager
async def serving(database: Database, projector: Projector | None = None) -> AsyncIterator[Client]:
    """The application on this database, with a projector beside it, the usual one or that given."""
    key = key_of(database)
    async with serving_with(key, database, projector) as client:
        yield client


def key_of(database: Database) -> str:
    """A new key that may do everything."""
    new = make_key()
    with database.connect("writer") as conn:
        ensure_operator(conn, OPERATOR, "named")
        add_key(conn, KeyRow(new.key_id, OPERATOR, "engineer", ROLES, new.hash))
    return new.key


@asynccontextmanager
async def serving_with(key: str, database: Database, projector: Projector | None = None) -> AsyncIterator[Client]:
    """The same, with a key made before; the database may be away."""
    projector = projector or Projector(database.conninfo("projector"), Event())
    told = {**environment(database), "STUDBOOK_DATABASE_URL": database.settings.url,
            "STUDBOOK_WEBHOOK_PRIVATE": "127.0.0.0/8"}  # fmt: skip
    patience = patch("api.main.application.PUT_AWAY_SECONDS", PUT_AWAY_SECONDS)
    with patch.dict(os.environ, told), running(projector), patience:
        app = create_app()
        async with alive(app):
            transport = httpx2.ASGITransport(app=app)
            headers = {"Authorization": f"Bearer {key}"}
            async with httpx2.AsyncClient(transport=transport, base_url="http://test", headers=headers) as http:
                yield Client(http, app)


@asynccontextmanager
async def alive(app: ASGIApp) -> AsyncIterator[None]:
    """Start and shutdown, as a server tells them."""
    told: asyncio.Queue[Message] = asyncio.Queue()
    heard: asyncio.Queue[Message] = asyncio.Queue()

    async def live() -> None:
        await app({"type": "lifespan", "asgi": {"version": "3.0"}}, told.get, heard.put)

    life = asyncio.create_task(live())
    await told.put({"type": "lifespan.startup"})
    assert (await heard.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await told.put({"type": "lifespan.shutdown"})
        assert (await heard.get())["type"] == "lifespan.shutdown.complete"
        await life
