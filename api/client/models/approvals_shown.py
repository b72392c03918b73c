"""Approvals, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .proposals import (
    ProposedAdjustment,
    ProposedCorrection,
    ProposedPrize,
    ProposedResettlement,
    ProposedSignOff,
    ProposedTransfer,
    ProposedVoid,
)


class ApprovalAnswer(Answer):
    """A proposal. `asked` is whom the proposer named as approver; `status` OPEN, APPROVED, REJECTED, WITHDRAWN (by
    the proposer) or EXPIRED; who decided, when and why, once somebody has.
    """

    approval: str
    status: str
    call: str
    proposed: (
        ProposedVoid
        | ProposedResettlement
        | ProposedCorrection
        | ProposedTransfer
        | ProposedPrize
        | ProposedAdjustment
        | ProposedSignOff
    )
    proposer: str
    asked: str | None
    at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    decided_because: str | None
    position: int | None = None


class ApprovalAnswerPage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[ApprovalAnswer]
    next: str | None
    position: int
