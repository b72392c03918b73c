"""Answers about the play of a round."""

from __future__ import annotations

from domain.frozen import dataclass
from services.answers.accounts import Balance


@dataclass(frozen=True, slots=True)
class WagerLine:
    """One accepted wager."""

    wager: str
    kind: str
    stake: int


@dataclass(frozen=True, slots=True)
class AnteUsed:
    """An ante that was raised to the minimum (C10)."""

    asked: int
    used: int


@dataclass(frozen=True, slots=True)
class WagersAnswer:
    """What an action put on the spots; `total_bet` is all that stands for the player in this round (S0-35)."""

    round: str
    player: str
    seat: int | None
    wagers: tuple[WagerLine, ...]
    raised: AnteUsed | None
    total_bet: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class PhaseAnswer:
    """Where a round stands."""

    round: str
    phase: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class Rejection:
    """Wagers of one player that were let go at the close."""

    player: str
    reason: str
    wagers: tuple[str, ...]
    released: int


@dataclass(frozen=True, slots=True)
class CloseAnswer:
    """Betting closed: who stands, who was let go (the first 1,000), what the pool got in micro-units."""

    round: str
    phase: str
    seats: int
    rejected: tuple[Rejection, ...]
    rejected_count: int
    contribution_micro: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """The cards lie: what is public of them, dealer's card by place, None where not yet public."""

    round: str
    phase: str
    dealer: tuple[str | None, ...]
    player: tuple[str, ...] | None
    deadline: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class NextCard:
    """A place where the next scanned card may fall."""

    to: str
    number: int


@dataclass(frozen=True, slots=True)
class ScanAnswer:
    """A scanned card was taken, or put right: how many lie, where the next may fall, and when the decisions end where
    it was the last.
    """

    round: str
    phase: str
    to: str
    number: int
    laid: int
    next: tuple[NextCard, ...]
    deadline: str | None
    position: int = 0


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """A decision taken."""

    round: str
    player: str
    decision: str
    decided_by: str
    wagers: tuple[WagerLine, ...]
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class SettleAnswer:
    """A round that is settled."""

    round: str
    phase: str
    dealer: tuple[str, ...]
    dealer_hand: str
    qualifies: bool
    seats: int
    position: int = 0
