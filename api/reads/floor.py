"""Jackpots, the lobby, rounds, and a player's own view of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from api.reads.common import (
    TAGGED,
    Anyone,
    Auditors,
    Id,
    IfNoneMatch,
    Paged,
    Plain,
    Players,
    Readers,
    Whole,
    answer,
    tagged,
)
from api.reads.following import CloudEvent
from domain.errors import Invalid
from services import queries
from services.queries import LIMIT_MAX
from services.queries.jackpots import JackpotAnswer
from services.queries.lobby import TableAnswer
from services.queries.own import OwnView, own_view
from services.queries.rounds import RoundAnswer, RoundLine


class RoundEvents(BaseModel):
    """Events of a round, its seats and its awards, in order."""

    items: list[CloudEvent]
    next: str | None


class EventsQuery(Paged):
    """A page of events; only rounds of hundreds of seats have more than one."""

    limit: Annotated[Whole, Field(ge=1, le=LIMIT_MAX)] = LIMIT_MAX


class Wanted(Paged):
    """Rounds by game number or by table; one of both."""

    game_number: str | None = Field(default=None, min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_.:@-]+$")
    table: Id | None = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1")
    _floor(made, readers)
    _rounds(made, readers)
    _one_round(made, readers)
    return made


def _floor(made: APIRouter, readers: Readers) -> None:
    reads = readers.reads

    @made.get(
        "/jackpots/{jackpot}",
        operation_id="get_jackpot",
        response_model=JackpotAnswer,
        responses=TAGGED,
        tags=["jackpots"],
        summary="A pool and its meter",
    )
    async def jackpot(
        who: Anyone, jackpot: Id, query: Annotated[Plain, Query()], if_none_match: IfNoneMatch = None
    ) -> Response:
        return tagged(await queries.jackpot(reads, who.operator, jackpot, query.min_position), if_none_match)

    @made.get(
        "/tables",
        operation_id="get_tables",
        response_model=queries.Page[TableAnswer],
        responses=TAGGED,
        tags=["tables"],
        summary="The lobby",
    )
    async def tables(who: Anyone, query: Annotated[Paged, Query()], if_none_match: IfNoneMatch = None) -> Response:
        found = await queries.tables(reads, who.operator, query.turn(), query.min_position)
        return tagged(found, if_none_match)


def _rounds(made: APIRouter, readers: Readers) -> None:
    reads = readers.reads

    @made.get(
        "/rounds",
        operation_id="get_rounds",
        response_model=queries.Page[RoundLine],
        tags=["rounds"],
        summary="Look rounds up",
    )
    async def rounds(who: Anyone, query: Annotated[Wanted, Query()]) -> Response:
        if query.game_number is not None and query.table is None:
            found = await queries.rounds_by_game_number(reads, who.operator, query.game_number, query.min_position)
        elif query.table is not None and query.game_number is None:
            turn = query.turn()
            found = await queries.rounds_by_table(reads, who.operator, query.table, turn, query.min_position)
        else:
            raise Invalid("name one of game_number and table", field="game_number")
        return answer(found)

    @made.get(
        "/rounds/{round}",
        operation_id="get_round",
        response_model=RoundAnswer,
        tags=["rounds"],
        summary="A round as all may see it",
    )
    async def round_(who: Anyone, round: Id, query: Annotated[Paged, Query()]) -> Response:
        return answer(await queries.round_view(reads, who.operator, round, query.turn(), query.min_position))


def _one_round(made: APIRouter, readers: Readers) -> None:
    reads = readers.reads

    @made.get(
        "/rounds/{round}/events",
        operation_id="get_round_events",
        response_model=RoundEvents,
        tags=["rounds"],
        summary="All that happened in a round",
    )
    async def events(who: Auditors, round: Id, query: Annotated[EventsQuery, Query()]) -> Response:
        return answer(await queries.round_events(reads, who.operator, round, query.turn(), query.min_position))

    @made.get(
        "/rounds/{round}/players/{player}",
        operation_id="get_round_player",
        response_model=OwnView,
        tags=["rounds"],
        summary="A player's own view: own cards, hand, wagers, deadline",
    )
    async def own(who: Players, round: Id, player: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(
            await own_view(reads, readers.vault, who.operator, round, player, min_position=query.min_position)
        )
