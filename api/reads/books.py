"""The event feed and the journal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.responses import Response

from api.fields import Currency
from api.reads.common import POSITION_MAX, Anyone, Books, Paged, Readers, answer
from domain.views.journal import JournalLine
from services import queries


class After(BaseModel):
    """Events past a position."""

    model_config = ConfigDict(extra="forbid")

    after: int = Field(default=0, ge=0, le=POSITION_MAX)
    limit: int = Field(default=100, ge=1, le=queries.LIMIT_MAX)


class JournalQuery(Paged):
    """Postings from a time (included) to a time (not included), of one currency if so wanted."""

    begin: AwareDatetime | None = Field(default=None, alias="from")
    end: AwareDatetime | None = Field(default=None, alias="to")
    currency: Currency | None = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["books"])
    reads = readers.reads

    @made.get("/events", summary="CloudEvents in order, for followers")
    async def events(who: Anyone, query: Annotated[After, Query()]) -> Response:
        return answer(await queries.events_after(reads, who.operator, query.after, query.limit))

    @made.get("/journal", response_model=queries.Page[JournalLine], summary="Postings, oldest first")
    async def journal(who: Books, query: Annotated[JournalQuery, Query()]) -> Response:
        wanted = queries.JournalFilter(query.begin, query.end, query.currency)
        return answer(await queries.journal(reads, who.operator, wanted, query.turn(), query.min_position))

    return made
