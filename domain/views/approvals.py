"""Which proposals there are, those that nobody has decided apart. What they say stands in the log.

open      {approval}    not decided; the newest last, and so the expired ones first
closed    {approval}    approved, rejected or withdrawn
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from domain.approvals import Decision, Proposal
from domain.frozen import dataclass
from domain.views.model import Fact, Model, RowKey

_PROPOSED: Final = get_args(Proposal)
_DECIDED: Final = get_args(Decision)


@dataclass(frozen=True, slots=True)
class Listed:
    """A proposal; `position` is that of its last event."""

    position: int


OPEN: Final = "open"
CLOSED: Final = "closed"
"""Groups of rows; read from the end, the open ones come first, and of each the newest."""


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    event = fact.event
    if isinstance(event, Decision):
        return RowKey(OPEN, event.approval), RowKey(CLOSED, event.approval)
    return (RowKey(OPEN, event.approval),) if isinstance(event, Proposal) else ()


def _fold(_: Mapping[RowKey, Listed | None], fact: Fact) -> Mapping[RowKey, Listed | None]:
    event, row = fact.event, Listed(fact.position)
    if isinstance(event, Decision):
        return {RowKey(OPEN, event.approval): None, RowKey(CLOSED, event.approval): row}
    return {RowKey(OPEN, event.approval): row} if isinstance(event, Proposal) else {}


APPROVALS: Final[Model[Listed]] = Model(
    name="approvals",
    kinds={OPEN: Listed, CLOSED: Listed},
    reads=frozenset((*_PROPOSED, *_DECIDED)),
    keys=_keys,
    fold=_fold,
)
