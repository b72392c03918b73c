"""Reads about a gaming day's reconciliation, from its own events."""

from __future__ import annotations

from domain import reconciliations
from domain.errors import NotFound
from domain.ids import reconciliation_stream
from domain.reconciliations import Reconciliation, ReconciliationEvent
from services.answers import ReconciliationAnswer
from services.queries.reads import Reads
from services.reconciliation_shown import shown


async def reconciliation(
    reads: Reads, operator: str, day: str, min_position: int | None = None
) -> ReconciliationAnswer:
    """The day as persons have left it. Raises NotFound, Unavailable."""
    stream, position = reconciliation_stream(operator, day), 0
    state: Reconciliation | None = None
    async with reads.views.reading_log(operator, min_position) as snapshot:
        for _, one in await snapshot.events_of([stream], f"{stream}/", ()):  # a day holds no slash: this one alone
            if isinstance(one.event, ReconciliationEvent):
                state, position = reconciliations.evolve(state, one.event), one.position
        if state is None:
            raise NotFound("nobody has prepared this day", field="day")
        return shown(state, position)
