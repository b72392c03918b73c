"""What can happen to a round. Cards not yet public stand sealed (`sealed_...`) until showdown or void opens them."""

from __future__ import annotations

from datetime import datetime

from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound
from domain.rounds.scans import CardScanned, ScanCorrected, ScansOpened
from domain.seats.events import Stage
from domain.settlement import DecidedBy
from domain.tables import TableTerms
from domain.words import StrEnum


class Phase(StrEnum):
    """Where a round stands."""

    BETTING_OPEN = "BETTING_OPEN"
    CLOSING_SOON = "CLOSING_SOON"
    BETTING_CLOSED = "BETTING_CLOSED"
    DECIDING = "DECIDING"
    SHOWDOWN = "SHOWDOWN"
    PAYING = "PAYING"
    SETTLED = "SETTLED"
    PAUSED = "PAUSED"
    CANCELLED = "CANCELLED"
    VOIDED = "VOIDED"


@dataclass(frozen=True, slots=True)
class Share:
    """One progressive wager's part in its pool, in micro-units, at the rates in force at the close."""

    wager: str
    player: str
    stake_minor: int
    increment_micro: int
    reserve_micro: int


@dataclass(frozen=True, slots=True)
class SeatCards:
    """The five cards of one seat, in the order dealt."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AwardRecord:
    """A prize that this round made, as its pool's event has it, so that a void reads the round alone.

    `prize_minor` is what the player gets, `pool_micro` what the meter gave, the house pays the rest; `turn` is
    the version of the pool's stream that made it, so that older and later can be told. `shared` awards of one
    category cost the pool together. `meter_before_micro` is what the winner's turn found.
    """

    award: str
    player: str
    seat: int | None
    category: str
    fund: str
    prize_minor: int
    pool_micro: int
    pending: bool
    turn: int
    wager: str
    shared: bool
    meter_before_micro: int


@dataclass(frozen=True, slots=True)
class ResetRecord:
    """A restart of the pool that this round made: `reserve_micro` of it from the reserve, the rest from the house."""

    award: str
    reset_micro: int
    reserve_micro: int
    turn: int


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Betting is open under `terms`. With a shoe the shuffled deck stands sealed, and committed to.

    `closes_at` is set where timers drive the table: no wager is taken from then on (S0-10, C16).
    """

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
class BettingClosed:
    """No wager comes or goes any more; `shares` is what the pool got (design: accrual at close)."""

    round: str
    decided_by: DecidedBy
    seats: int
    jackpot: str | None
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards lie. The up-card is public, a shared hand too; what a studio sent beyond that stands sealed."""

    round: str
    up_card: str
    shared_cards: tuple[str, ...]
    seats: tuple[int, ...]
    sealed_cards: str | None
    deadline: datetime


@dataclass(frozen=True, slots=True)
class OpenedCards:
    """Cards in clear: what was sealed, with the salt that proves it is the same."""

    deck: tuple[str, ...]
    salt: str
    dealer: tuple[str, ...]
    shared: tuple[str, ...]
    seats: tuple[SeatCards, ...]


@dataclass(frozen=True, slots=True)
class ShowdownHeld:
    """All cards are public and every result and award is fixed."""

    round: str
    cards: OpenedCards
    dealer_hand: str
    qualifies: bool
    order: tuple[str, ...]
    awards: tuple[AwardRecord, ...]
    resets: tuple[ResetRecord, ...]
    found: PoolFound | None


@dataclass(frozen=True, slots=True)
class CardsCorrected:
    """The round was settled again on corrected cards; decisions stand (docs/ledger.md, Void and resettle)."""

    round: str
    cards: OpenedCards
    dealer_hand: str
    qualifies: bool
    awards: tuple[AwardRecord, ...]
    resets: tuple[ResetRecord, ...]
    reason: str
    policy: str
    approver: str


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Every seat is paid."""

    round: str
    seats: int


@dataclass(frozen=True, slots=True)
class AwardDecided:
    """A pending prize of this round was verified and paid, or refused (S4-08)."""

    round: str
    award: str
    verified: bool


@dataclass(frozen=True, slots=True)
class RoundPaused:
    """An error is looked into; nothing moves (S0-46)."""

    round: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RoundResumed:
    """The round goes on where it stood (S0-47); the window that was open is as long as it would have been."""

    round: str
    reason: str
    at: datetime
    closes_at: datetime | None
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """The house gave the round up before showdown; every stake is back (S0-47)."""

    round: str
    reason: str
    cards: OpenedCards | None


@dataclass(frozen=True, slots=True)
class WagersVoided:
    """Some wagers of the round are of no effect; the round goes on without them (docs/ledger.md, Void and resettle)."""

    round: str
    wagers: tuple[str, ...]
    awards: tuple[str, ...]
    stage: Stage
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ReviewsResolved:
    """What was held for review in this round is decided: taken from the players, or borne by the house."""

    round: str
    policy: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round is of no effect (S0-22); seats, wallets and pool have their own events in the same append."""

    round: str
    stage: Stage
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None
    cards: OpenedCards | None


@dataclass(frozen=True, slots=True)
class RoundUndoing:
    """A round of many seats is being undone: it has no effect any more, and what it moved is turned back seat by seat,
    in appends of their own. The last of them brings `RoundVoided` (`ends_as` VOIDED) or `RoundCancelled`.
    """

    round: str
    ends_as: Phase
    seats: int
    stage: Stage
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


RoundEvent = (
    RoundOpened
    | RoundUndoing
    | BettingClosed
    | Dealt
    | ShowdownHeld
    | RoundSettled
    | AwardDecided
    | RoundPaused
    | RoundResumed
    | RoundCancelled
    | RoundVoided
    | WagersVoided
    | ReviewsResolved
    | CardsCorrected
    | CardScanned
    | ScanCorrected
    | ScansOpened
)
