"""What a round can be asked to do. Cards arrive opened: a round never decrypts."""

from __future__ import annotations

from datetime import datetime

from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound
from domain.rounds.events import AwardRecord, OpenedCards, ResetRecord, Share
from domain.rounds.scans import CorrectScan, OpenScans, ScanCard
from domain.settlement import DecidedBy
from domain.tables import TableTerms


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Open betting under the table's terms, with the sealed deck of a shoe."""

    round: str
    game_number: str
    terms: TableTerms
    commitment: str | None
    sealed_deck: str | None
    software_version: str
    build: str
    opened_at: datetime
    closes_at: datetime | None


@dataclass(frozen=True, slots=True)
class CloseRound:
    """End betting; `shares` is what the standing progressive wagers give to the pool."""

    decided_by: DecidedBy
    seats: int
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class DealRound:
    """Lay the cards; what is not public arrives sealed."""

    up_card: str
    shared_cards: tuple[str, ...]
    seats: tuple[int, ...]
    sealed_cards: str | None
    deadline: datetime


@dataclass(frozen=True, slots=True)
class HoldShowdown:
    """Show all cards and fix results and awards."""

    cards: OpenedCards
    dealer_hand: str
    qualifies: bool
    order: tuple[str, ...]
    awards: tuple[AwardRecord, ...]
    resets: tuple[ResetRecord, ...]
    found: PoolFound | None


@dataclass(frozen=True, slots=True)
class CorrectCards:
    """Settle the round again on these cards."""

    cards: OpenedCards
    dealer_hand: str
    qualifies: bool
    awards: tuple[AwardRecord, ...]
    resets: tuple[ResetRecord, ...]
    reason: str
    policy: str
    approver: str


@dataclass(frozen=True, slots=True)
class FinishRound:
    """Every seat is paid."""

    seats: int


@dataclass(frozen=True, slots=True)
class DecideAward:
    """Say what became of a pending prize."""

    award: str
    verified: bool


@dataclass(frozen=True, slots=True)
class PauseRound:
    """Stop for an investigation."""

    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ResumeRound:
    """Go on."""

    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CancelRound:
    """Give the round up before showdown."""

    reason: str
    cards: OpenedCards | None


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Make the round of no effect."""

    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None
    cards: OpenedCards | None


@dataclass(frozen=True, slots=True)
class VoidWagers:
    """Make some wagers of no effect, and the awards that they won."""

    wagers: tuple[str, ...]
    awards: tuple[str, ...]
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ResolveReviews:
    """Decide what was held for review."""

    policy: str


@dataclass(frozen=True, slots=True)
class BeginUndoing:
    """Void or cancel a round of so many seats in slices; no card is opened yet."""

    order: VoidRound | CancelRound
    seats: int


@dataclass(frozen=True, slots=True)
class FinishUndoing:
    """The last seat is undone."""

    cards: OpenedCards | None


RoundCommand = (
    OpenRound
    | CloseRound
    | DealRound
    | HoldShowdown
    | FinishRound
    | DecideAward
    | PauseRound
    | ResumeRound
    | CancelRound
    | VoidRound
    | VoidWagers
    | ResolveReviews
    | CorrectCards
    | ScanCard
    | CorrectScan
    | OpenScans
    | BeginUndoing
    | FinishUndoing
)
