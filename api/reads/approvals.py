"""What needs two persons: the proposals."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from api.reads.common import Anyone, Id, Paged, Plain, Readers, answer
from services import queries
from services.answers import ApprovalAnswer


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["approvals"])
    reads = readers.reads

    @made.get(
        "/approvals",
        operation_id="get_approvals",
        response_model=queries.Page[ApprovalAnswer],
        summary="Proposals, those that wait first",
    )
    async def approvals(who: Anyone, query: Annotated[Paged, Query()]) -> Response:
        return answer(await queries.approvals(reads, who.operator, query.turn(), query.min_position))

    @made.get(
        "/approvals/{approval}",
        operation_id="get_approval",
        response_model=ApprovalAnswer,
        summary="A proposal and what became of it",
    )
    async def approval(who: Anyone, approval: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(await queries.approval(reads, who.operator, approval, query.min_position))

    return made
