"""A player's balance and histories (S0-27, S0-42)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from api.reads.common import MOMENT, POSITION_MAX, Anyone, Id, Paged, Plain, Readers, answer, moment
from domain.errors import Invalid
from services import queries
from services.queries import Reads
from services.queries import accounts as rows
from services.queries import players as own


class AsOf(Plain):
    """`as_of`: a position, or a time with its zone such as 2026-11-29T12:00:00Z."""

    as_of: str | None = Field(default=None, max_length=40)


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["players"])
    reads = readers.reads

    @made.get(
        "/players/{player}/balance",
        operation_id="get_players_balance",
        response_model=rows.BalanceAnswer,
        summary="Balance, now or as of a position or time",
    )
    async def balance(who: Anyone, player: Id, query: Annotated[AsOf, Query()]) -> Response:
        if query.as_of is not None:
            then = _as_of(query.as_of)
            return answer(await queries.balance_as_of(reads, who.operator, player, then, query.min_position))
        return answer(await queries.balance(reads, who.operator, player, query.min_position))

    @made.get(
        "/players/{player}/account-history",
        operation_id="get_players_account_history",
        response_model=queries.Page[rows.AccountLine],
        summary="Account history, newest first",
    )
    async def account_history(who: Anyone, player: Id, query: Annotated[Paged, Query()]) -> Response:
        found = await queries.account_history(reads, who.operator, player, query.turn(), query.min_position)
        return answer(found)

    @made.get(
        "/players/{player}/game-history",
        operation_id="get_players_game_history",
        response_model=queries.Page[rows.GameLine],
        summary="Game history, newest first",
    )
    async def game_history(who: Anyone, player: Id, query: Annotated[Paged, Query()]) -> Response:
        return answer(await queries.game_history(reads, who.operator, player, query.turn(), query.min_position))

    _settings(made, reads)
    _transactions(made, reads)
    return made


def _settings(made: APIRouter, reads: Reads) -> None:
    @made.get(
        "/players/{player}/settings",
        operation_id="get_players_settings",
        response_model=own.SettingsView,
        summary="Settings, the same on every device",
    )
    async def settings(who: Anyone, player: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(await own.settings(reads, who.operator, player, query.min_position))

    @made.get(
        "/players/{player}/limits",
        operation_id="get_players_limits",
        response_model=own.LimitsView,
        summary="The player's own limit",
    )
    async def limits(who: Anyone, player: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(await own.limits(reads, who.operator, player, query.min_position))


def _transactions(made: APIRouter, reads: Reads) -> None:
    @made.get(
        "/transactions/by-reference/{transaction_id}",
        operation_id="get_transaction",
        response_model=rows.TransactionAnswer,
        summary="A deposit or withdrawal by the operator's own id",
    )
    async def transaction(who: Anyone, transaction_id: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(await queries.transaction(reads, who.operator, transaction_id, query.min_position))


def _as_of(text: str) -> int | datetime:
    """A position or a time. Invalid names `as_of`."""
    if text.isascii() and text.isdigit():
        if len(text) > len(str(POSITION_MAX)) or int(text) > POSITION_MAX:
            raise Invalid("no position is that large", field="as_of")
        return int(text)
    at = moment(text)
    if at is None:
        raise Invalid(f"a position, or a time with its zone such as {MOMENT}", field="as_of")
    return at
