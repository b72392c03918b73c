"""A day's reconciliation as the API shows it, whether it was just changed or is looked up."""

from __future__ import annotations

from dataclasses import fields

from domain.reconciliations import FoundBreak, PoolTotals, Reconciliation
from services.answers.reconciling import ReconciliationAnswer, RecordedBreak, SignedPool


def shown(known: Reconciliation, position: int = 0) -> ReconciliationAnswer:
    """The day with its breaks, those that are open first."""
    sealed, prepared = known.sealed, known.prepared
    still = {one.id for one in known.open}
    return ReconciliationAnswer(
        day=prepared.day,
        status="PREPARED" if sealed is None else "SEALED",
        log_position=prepared.log_position,
        chain_head=prepared.chain_head,
        state_hash=prepared.state_hash,
        prepared_by=prepared.prepared_by,
        approver=None if sealed is None else sealed.approver,
        pools=tuple(_pool(one) for one in prepared.totals),
        breaks=tuple(_break(one, known) for one in sorted(known.breaks, key=lambda one: one.id not in still)),
        position=position,
    )


def _pool(totals: PoolTotals) -> SignedPool:
    return SignedPool(**{field.name: str(getattr(totals, field.name)) for field in fields(SignedPool)})


def _break(one: FoundBreak, known: Reconciliation) -> RecordedBreak:
    over = next((over for over in known.resolved if over.break_id == one.id), None)
    return RecordedBreak(
        id=one.id,
        kind=one.kind,
        about=one.about,
        log_position=one.log_position,
        expected=one.expected,
        found=one.found,
        reason=one.reason,
        owner=one.owner,
        status="OPEN" if over is None else over.resolution.value,
        reference=None if over is None else over.reference,
        note=None if over is None else over.note,
        resolved_by=None if over is None else over.by,
    )
