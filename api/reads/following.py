"""The event feed: pages, waiting for the next ones, and a stream; and the stream of a pool's meter."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Header, Query, Request
from fastapi.sse import format_sse_event
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.responses import Response

from api.auth import Principal
from api.reads.common import POSITION_MAX, Anyone, Id, Plain, Readers, Whole, answer
from api.streams import EventStream, refuse_unless_streamed, waited
from services import queries
from services.queries import events as feeds
from services.queries.events import Wanted

WAIT_SECONDS_MOST: Final = 30
RETRY_MILLISECONDS: Final = 3_000
"""When a client comes back after its stream was cut."""

PLACE_SECONDS: Final = 5.0
"""How often a stream says how far it is when nothing on the way was asked for."""

TypePrefix = Annotated[str, Field(pattern=r"^studbook\.[a-z0-9_.]{0,100}$")]
SubjectPrefix = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:@/-]{1,200}$")]
Position = Annotated[Whole, Field(ge=0, le=POSITION_MAX)]
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        pattern=r"^[0-9]{1,18}$",
        description="Where to go on: the `id` that was read last. It counts before `after`.",
    ),
]


class Choice(BaseModel):
    """Events whose type and subject begin so; all when left out."""

    model_config = ConfigDict(extra="forbid")

    type: TypePrefix | None = None
    subject: SubjectPrefix | None = None

    def wanted(self) -> Wanted:
        """As queries want it."""
        return Wanted(self.type or feeds.TYPE_PREFIX, self.subject or "")


class After(Plain, Choice):
    """Events past a position; with `wait` seconds for the next ones when there are none yet."""

    after: Position = 0
    limit: Annotated[Whole, Field(ge=1, le=queries.LIMIT_MAX)] = 100
    wait: Annotated[Whole, Field(ge=0, le=WAIT_SECONDS_MOST)] = 0


class From(Choice):
    """Events past a position; from now on when neither it nor Last-Event-ID is given."""

    after: Position | None = None


class Nothing(BaseModel):
    """No parameters."""

    model_config = ConfigDict(extra="forbid")


class CloudEvent(BaseModel):
    """An event as CloudEvents 1.0 has it. `id` is its position in the log, `sequence` the same with leading zeros, so
    that sequences are ordered as texts; `data` has the event's own fields with `meta`. `traceparent` is there where the
    request that caused the event had one.
    """

    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    subject: str
    time: AwareDatetime
    datacontenttype: Literal["application/json"]
    sequence: Annotated[str, Field(pattern=rf"^[0-9]{{{feeds.SEQUENCE_DIGITS}}}$")]
    data: dict[str, Any]
    traceparent: str = ""


class Feed(BaseModel):
    """Events in order; `after` is where to go on."""

    events: list[CloudEvent]
    after: int


class Frames(Response):
    """What the document knows of an EventStream: FastAPI would take a route of its own class for a generator."""

    media_type = "text/event-stream"


def described(model: str, text: str) -> dict[int | str, dict[str, Any]]:
    """A stream of events whose data are of one schema of the document (OpenAPI 3.2's `itemSchema`)."""
    data = {"type": "string", "contentMediaType": "application/json",
            "contentSchema": {"$ref": f"#/components/schemas/{model}"}}  # fmt: skip
    fields = {"data": data, "id": {"type": "string"}, "retry": {"type": "integer", "minimum": 0}}
    media = {"schema": {"type": "string"}, "itemSchema": {"type": "object", "properties": fields}}
    return {200: {"description": text, "content": {"text/event-stream": media}}}


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["books"])

    @made.get("/events", operation_id="get_events", response_model=Feed, summary="CloudEvents in order, for followers")
    async def events(request: Request, who: Anyone, query: Annotated[After, Query()]) -> Response:
        return answer(await _page(readers, request, who, query))

    @made.get(
        "/events/stream",
        operation_id="get_events_stream",
        response_class=Frames,
        responses=described("CloudEvent", "CloudEvents as they come; `id` is the position"),
        summary="CloudEvents as they come, as server-sent events",
    )
    async def stream(
        request: Request, who: Anyone, query: Annotated[From, Query()], last_event_id: LastEventId = None
    ) -> Response:
        refuse_unless_streamed(request)
        after = query.after if last_event_id is None else int(last_event_id)
        return _streamed(readers, request, who, _frames(readers, who.operator, after, query.wanted()))

    _meters(made, readers)
    return made


