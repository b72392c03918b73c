"""What followers of the log are sent: a stream of all events, and the calls of a webhook."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network

from starlette.types import ASGIApp, Message

from adapters.deliverer import Deliverer
from adapters.vault_keys import vault_from_text
from api.main.delivering import ping_body, sending
from tests.adapters.event_store_support import until
from tests.postgres import Database
from tests.store.commands import WEBHOOK_KEY
from tests.store.in_process import Client
from tests.support.receiver import receiving

LOCAL = "127.0.0.0/8"


async def streamed(client: Client, path: str, is_enough: Callable[[bytes], bool]) -> bytes:
    """What a stream sends until it is enough; then its reader goes."""
    parts: list[bytes] = []
    gone = asyncio.Event()

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        parts.append(message.get("body", b""))

    headers = [(b"authorization", client.http.headers["authorization"].encode()), (b"accept", b"text/event-stream")]
    address, _, query = path.partition("?")
    scope = {"type": "http", "method": "GET", "path": address, "raw_path": address.encode(), "headers": headers,
             "query_string": query.encode(), "http_version": "1.1", "scheme": "http", "asgi": {"spec_version": "2.3"},
             "client": ("127.0.0.1", 1), "server": ("test", 80)}  # fmt: skip
    reading = asyncio.create_task(_called(client.app, scope, receive, send))
    await until(lambda: is_enough(b"".join(parts)) or reading.done())
    gone.set()
    await reading
    said = b"".join(parts)
    assert is_enough(said), said[-300:]
    return said


async def _called(app: ASGIApp, scope: dict[str, object], receive: object, send: object) -> None:
    await app(scope, receive, send)  # type: ignore[arg-type]  # as a server would


async def everything_sent(client: Client, database: Database) -> dict[str, bytes]:
    """A stream from the first event to the last, and the bodies of a webhook's calls for the same."""
    last = 0
    while (page := (await client.get("/v1/events", after=last, limit=1_000)).json())["events"]:
        last = page["after"]
    end = f"\nid: {last}\n\n".encode()
    found = {"stream": await streamed(client, "/v1/events/stream?after=0", lambda said: end in said)}
    with receiving() as receiver:
        body = {"webhook": "followed", "url": receiver.url, "after": 0}
        await client.done("/v1/webhooks", body)
        async with delivering(database):
            await until(lambda: bool(receiver.got) and receiver.got[-1].id == f"msg_{last}")
        assert (await client.http.delete("/v1/webhooks/followed")).status_code == 200
        found["webhook"] = b"\n".join([one.body for one in receiver.got])
    return found


@asynccontextmanager
async def delivering(database: Database) -> AsyncIterator[None]:
    """A deliverer in this process."""
    vault, stop = vault_from_text(WEBHOOK_KEY, "the tests"), asyncio.Event()
    calls = sending(vault, (ip_network(LOCAL),))
    work = asyncio.create_task(Deliverer(database.conninfo("projector"), calls, ping_body).run(stop))
    try:
        yield
    finally:
        stop.set()
        await work
