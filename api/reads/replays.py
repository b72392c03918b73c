"""The replay of a round, for auditors: its steps, and every result worked out a second time (R26)."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from api.reads.common import Auditors, Id, Plain, Readers, Whole, answer
from services.queries import Reads, Turn
from services.queries.stories import SEATS_DEFAULT, SEATS_MAX, story_page
from services.replay.replay import Part, Replay, replay


class SeatsQuery(Plain):
    """How many seats at once, and the cursor that the page before gave as `next`."""

    limit: Annotated[Whole, Field(ge=1, le=SEATS_MAX)] = SEATS_DEFAULT
    cursor: str | None = Field(default=None, max_length=1024)


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["audit"])
    reads = readers.reads

    @made.get(
        "/rounds/{round}/replay",
        operation_id="get_round_replay",
        response_model=Replay,
        summary="A round replayed step by step, and settled a second time",
    )
    async def replayed(who: Auditors, round: Id, query: Annotated[SeatsQuery, Query()]) -> Response:
        return await _replayed(reads, who.operator, round, Turn(query.limit, query.cursor), query.min_position)

    return made


async def _replayed(reads: Reads, operator: str, round_id: str, turn: Turn, min_position: int | None) -> Response:
    """Worked out in a thread: wagers that this process takes do not wait for it."""
    page = await story_page(reads, operator, round_id, turn, min_position)
    exponent = reads.exponent(page.story.opened.terms.currency)
    part = Part(frozenset(page.players), page.is_first, page.next)
    return await asyncio.to_thread(lambda: answer(replay(page.story, exponent, page.position, part)))
