"""Reconciliations, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .reconciled import RecordedBreak, SignedPool


class ReconciliationAnswer(Answer):
    """A day: `status` PREPARED or SEALED; `log_position` is its last event, `chain_head` the hash there."""

    day: str
    status: str
    log_position: int
    chain_head: str
    state_hash: str
    prepared_by: str
    approver: str | None
    pools: list[SignedPool]
    breaks: list[RecordedBreak]
    position: int | None = None
