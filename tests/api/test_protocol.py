"""One connection, over a real socket: what never ends is cut, and every answer comes in its turn (F16, bug row 75)."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import orjson
import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from api.main import protocol
from api.main.protocol import Protocol
from api.main.serving import server_config

WAIT = 60.0
"""Longer than anything here may take."""


@dataclass
class Echo:
    """`/early` answers without reading; `/late` reads and answers when it is let; `/large` answers 8 MiB."""

    let: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0
    served: int = 0
    lost: list[str] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        self.served += 1
        path, size = scope["path"], 0
        while path != "/early":
            message = await receive()
            if message["type"] == "http.disconnect":
                self.lost.append(path)
                return
            size += len(message.get("body", b""))
            if not message.get("more_body", False):
                break
        if path == "/late":
            await self.let.wait()
        body = b"x" * 2**23 if path == "/large" else orjson.dumps([path, size, len(scope["headers"])])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def echo(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Echo]:
    monkeypatch.setattr(protocol, "RECEIPT_SECONDS", 1.5)
    monkeypatch.setattr(protocol, "BODY_GRACE_SECONDS", 2.5)
    monkeypatch.setattr(protocol, "UNREAD_SECONDS", 1.0)
    made = Echo()
    config, state = server_config(made, workers=1), ServerState()
    config.timeout_keep_alive = 2
    server = await asyncio.get_running_loop().create_server(lambda: Protocol(config, state, {}), "127.0.0.1", 0)
    async with server:
        made.port = server.sockets[0].getsockname()[1]
        yield made
        for one in list(state.connections):
            one.transport.abort()


async def all_of(echo: Echo, *parts: bytes, every: float = 0.0) -> bytes:
    """Everything that comes back until the connection is closed, while parts are sent one after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", echo.port)

    async def send() -> None:
        with contextlib.suppress(OSError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(every)

    sending = asyncio.create_task(send())
    got = b""
    try:
        async with asyncio.timeout(WAIT):
            with contextlib.suppress(ConnectionResetError):
                while more := await reader.read(2**16):
                    got += more
    finally:
        sending.cancel()
        writer.close()
    return got


def statuses(got: bytes) -> list[int]:
    return [int(one) for one in re.findall(rb"HTTP/1\.1 (\d{3})", got)]


def head(path: str, *more: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: here", *more, "", ""]).encode()


async def test_F16_a_head_that_comes_byte_by_byte_is_408(echo: Echo) -> None:
    got = await all_of(echo, *[b"%c" % one for one in head("/early")[:-2] * 9], every=0.05)
    assert statuses(got) == [408]
    assert (b'"code":"REQUEST_TIMEOUT"' in got, b"connection: close" in got, echo.served) == (True, True, 0)


async def test_F16_a_connection_that_says_nothing_is_closed(echo: Echo) -> None:
    assert await all_of(echo) == b""


async def test_F16_line_ends_are_no_request(echo: Echo) -> None:
    assert await all_of(echo, *[b"\r\n"] * 2_000, every=0.05) == b""
    assert statuses(await all_of(echo, head("/early"), *[b"\r\n"] * 2_000, every=0.05)) == [200]


async def test_F16_a_body_that_comes_byte_by_byte_is_cut_off(echo: Echo) -> None:
    got = await all_of(echo, head("/all", "Content-Length: 400"), *[b" "] * 400, every=0.05)
    assert (got, echo.lost) == (b"", ["/all"])


async def test_F16_the_rest_of_a_refused_body_is_not_waited_for(echo: Echo) -> None:
    assert statuses(await all_of(echo, head("/early", "Content-Length: 400"), *[b" "] * 400, every=0.05)) == [200]


async def test_F16_after_a_refused_body_the_connection_is_not_kept_without_a_clock(echo: Echo) -> None:
    assert statuses(await all_of(echo, head("/early", "Content-Length: 4"), b"    ", every=0.1)) == [200]


async def test_F16_who_does_not_fetch_the_answer_is_cut_off(echo: Echo) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", echo.port, limit=1024)
    writer.write(head("/large", "Content-Length: 0"))
    await asyncio.sleep(3.0)
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while more := await reader.read(2**16):
            got += more
    writer.close()
    assert len(got) < 2**23


async def test_a_slow_request_in_time_is_served(echo: Echo) -> None:
    got = await all_of(echo, head("/all", "Content-Length: 4"), *[b" "] * 4, every=0.03)
    assert b'["/all",4,2]' in got


async def test_pipelined_requests_are_answered_in_their_order(echo: Echo) -> None:
    echo.let.set()
    got = await all_of(echo, *[head(f"/{name}", "Content-Length: 2") + b"{}" for name in ("late", "a", "late", "b")])
    assert re.findall(rb'\["/(\w+)",2,2\]', got) == [b"late", b"a", b"late", b"b"]


async def test_what_is_no_http_is_refused_after_the_answers_to_what_was_asked_before(echo: Echo) -> None:
    asked = asyncio.create_task(
        all_of(echo, head("/late", "Content-Length: 0"), head("/a", "Content-Length: 0") + b"hello\r\n\r\n")
    )
    await asyncio.sleep(0.2)
    echo.let.set()
    got = await asked
    assert statuses(got) == [200, 200, 400]
    assert b'"code":"INVALID"' in got


async def test_a_slow_head_waits_for_the_answer_to_what_was_asked_before(echo: Echo) -> None:
    asked = asyncio.create_task(all_of(echo, head("/late", "Content-Length: 0"), head("/a")[:9]))
    await asyncio.sleep(2.5)
    echo.let.set()
    assert statuses(await asked) == [200, 408]


@pytest.mark.parametrize("raw", [b"CONNECT a:1 HTTP/1.1\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n", b"\xff\r\n"])
async def test_a_target_that_is_none_is_400(echo: Echo, raw: bytes) -> None:
    assert statuses(await all_of(echo, raw)) == [400]
    assert statuses(await all_of(echo, head("/a", "Content-Length: 0") + raw)) == [200, 400]


async def test_a_body_in_broken_chunks_is_400_at_once(echo: Echo) -> None:
    assert statuses(await all_of(echo, head("/all", "Transfer-Encoding: chunked"), b"zz\r\n", every=0.05)) == [400]
    got = await all_of(echo, head("/early", "Transfer-Encoding: chunked"), b"zz\r\n", every=0.1)
    assert statuses(got) == [200]


async def test_trailers_are_no_headers_and_are_not_gathered(echo: Echo) -> None:
    request = head("/all", "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\nX: y\r\n\r\n"
    assert b'["/all",2,2]' in await all_of(echo, request)


async def test_bug_075_a_request_without_end_is_cut_off(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "RAW_LIMIT", 2**18)
    began, piece = time.monotonic(), b"a" * 2**16
    got = await all_of(echo, head("/all", "Transfer-Encoding: chunked"), b"2\r\n{}\r\n0\r\nX: ", *[piece] * 40)
    assert statuses(got) == [413]
    got = await all_of(echo, head("/early", "Transfer-Encoding: chunked"), b"2\r\n{}\r\n0\r\nX: ", *[piece] * 40)
    assert statuses(got) == [200]
    assert time.monotonic() - began < WAIT


async def test_more_requests_behind_each_other_than_are_served_end_the_connection(echo: Echo) -> None:
    many = head("/a", "Content-Length: 0") * (protocol.PIPELINED_MAX + 300)
    assert await all_of(echo, head("/late", "Content-Length: 0"), many[: len(many) // 2], many[len(many) // 2 :]) == b""
    assert echo.served == 1


@pytest.mark.parametrize("kind", ["h2c", "websocket"])
async def test_an_offer_to_upgrade_is_passed_over_and_the_body_read(echo: Echo, kind: str) -> None:
    more = ("Content-Length: 2", "Connection: Upgrade, HTTP2-Settings", f"Upgrade: {kind}", "HTTP2-Settings: AA")
    offer = head("/offer", *more)
    for parts in ([offer, b"{}", head("/a")], [offer + b"{}", offer + b"{}" + head("/a")], [offer + b"{", b"}"]):
        got = await all_of(echo, *parts, every=0.1)
        assert got.count(b'["/offer",2,3]') == b"".join(parts).count(b"/offer"), parts
        assert len(statuses(got)) == b"".join(parts).count(b"POST "), parts
