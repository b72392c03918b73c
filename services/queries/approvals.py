"""Reads about what needs two persons: the proposals of an operator, those that wait first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain import approvals as deciders
from domain.approvals import Approval, ApprovalEvent
from domain.errors import NotFound
from domain.ids import approval_stream
from domain.views.approvals import APPROVALS, CLOSED, OPEN, Listed
from domain.views.model import RowKey
from services.answers import ApprovalAnswer
from services.approvals_shown import shown
from services.ports_reads import Snapshot, Views
from services.queries.pages import Page, Scope, Turn, group_scope, scan_page
from services.queries.reads import Reads

NAMED: Final = "named"
"""`four_eyes` of an operator whose approvers are names; any other is strict, and so is one that was never set."""


async def is_strict(views: Views, operator: str) -> bool:
    """Whether the operator's calls that need two persons are only proposed. Raises Unavailable."""
    async with views.reading(operator, ()) as snapshot:
        return await snapshot.four_eyes() != NAMED


async def approvals(reads: Reads, operator: str, turn: Turn, min_position: int | None = None) -> Page[ApprovalAnswer]:
    """All proposals: first those that nobody has decided, then the others, of each the newest first.

    Raises Invalid, Unavailable.
    """
    async with reads.views.reading(operator, {APPROVALS.name}, min_position) as snapshot:
        first = group_scope(APPROVALS.name, Listed, CLOSED).first
        end = group_scope(APPROVALS.name, Listed, OPEN).end
        scope = Scope(APPROVALS.name, Listed, first, end, newest_first=True)
        rows, after = await scan_page(snapshot, scope, turn, ("approvals",))
        found = await _read(reads, snapshot, operator, [key for key, _ in rows])
        return Page(tuple(found), after, snapshot.position)


async def approval(reads: Reads, operator: str, name: str, min_position: int | None = None) -> ApprovalAnswer:
    """One proposal. Raises NotFound, Unavailable."""
    async with reads.views.reading_log(operator, min_position) as snapshot:
        found = await _read(reads, snapshot, operator, [RowKey(OPEN, name)])
        if not found:
            raise NotFound("no such approval", field="approval")
        return found[0]


async def _read(reads: Reads, snapshot: Snapshot, operator: str, rows: Sequence[RowKey]) -> Sequence[ApprovalAnswer]:
    """What the log says of these proposals, in their order."""
    streams = [approval_stream(operator, row.key) for row in rows]
    if not streams:
        return ()
    states: dict[str, Approval] = {}
    positions: dict[str, int] = {}
    now = reads.clock.now()
    for _, one in await snapshot.events_of(streams, f"{streams[0]}/", ()):  # an id holds no slash: these alone
        if isinstance(one.event, ApprovalEvent):
            states[one.stream] = deciders.evolve(states.get(one.stream), one.event)
            positions[one.stream] = one.position
    return [shown(states[one], states[one].status(now), positions[one]) for one in streams if one in states]
