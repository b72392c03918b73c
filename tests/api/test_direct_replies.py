"""An answer that goes straight to the connection is byte for byte the one that the server would write."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from api.intake import BODY_IS_HERE
from api.main.protocol import Protocol
from api.main.serving import server_config

HEADERS: Final = ((b"content-type", b"application/json"), (b"location", b"/v1/x"), (b"x-request-id", b"r1"))
BODY: Final = b'{"a":1}'
POST: Final = b"POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n%b\r\n{}"


class Socket(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def is_closing(self) -> bool:
        return self.closed

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        """Nothing reads here."""

    def resume_reading(self) -> None:
        """Nothing reads here."""


class Answering:
    """An application that answers directly, where it may, or through `send`."""

    def __init__(self, *, directly: bool, around: bool = False) -> None:
        self.directly = directly
        self.around = around
        self.was_direct: list[bool] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def named(message: object) -> None:
            await send(message)  # type: ignore[arg-type]  # passed on as it came

        through = named if self.around else send
        done = self.directly and scope[BODY_IS_HERE].reply(through, 201, HEADERS, BODY)
        self.was_direct.append(done)
        if not done:
            headers = [*HEADERS, (b"content-length", b"%d" % len(BODY))]
            await through({"type": "http.response.start", "status": 201, "headers": headers})
            await through({"type": "http.response.body", "body": BODY})


async def answered(app: Answering, request: bytes) -> tuple[Socket, Protocol]:
    state = ServerState()
    state.default_headers = [(b"date", b"Mon, 30 Nov 2026 16:00:00 GMT")]
    socket, protocol = Socket(), Protocol(server_config(app, workers=1), state, {})
    protocol.connection_made(socket)
    protocol.data_received(request)
    while protocol.tasks:
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    return socket, protocol


@pytest.mark.parametrize("times", [1, 3])
async def test_it_is_the_same_on_a_connection_that_stays(times: int) -> None:
    direct, plain = Answering(directly=True), Answering(directly=False)
    by_itself, _ = await answered(direct, POST % b"" * times)
    by_server, _ = await answered(plain, POST % b"" * times)
    assert (direct.was_direct, plain.was_direct) == ([True] * times, [False] * times)
    assert by_itself.written == by_server.written
    assert by_itself.written.count(b"HTTP/1.1 201 Created") == times


async def test_a_caller_who_wants_the_connection_closed_gets_it_closed_by_the_server() -> None:
    app = Answering(directly=True)
    socket, _ = await answered(app, POST % b"Connection: close\r\n")
    assert app.was_direct == [False]
    assert socket.closed
    assert b"connection: close" in socket.written


async def test_what_stands_around_the_connection_sees_the_answer() -> None:
    app = Answering(directly=True, around=True)
    socket, _ = await answered(app, POST % b"")
    assert app.was_direct == [False]
    assert socket.written.endswith(BODY)


async def test_an_answer_waits_while_the_caller_fetches_nothing() -> None:
    app = Answering(directly=True)
    socket, state = Socket(), ServerState()
    protocol = Protocol(server_config(app, workers=1), state, {})
    protocol.connection_made(socket)
    protocol.pause_writing()
    protocol.data_received(POST % b"")
    for _ in range(5):
        await asyncio.sleep(0)
    waiting = socket.written
    protocol.resume_writing()
    while protocol.tasks:
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    assert (app.was_direct, waiting) == ([False], b"")
    assert socket.written.endswith(BODY)
