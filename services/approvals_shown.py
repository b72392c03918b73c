"""A proposal as the API shows it, whether it was just made or is looked up."""

from __future__ import annotations

from typing import assert_never

from domain import approvals
from domain.approvals import Approval, Proposal, Status
from domain.views.model import time_text
from services.answers.approvals import (
    ApprovalAnswer,
    Proposed,
    ProposedAdjustment,
    ProposedCorrection,
    ProposedPrize,
    ProposedResettlement,
    ProposedSignOff,
    ProposedTransfer,
    ProposedVoid,
)


def shown(known: Approval, status: Status, position: int = 0) -> ApprovalAnswer:
    """The proposal with what became of it."""
    proposal, decision = known.proposal, known.decision
    asking = proposal.asking
    return ApprovalAnswer(
        approval=proposal.approval,
        status=status.value,
        call=approvals.call_of(proposal).value,
        proposed=_proposed(proposal),
        proposer=asking.proposer,
        asked=asking.asked,
        at=time_text(asking.at),
        expires_at=time_text(asking.expires_at),
        decided_by=None if decision is None else decision.by,
        decided_at=None if decision is None else time_text(decision.at),
        decided_because=None if decision is None else decision.reason,
        position=position,
    )


def _proposed(proposal: Proposal) -> Proposed:
    match proposal:
        case approvals.VoidProposed(_, _, round_id, reason, policy, evidence, wagers):
            return ProposedVoid(round_id, reason, policy, evidence, wagers)
        case approvals.ResettlementProposed(_, _, round_id, shared, seats, dealer, policy, reason):
            hands = {str(one.seat): one.cards for one in seats} or None
            return ProposedResettlement(round_id, shared or None, hands, dealer, policy, reason)
        case approvals.CorrectionProposed(_, _, jackpot, account, amount, reason):
            return ProposedCorrection(jackpot, account.value, str(amount), reason)
        case approvals.TransferProposed(_, _, jackpot, to, account, amount, reason):
            return ProposedTransfer(jackpot, to, account.value, str(amount), reason)
        case approvals.PrizeDecisionProposed(_, _, jackpot, award, _, reason):
            return ProposedPrize(jackpot, award, reason)
        case approvals.AdjustmentProposed(_, _, player, amount, reason):
            return ProposedAdjustment(player, amount, reason)
        case approvals.SignOffProposed(_, _, day, reason):
            return ProposedSignOff(day, reason)
        case _:
            assert_never(proposal)
