"""A table's chat, and its log of 90 days."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.responses import Response

from api.auth import Principal, requires
from api.reads.common import POSITION_MAX, Id, Paged, Readers, Whole, answer
from services.queries.chat import Asked, ChatAnswer, ChatLog, chat, chat_log

Watchers = Annotated[Principal, Depends(requires("operator", "dealer", "admin"))]
"""Who is at the table: the casino's own systems, and the dealer."""

Moderators = Annotated[Principal, Depends(requires("operator", "dealer", "auditor", "admin"))]
"""Who answers for what is said there."""


class Lines(Paged):
    """A page, of lines past a position alone where `after` names one."""

    after: Annotated[Whole, Field(ge=0, le=POSITION_MAX)] = 0

    def asked(self, table: str) -> Asked:
        """As queries want it."""
        return Asked(table, self.turn(), self.after, self.min_position)


class PlayersLines(Lines):
    """The same, as `player` wants to see it where one is named."""

    player: Id | None = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["chat"])
    reads = readers.reads

    @made.get(
        "/tables/{table}/chat",
        operation_id="get_chat",
        response_model=ChatAnswer,
        summary="A table's chat, newest first",
    )
    async def shown(who: Watchers, table: Id, query: Annotated[PlayersLines, Query()]) -> Response:
        return answer(await chat(reads, who.operator, query.asked(table), query.player))

    @made.get(
        "/tables/{table}/chat/log",
        operation_id="get_chat_log",
        response_model=ChatLog,
        summary="A table's chat of 90 days with what was withdrawn",
    )
    async def logged(who: Moderators, table: Id, query: Annotated[Lines, Query()]) -> Response:
        return answer(await chat_log(reads, who.operator, query.asked(table)))

    return made
