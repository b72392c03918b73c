"""Webhooks: how they are set, how far they are, and what was tried."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from api.reads.common import Id, Players, Readers, Whole, answer
from services.queries import LIMIT_DEFAULT, LIMIT_MAX
from services.webhooks import DeliveryPage, WebhookAnswer, WebhookList


class Nothing(BaseModel):
    """No parameters."""

    model_config = ConfigDict(extra="forbid")


class Tries(Nothing):
    """A page of tries; `cursor` is `next` of the page before."""

    limit: Annotated[Whole, Field(ge=1, le=LIMIT_MAX)] = LIMIT_DEFAULT
    cursor: Annotated[str | None, Field(pattern=r"^[1-9][0-9]{0,17}$")] = None


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["webhooks"])
    webhooks = readers.webhooks

    @made.get("/webhooks", operation_id="get_webhooks", response_model=WebhookList, summary="Your webhooks")
    async def listed(who: Players, _: Annotated[Nothing, Query()]) -> Response:
        return answer(await webhooks.list(who.operator))

    @made.get(
        "/webhooks/{webhook}",
        operation_id="get_webhook",
        response_model=WebhookAnswer,
        summary="A webhook and how far it is",
    )
    async def one(who: Players, webhook: Id, _: Annotated[Nothing, Query()]) -> Response:
        return answer(await webhooks.read(who.operator, webhook))

    @made.get(
        "/webhooks/{webhook}/deliveries",
        operation_id="get_webhook_deliveries",
        response_model=DeliveryPage,
        summary="What was tried, newest first",
    )
    async def deliveries(who: Players, webhook: Id, query: Annotated[Tries, Query()]) -> Response:
        before = None if query.cursor is None else int(query.cursor)
        return answer(await webhooks.deliveries(who.operator, webhook, before, query.limit))

    return made
