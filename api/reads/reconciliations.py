"""A gaming day's reconciliation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from api.reads.common import Books, Id, Plain, Readers, answer
from services import queries
from services.answers import ReconciliationAnswer


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["reconciliations"])
    reads = readers.reads

    @made.get(
        "/reconciliations/{day}",
        operation_id="get_reconciliation",
        response_model=ReconciliationAnswer,
        summary="A day's reconciliation: totals, breaks, who sealed it",
    )
    async def reconciliation(who: Books, day: Id, query: Annotated[Plain, Query()]) -> Response:
        return answer(await queries.reconciliation(reads, who.operator, day, query.min_position))

    return made
