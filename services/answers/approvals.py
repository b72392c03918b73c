"""Answers about what needs two persons: a proposal, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ProposedVoid:
    """The void of a round, or of some of its wagers."""

    round: str
    reason: str
    policy: str
    evidence: str | None
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedResettlement:
    """The full corrected cards of a round: `player` for all, or `seats`."""

    round: str
    player: tuple[str, ...] | None
    seats: Mapping[str, tuple[str, ...]] | None
    dealer: tuple[str, ...]
    policy: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedCorrection:
    """A signed amount of micro-units, as a decimal string, for an account of a pool."""

    jackpot: str
    account: str
    amount_micro: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedTransfer:
    """The same, from one pool to another."""

    jackpot: str
    to: str
    account: str
    amount_micro: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedPrize:
    """A pending prize: `call` says whether it is to be paid (VERIFY) or not (REFUSE)."""

    jackpot: str
    award: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedAdjustment:
    """A signed amount for a player."""

    player: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedSignOff:
    """A gaming day, to be sealed as it was prepared."""

    day: str
    reason: str


Proposed = (
    ProposedVoid
    | ProposedResettlement
    | ProposedCorrection
    | ProposedTransfer
    | ProposedPrize
    | ProposedAdjustment
    | ProposedSignOff
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    """A proposal. `asked` is whom the proposer named as approver; `status` OPEN, APPROVED, REJECTED, WITHDRAWN (by
    the proposer) or EXPIRED; who decided, when and why, once somebody has.
    """

    approval: str
    status: str
    call: str
    proposed: Proposed
    proposer: str
    asked: str | None
    at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    decided_because: str | None
    position: int = 0

    @property
    def is_open(self) -> bool:
        """Whether a second person may still decide."""
        return self.status == "OPEN"
