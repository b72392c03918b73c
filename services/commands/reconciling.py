"""Commands about a gaming day's reconciliation."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.reconciliations import FoundBreak, PoolTotals, Resolution


@dataclass(frozen=True, slots=True)
class PrepareDay:
    """Record what a run found; a break without an owner is the caller's."""

    day: str
    log_position: int
    chain_head: str
    state_hash: str
    totals: tuple[PoolTotals, ...]
    breaks: tuple[FoundBreak, ...]


@dataclass(frozen=True, slots=True)
class ResolveBreak:
    """End a break: what put it right, or why it is taken as it is."""

    day: str
    break_id: str
    resolution: Resolution
    reference: str | None
    note: str


@dataclass(frozen=True, slots=True)
class SignOff:
    """Seal the day as it was prepared."""

    day: str
    reason: str
    approver: str | None = None
