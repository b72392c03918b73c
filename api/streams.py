"""Answers that go on: server-sent events, and reads that wait for news.

Each holds a place; places are counted for the process and for each operator. Both end when their caller goes, when the
caller's key opens nothing any more, and when the service stops. A stream sends a comment every PING_SECONDS when there
is nothing else, and ends too when the caller has read nothing for SEND_SECONDS: what lies ready for a slow reader is
bounded by the connection's own buffer, and the next event is fetched when that has room.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from api import metrics
from api.auth import Principal
from api.errors import BadRequest, RateLimited, Unauthenticated
from api.scope import IS_HEAD
from domain.errors import Refusal, Unavailable

PROCESS_MOST: Final = 200
"""Streams and waiting reads of one serving process."""

OPERATOR_MOST: Final = 40
"""Those of one operator, in one serving process."""

PING_SECONDS: Final = 15.0
SEND_SECONDS: Final = 30.0
CHECK_SECONDS: Final = 0.5
"""How often the key of what is open is looked at again; revoking waits for longer (`services.keys.HOLD_SECONDS`)."""

LAST_WORD_SECONDS: Final = 1.0
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}

T = TypeVar("T")
Who = Callable[[bytes | None], Awaitable[Principal]]

log = logging.getLogger("studbook.streams")


@dataclass(slots=True)
class Streams:
    """What is open in this process. `who` tells whose an Authorization header is, as for any request."""

    who: Who
    process_most: int = PROCESS_MOST
    operator_most: int = OPERATOR_MOST
    _open: Counter[str] = field(default_factory=Counter)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, kind: str, operator: str) -> Place:
        """A place for a stream or a waiting read. Raises RateLimited, or Unavailable when the process is full."""
        if self._open.total() >= self.process_most:
            raise Unavailable(f"this process has {self.process_most} followers; follow again in a moment")
        if self._open[operator] >= self.operator_most:
            raise RateLimited(f"you have {self.operator_most} followers here; end one, or read without waiting")
        self._open[operator] += 1
        metrics.STREAMS.labels(kind).inc()
        return Place(self, kind, operator)

    def leave(self, place: Place) -> None:
        """A place is free again."""
        self._open[place.operator] -= 1
        if not self._open[place.operator]:
            del self._open[place.operator]
        metrics.STREAMS.labels(place.kind).dec()

    def stop(self) -> None:
        """The service stops: everything that is open ends now."""
        self._stopped.set()

    async def until_closed(self, header: bytes | None, operator: str) -> None:
        """Until the service stops or the key no longer opens anything of the operator."""
        while not self._stopped.is_set():
            try:
                if (await self.who(header)).operator != operator:
                    return
            except Unauthenticated:
                return
            except Refusal:
                pass  # keys cannot be looked up now: that ends nothing
            try:
                await asyncio.wait_for(self._stopped.wait(), CHECK_SECONDS)
            except TimeoutError:
                continue


@dataclass(frozen=True, slots=True)
class Place:
    """Held while something is open."""

    streams: Streams
    kind: str
    operator: str

    def leave(self) -> None:
        """Give it back."""
        self.streams.leave(self)


def refuse_unless_streamed(request: Request) -> None:
    """BadRequest unless the caller asks for a stream by name: who opens the address by chance would wait for ever."""
    if "text/event-stream" not in request.headers.get("accept", ""):
        raise BadRequest("send Accept: text/event-stream, as EventSource does", field="accept")


async def waited(streams: Streams, request: Request, operator: str, work: Coroutine[Any, Any, T]) -> T | None:
    """What the work gives; None when the service stops, the key ends or the caller goes first."""
    header = request.headers.get("authorization", "").encode("latin-1")
    try:
        place = streams.take("waiting", operator)
    except Refusal:
        work.close()
        raise
    try:
        done = await _first(work, streams.until_closed(header, operator), _gone(request.receive))
        return await done[0] if 0 in done else None
    finally:
        place.leave()


class EventStream(EventSourceResponse):
    """Frames as they come, with pings between them. Holds a place, and gives it back at its end."""

    def __init__(self, frames: AsyncGenerator[bytes], place: Place, header: bytes) -> None:
        super().__init__(_nothing(), headers=HEADERS)
        self._frames = frames
        self._place = place
        self._header = header

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Until one of the ends that the module names."""
        operator = self._place.operator
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            if IS_HEAD in scope:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            closed = self._place.streams.until_closed(self._header, operator)
            ended = await _first(self._send(send), closed, _gone(receive))
        finally:
            self._place.leave()
        fault = ended[0].exception() if 0 in ended else None
        if 2 in ended:
            return
        if isinstance(fault, TimeoutError):
            log.warning("a stream of %s is dropped: nothing was read for %d s", operator, SEND_SECONDS)
            return  # what was sent half cannot be ended well
        if fault is not None and not isinstance(fault, Refusal):
            raise fault
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send) -> None:
        following: asyncio.Future[bytes] | None = None
        try:
            while True:
                following = following or asyncio.ensure_future(anext(self._frames))
                done, _ = await asyncio.wait({following}, timeout=PING_SECONDS)
                frame = KEEPALIVE_COMMENT
                if done:
                    frame, following = following.result(), None
                async with asyncio.timeout(SEND_SECONDS):
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
        except StopAsyncIteration:
            following = None
        finally:
            await _cancelled([] if following is None else [following])
            await self._frames.aclose()


async def _nothing() -> AsyncIterator[bytes]:
    """The body that the base class wants; ours is sent another way."""
    return
    yield b""


async def _gone(receive: Receive) -> None:
    """Until the caller has gone."""
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()


async def _first(*work: Coroutine[Any, Any, Any]) -> dict[int, asyncio.Task[Any]]:
    """Do all until one is done; the tasks that are, by their number. The others are cancelled."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return {nth: one for nth, one in enumerate(tasks) if one.done()}
    finally:
        await _cancelled(tasks)


async def _cancelled(tasks: list[Any]) -> None:
    """End what is still under way, and wait for that."""
    for one in tasks:
        one.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
