"""What one person proposes and another lets happen, where an operator's `four_eyes` is `strict` (docs/for-finance.md).

A proposal keeps the command exactly, and moves nothing. It is open for 24 hours; an approval carries it out in the
same append, decided anew on what the house has become since.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, assert_never

from domain.changing import replace
from domain.errors import Forbidden, NotFound, WrongPhase
from domain.frozen import dataclass
from domain.jackpots.upkeep import PoolAccount
from domain.rounds.events import SeatCards

OPEN_FOR: Final = timedelta(hours=24)
"""How long a proposal may be approved."""


class Proposable(StrEnum):
    """The calls that need two persons."""

    VOID = "VOID"
    RESETTLE = "RESETTLE"
    CORRECT = "CORRECT"
    TRANSFER = "TRANSFER"
    VERIFY = "VERIFY"
    REFUSE = "REFUSE"
    ADJUST = "ADJUST"
    SIGN_OFF = "SIGN_OFF"


class Status(StrEnum):
    """What became of a proposal; one that nobody decided in time is EXPIRED, which no event says."""

    OPEN = "OPEN"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    WITHDRAWN = "WITHDRAWN"
    EXPIRED = "EXPIRED"


@dataclass(frozen=True, slots=True)
class Asking:
    """Who proposed, by which key and when; whom that person asked to approve (anybody else may); until when."""

    proposer: str
    key_id: str
    asked: str | None
    at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class VoidProposed:
    """Somebody wants a settled round, or some of its wagers, to be of no effect (C17 to C19)."""

    approval: str
    asking: Asking
    round: str
    reason: str
    policy: str
    evidence: str | None
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResettlementProposed:
    """Somebody wants a round to be settled again on these cards: `shared` for all, or those of each seat."""

    approval: str
    asking: Asking
    round: str
    shared: tuple[str, ...]
    seats: tuple[SeatCards, ...]
    dealer: tuple[str, ...]
    policy: str
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectionProposed:
    """Somebody wants an account of a pool to be corrected (R8)."""

    approval: str
    asking: Asking
    jackpot: str
    account: PoolAccount
    amount_micro: int
    reason: str


@dataclass(frozen=True, slots=True)
class TransferProposed:
    """Somebody wants money to be moved from one pool to another (R8)."""

    approval: str
    asking: Asking
    jackpot: str
    to: str
    account: PoolAccount
    amount_micro: int
    reason: str


@dataclass(frozen=True, slots=True)
class PrizeDecisionProposed:
    """Somebody wants a pending prize to be paid (`verify`), or not (S4-08, C24)."""

    approval: str
    asking: Asking
    jackpot: str
    award: str
    verify: bool
    reason: str


@dataclass(frozen=True, slots=True)
class AdjustmentProposed:
    """Somebody wants a balance to be corrected (R23)."""

    approval: str
    asking: Asking
    player: str
    amount_minor: int
    reason: str


@dataclass(frozen=True, slots=True)
class SignOffProposed:
    """Somebody wants a gaming day to be sealed as it was prepared (R17, R18)."""

    approval: str
    asking: Asking
    day: str
    reason: str


Proposal = (
    VoidProposed
    | ResettlementProposed
    | CorrectionProposed
    | TransferProposed
    | PrizeDecisionProposed
    | AdjustmentProposed
    | SignOffProposed
)


@dataclass(frozen=True, slots=True)
class ProposalApproved:
    """A second person agreed: what was proposed happens in the same append, with the proposer as actor."""

    approval: str
    by: str
    at: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class ProposalRejected:
    """A second person did not agree."""

    approval: str
    by: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalWithdrawn:
    """The proposer no longer wants it."""

    approval: str
    by: str
    at: datetime
    reason: str


Decision = ProposalApproved | ProposalRejected | ProposalWithdrawn
ApprovalEvent = Proposal | Decision


@dataclass(frozen=True, slots=True)
class Approval:
    """State: what is proposed, and how it was decided."""

    proposal: Proposal
    decision: Decision | None = None

    def status(self, now: datetime) -> Status:
        """What has become of it by a time."""
        match self.decision:
            case None:
                return Status.OPEN if now < self.proposal.asking.expires_at else Status.EXPIRED
            case ProposalApproved():
                return Status.APPROVED
            case ProposalRejected():
                return Status.REJECTED
            case ProposalWithdrawn():
                return Status.WITHDRAWN
            case _:
                assert_never(self.decision)


@dataclass(frozen=True, slots=True)
class Propose:
    """Lay something before a second person."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Approve:
    """Agree, as `by`, at the time of the call."""

    by: str
    at: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class Reject:
    """Do not agree; the proposer so takes it back."""

    by: str
    at: datetime
    reason: str


ApprovalCommand = Propose | Approve | Reject


def asking(proposer: str, key_id: str, asked: str | None, at: datetime) -> Asking:
    """Who asks; Forbidden for who asks himself."""
    if asked == proposer:
        raise Forbidden("the approver is another person than the caller", field="approver")
    return Asking(proposer, key_id, asked, at, at + OPEN_FOR)


def call_of(proposal: Proposal) -> Proposable:
    """Which call it is."""
    match proposal:
        case VoidProposed():
            return Proposable.VOID
        case ResettlementProposed():
            return Proposable.RESETTLE
        case CorrectionProposed():
            return Proposable.CORRECT
        case TransferProposed():
            return Proposable.TRANSFER
        case PrizeDecisionProposed():
            return Proposable.VERIFY if proposal.verify else Proposable.REFUSE
        case AdjustmentProposed():
            return Proposable.ADJUST
        case SignOffProposed():
            return Proposable.SIGN_OFF
        case _:
            assert_never(proposal)


def decide(command: ApprovalCommand, state: Approval | None) -> tuple[ApprovalEvent, ...]:
    """The events that `command` causes, or a Refusal: a proposal is decided once, in time, and not approved by the
    person who made it.
    """
    if isinstance(command, Propose):
        return (command.proposal,)
    if state is None:
        raise NotFound("no such approval", field="approval")
    status, name = state.status(command.at), state.proposal.approval
    if status is not Status.OPEN:
        raise WrongPhase(f"the proposal is {status.value} already", field="approval")
    is_own = command.by == state.proposal.asking.proposer
    match command:
        case Approve(by, at, reason):
            if is_own:
                raise Forbidden("who proposed it does not approve it: another person does")
            return (ProposalApproved(name, by, at, reason),)
        case Reject(by, at, reason):
            return (ProposalWithdrawn(name, by, at, reason) if is_own else ProposalRejected(name, by, at, reason),)
        case _:
            assert_never(command)


def evolve(state: Approval | None, event: ApprovalEvent) -> Approval:
    """The approval after `event`; no rule is looked at."""
    if isinstance(event, Decision):
        if state is None:
            raise ValueError("what was never proposed is not decided")
        return replace(state, decision=event)
    return Approval(event)
