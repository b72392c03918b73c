"""Reconciled: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class RecordedBreak(Answer):
    """A break: `status` OPEN, CORRECTED or ACCEPTED; how it ended, once it has. `log_position` is the event's."""

    id: str
    kind: str
    about: str
    log_position: int | None
    expected: str
    found: str
    reason: str
    owner: str
    status: str
    reference: str | None
    note: str | None
    resolved_by: str | None


class SignedPool(Answer):
    """Control totals of a pool's day: opening, terms net of their mirrors, closing by account."""

    jackpot: str
    currency: str
    opening_micro: str
    seed_micro: str
    resets_micro: str
    contributions_micro: str
    corrections_micro: str
    transfers_micro: str
    shortfall_micro: str
    awards_micro: str
    meter_micro: str
    reserve_micro: str
    overflow_micro: str
    pay_micro: str
    con_micro: str
    fund_micro: str


class DoneReconciliationAnswer(Answer):
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
    position: int
