"""What a seat can be asked to do."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.rules import RuleSet
from domain.seats.events import WagerResult
from domain.seats.wagering import Stakes
from domain.settlement import DecidedBy, Decision
from domain.tables import TableTerms
from domain.wallets.events import VoidPolicy


@dataclass(frozen=True, slots=True)
class PlaceWagers:
    """Put stakes on the player's spots."""

    round: str
    player: str
    seat: int | None
    action: str
    stakes: Stakes
    terms: TableTerms
    ruleset: RuleSet
    available_minor: int
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class PassSeat:
    """Skip this deal."""

    round: str
    player: str


@dataclass(frozen=True, slots=True)
class UndoAction:
    """Take the last action back as a whole."""

    terms: TableTerms


@dataclass(frozen=True, slots=True)
class CloseSeat:
    """Betting closes: what is below the minimum or without an ante goes, and what would go to a disabled pool."""

    terms: TableTerms
    pool_is_off: bool = False


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """The player is gone while betting is open: all bets are declined (S0-31)."""


@dataclass(frozen=True, slots=True)
class DecideSeat:
    """Call or fold; `action` names the call's wager."""

    decision: Decision
    decided_by: DecidedBy
    action: str
    terms: TableTerms
    call_multiple: int


@dataclass(frozen=True, slots=True)
class SettleSeat:
    """Record the result of every wager and the prizes."""

    ruleset: str
    currency: str
    player_hand: str
    outcome: str
    results: tuple[WagerResult, ...]
    prize_minor: int
    pending_minor: int


@dataclass(frozen=True, slots=True)
class DecidePrize:
    """Say what became of a pending prize."""

    award: str
    amount_minor: int
    verified: bool


@dataclass(frozen=True, slots=True)
class VoidSeat:
    """These wagers are of no effect, and these prizes with them.

    `taken_minor` is what the wallet can be asked for of what is owed; with `review` the rest is looked into first.
    """

    ruleset: str
    currency: str
    wagers: tuple[str, ...]
    prize_minor: int
    taken_minor: int
    review: bool


@dataclass(frozen=True, slots=True)
class ResettleSeat:
    """Put this result in the place of the one before."""

    result: SettleSeat
    taken_minor: int
    review: bool


@dataclass(frozen=True, slots=True)
class ResolveReview:
    """Decide what is held for review."""

    currency: str
    policy: VoidPolicy


SeatCommand = (
    PlaceWagers
    | PassSeat
    | UndoAction
    | CloseSeat
    | LeaveSeat
    | DecideSeat
    | SettleSeat
    | DecidePrize
    | VoidSeat
    | ResettleSeat
    | ResolveReview
)