def _meters(made: APIRouter, readers: Readers) -> None:
    @made.get(
        "/jackpots/{jackpot}/stream",
        operation_id="get_jackpot_stream",
        response_class=Frames,
        responses=described("JackpotAnswer", "The pool now and after each change, the newest state only"),
        tags=["jackpots"],
        summary="A pool and its meter as it changes, as server-sent events",
    )
    async def meter(
        request: Request,
        who: Anyone,
        jackpot: Id,
        _: Annotated[Nothing, Query()],
        last_event_id: LastEventId = None,
    ) -> Response:
        del last_event_id  # the first frame is the newest state, whatever was read before
        await queries.jackpot(readers.reads, who.operator, jackpot)
        refuse_unless_streamed(request)
        return _streamed(readers, request, who, _states(readers, who.operator, jackpot))


def _streamed(readers: Readers, request: Request, who: Principal, frames: AsyncGenerator[bytes]) -> EventStream:
    place = readers.streams.take("streaming", who.operator)
    header = request.headers.get("authorization", "").encode("latin-1")
    return EventStream(frames, place, header)


async def _page(readers: Readers, request: Request, who: Principal, query: After) -> feeds.Feed:
    """The next page, once there is something in it or the time is over."""
    until = time.monotonic() + query.wait
    wanted, after, minimum = query.wanted(), query.after, query.min_position
    while True:
        found = await queries.events_after(
            readers.reads, who.operator, after, query.limit, minimum, wanted=wanted
        )  # fmt: skip
        if found.events or found.after == after or time.monotonic() >= until:
            break
        after = found.after  # what was looked at held nothing of the kind
    left = until - time.monotonic()
    if found.events or left <= 0:
        return found
    news = _news(readers, who.operator, query, found.after, left)
    return await waited(readers.streams, request, who.operator, news) or found


async def _news(readers: Readers, operator: str, query: After, after: int, seconds: float) -> feeds.Feed:
    """The next events past a position, or none when the time is over."""
    try:
        async with asyncio.timeout(seconds):
            return await readers.following.next_events(operator, after, query.limit, query.wanted())
    except TimeoutError:
        return feeds.Feed((), after)


def _frame(event: feeds.CloudEvent) -> bytes:
    return format_sse_event(data_str=orjson.dumps(event).decode(), id=str(event["id"]))


async def _frames(readers: Readers, operator: str, after: int | None, wanted: Wanted) -> AsyncGenerator[bytes]:
    """Events as frames; now and then the position alone, when nothing on the way was wanted."""
    yield format_sse_event(retry=RETRY_MILLISECONDS)
    due = time.monotonic() + PLACE_SECONDS
    async with aclosing(readers.following.events(operator, after, wanted)) as found:
        async for feed in found:
            if feed.events:
                yield b"".join([_frame(one) for one in feed.events])
            elif time.monotonic() >= due:
                yield format_sse_event(id=str(feed.after))
            else:
                continue
            due = time.monotonic() + PLACE_SECONDS


async def _states(readers: Readers, operator: str, jackpot: str) -> AsyncGenerator[bytes]:
    """A pool's states as frames."""
    yield format_sse_event(retry=RETRY_MILLISECONDS)
    async with aclosing(readers.following.meter(operator, jackpot)) as found:
        async for one in found:
            yield format_sse_event(data_str=orjson.dumps(one).decode(), id=str(one.position))
