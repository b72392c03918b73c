"""What needs two persons: one proposes, another lets it happen (design of `four_eyes`; docs/for-finance.md).

A proposal is tried before it is kept, on a desk that is thrown away, so that what could not happen now is refused at
once. An approval carries the command out as it was proposed, on the house as it is then, in the same append.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from domain import approvals
from domain.approvals import Approval, Approve, Asking, Propose, Reject, Status, VoidProposed
from domain.changing import replace
from domain.errors import Forbidden, Invalid, NotFound
from domain.rounds import decider as rounds
from domain.rounds.events import SeatCards
from domain.seats.events import Stage
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.answers import Answer
from services.approvals_shown import shown
from services.desk import Desk

CarryOut = Callable[[Desk, c.Command], Answer]


def propose(desk: Desk, command: c.TwoPersonCommand, carry_out: CarryOut) -> Answer:
    """Keep the command for a second person; a void of a round that is not settled, or a dry run, happens at once."""
    if isinstance(command, c.Void) and not _needs_two(desk, command):
        # nobody has approved it: whom the call names stays out of the event
        return carry_out(desk, replace(command, approver=desk.command_id if command.dry_run else None))
    meta = desk.meta
    asking = approvals.asking(meta.actor, meta.key_id, command.approver, meta.effective_at)
    carry_out(desk.trial(), replace(command, approver=desk.command_id))
    stream = desk.approval_at(desk.command_id)
    order = Propose(_proposal_of(command, desk.command_id, asking))
    desk.post((stream, approvals.decide(order, desk.find_approval(desk.command_id))))
    return shown(_approval(desk, desk.command_id), Status.OPEN)


def decide(desk: Desk, command: c.DecideApproval, carry_out: CarryOut) -> Answer:
    """Approve: what was proposed happens, and is answered as its own call would. Reject: nothing does."""
    known = _approval(desk, command.approval)
    if approvals.call_of(known.proposal).value not in command.may:
        raise Forbidden("a proposal is decided with a key that may make the call itself")
    who, at, stream = desk.meta.actor, desk.meta.effective_at, desk.approval_at(command.approval)
    if not command.approves:
        if command.reason is None:
            raise Invalid("say why it is rejected", field="reason")
        desk.post((stream, approvals.decide(Reject(who, at, command.reason), known)))
        after = _approval(desk, command.approval)
        return shown(after, after.status(at))
    desk.post((stream, approvals.decide(Approve(who, at, command.reason), known)))
    asking, proposed = known.proposal.asking, _command_of(known.proposal, who)
    desk.act_for(asking.proposer, asking.key_id, getattr(proposed, "round", command.approval))
    return carry_out(desk, proposed)


def round_of(desk: Desk, command: c.DecideApproval) -> str:
    """The round that is voided by an approval; TypeError where it is about something else."""
    proposal = _approval(desk, command.approval).proposal
    if not isinstance(proposal, VoidProposed):
        raise TypeError("only a void is done in slices")
    return proposal.round


def _needs_two(desk: Desk, command: c.Void) -> bool:
    return not command.dry_run and rounds.void_stage(desk.round(command.round)) is Stage.AFTER_SETTLEMENT


def _approval(desk: Desk, approval: str) -> Approval:
    found = desk.find_approval(approval)
    if found is None:
        raise NotFound("no such approval", field="approval")
    return found


def _proposal_of(command: c.TwoPersonCommand, name: str, by: Asking) -> approvals.Proposal:
    """The command as an event keeps it, all but the approver."""
    match command:
        case c.Void():
            policy = "" if command.policy is None else command.policy.value
            return VoidProposed(name, by, command.round, command.reason, policy, command.evidence, command.wagers)
        case c.Resettle():
            seats = tuple(SeatCards(seat, cards) for seat, cards in command.seats or ())
            policy, reason = command.policy.value, command.reason
            return approvals.ResettlementProposed(
                name, by, command.round, command.shared or (), seats, command.dealer, policy, reason
            )
        case c.CorrectJackpot():
            return approvals.CorrectionProposed(
                name, by, command.jackpot, command.account, command.amount_micro, command.reason
            )
        case c.TransferJackpot(jackpot, to, account, amount, reason):
            return approvals.TransferProposed(name, by, jackpot, to, account, amount, reason)
        case c.VerifyPrize(jackpot, award, reason) | c.RefusePrize(jackpot, award, reason):
            verify = isinstance(command, c.VerifyPrize)
            return approvals.PrizeDecisionProposed(name, by, jackpot, award, verify, reason)
        case c.AdjustBalance():
            return approvals.AdjustmentProposed(name, by, command.player, command.amount_minor, command.reason)
        case c.SignOff():
            return approvals.SignOffProposed(name, by, command.day, command.reason)
        case _:
            assert_never(command)


def _command_of(proposal: approvals.Proposal, approver: str) -> c.TwoPersonCommand:
    """The command that was proposed, with who approved it."""
    match proposal:
        case VoidProposed(_, _, round_id, reason, policy, evidence, wagers):
            return c.Void(round_id, reason, VoidPolicy(policy), approver, evidence, False, wagers)
        case approvals.ResettlementProposed(_, _, round_id, shared, seats, dealer, policy, reason):
            hands = tuple((one.seat, one.cards) for one in seats) or None
            return c.Resettle(round_id, shared or None, hands, dealer, VoidPolicy(policy), reason, approver)
        case approvals.CorrectionProposed(_, _, jackpot, account, amount, reason):
            return c.CorrectJackpot(jackpot, account, amount, reason, approver)
        case approvals.TransferProposed(_, _, jackpot, to, account, amount, reason):
            return c.TransferJackpot(jackpot, to, account, amount, reason, approver)
        case approvals.PrizeDecisionProposed(_, _, jackpot, award, verify, reason):
            kind = c.VerifyPrize if verify else c.RefusePrize
            return kind(jackpot, award, reason, approver)
        case approvals.AdjustmentProposed(_, _, player, amount, reason):
            return c.AdjustBalance(player, amount, reason, approver)
        case approvals.SignOffProposed(_, _, day, reason):
            return c.SignOff(day, reason, approver)
        case _:
            assert_never(proposal)
