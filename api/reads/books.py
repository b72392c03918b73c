"""The journal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from api.fields import Currency
from api.reads.common import Books, Moment, Paged, Readers, answer
from services import queries


class JournalQuery(Paged):
    """Postings from a time (included) to a time (not included), of one currency if so wanted."""

    begin: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")
    currency: Currency | None = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["books"])
    reads = readers.reads

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
