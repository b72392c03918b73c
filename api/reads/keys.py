"""Keys, and who came to the door."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field, StringConstraints
from starlette.responses import Response

from api.reads.common import Admins, Auditors, Moment, Paged, Readers, answer
from services import queries

Kind = Annotated[str, StringConstraints(pattern=r"^[A-Z_]{3,32}$")]
"""LOGIN_FAILED, DENIED, KEY_USED and so on."""

_SUMMARY: Final = "Failed logins, denials, use and changes of keys, newest first"


class AccessQuery(Paged):
    """Lines of one kind, from a time (included) to a time (not included)."""

    kind: Kind | None = None
    begin: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["keys"])
    reads = readers.reads

    @made.get(
        "/keys",
        operation_id="get_keys",
        response_model=queries.Page[queries.KeyItem],
        summary="The operator's keys, newest first",
    )
    async def keys(who: Admins, query: Annotated[Paged, Query()]) -> Response:
        return answer(await queries.keys(reads, who.operator, query.turn(), query.min_position))

    @made.get(
        "/access-log",
        operation_id="get_access_log",
        response_model=queries.Page[queries.AccessItem],
        summary=_SUMMARY,
    )
    async def access_log(who: Auditors, query: Annotated[AccessQuery, Query()]) -> Response:
        wanted = queries.AccessFilter(query.kind, query.begin, query.end)
        return answer(await queries.access_log(reads, who.operator, wanted, query.turn(), query.min_position))

    return made
