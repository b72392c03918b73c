"""The event feed and the journal."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field
from starlette.responses import Response

from api.fields import Currency
from api.reads.common import POSITION_MAX, Anyone, Books, Moment, Paged, Plain, Readers, Whole, answer
from services import queries


class After(Plain):
    """Events past a position."""

    after: Annotated[Whole, Field(ge=0, le=POSITION_MAX)] = 0
    limit: Annotated[Whole, Field(ge=1, le=queries.LIMIT_MAX)] = 100


class CloudEvent(BaseModel):
    """An event as CloudEvents 1.0 has it; `sequence` is its position, `data` the event's own fields with `meta`."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    subject: str
    time: AwareDatetime
    datacontenttype: Literal["application/json"]
    sequence: str
    data: dict[str, Any]


class Feed(BaseModel):
    """Events in order; `after` is where to go on."""

    events: list[CloudEvent]
    after: int


class JournalQuery(Paged):
    """Postings from a time (included) to a time (not included), of one currency if so wanted."""

    begin: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")
    currency: Currency | None = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["books"])
    reads = readers.reads

    @made.get("/events", operation_id="get_events", response_model=Feed, summary="CloudEvents in order, for followers")
    async def events(who: Anyone, query: Annotated[After, Query()]) -> Response:
        found = await queries.events_after(reads, who.operator, query.after, query.limit, query.min_position)
        return answer(found)

    @made.get(
        "/journal",
        operation_id="get_journal",
        response_model=queries.Page[queries.JournalLine],
        summary="Postings, oldest first",
    )
    async def journal(who: Books, query: Annotated[JournalQuery, Query()]) -> Response:
        wanted = queries.JournalFilter(query.begin, query.end, query.currency)
        return answer(await queries.journal(reads, who.operator, wanted, query.turn(), query.min_position))

    return made
