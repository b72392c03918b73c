"""What the house can be asked to do: one frozen value per command. Amounts are minor units.

Ids, times and cards come from outside: the command's own id (`Meta.causation`) names what it creates.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.jackpots.events import PoolTerms
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy


@dataclass(frozen=True, slots=True)
class RegisterPlayer:
    """Make a player known and open a wallet."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class DepositFunds:
    """Money from the cashier into the wallet."""

    player: str
    amount_minor: int
    currency: str
    transaction_id: str


@dataclass(frozen=True, slots=True)
class WithdrawFunds:
    """Money from the wallet to the cashier."""

    player: str
    amount_minor: int
    currency: str
    transaction_id: str


@dataclass(frozen=True, slots=True)
class OpenJackpot:
    """Start a pool; `handpay_stated` says whether the caller named a threshold, null included (C24)."""

    terms: PoolTerms
    handpay_stated: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Put a table into the lobby; None means the default of its rule set."""

    table: str
    ruleset: str
    currency: str
    ante_min_minor: int
    ante_max_minor: int
    side_min_minor: int | None
    side_max_minor: int | None
    total_max_minor: int | None
    jackpot: str | None
    card_source: str
    pace: str
    call_reserve: str
    below_min_policy: str | None
    timeout_policy: str | None
    betting_seconds: int
    closing_soon_seconds: int
    decision_seconds: int | None
    pause_seconds: int
    abandon_seconds: int


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Open the table's next round; its id is the command's id."""

    table: str


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """Put stakes on a player's spots; zero where a spot is left alone."""

    round: str
    player: str
    seat: int | None
    ante_minor: int
    five_plus_one_minor: int
    progressive_minor: int


@dataclass(frozen=True, slots=True)
class UndoWager:
    """Take the player's last action back as a whole."""

    round: str
    player: str


@dataclass(frozen=True, slots=True)
class LeaveRound:
    """The player is gone: bets are declined while betting is open (S0-31)."""

    round: str
    player: str


@dataclass(frozen=True, slots=True)
class CloseBetting:
    """End betting."""

    round: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Lay the cards; a live feed says which (`seats` by seat number), a shoe knows."""

    round: str
    shared: tuple[str, ...] | None
    seats: tuple[tuple[int, tuple[str, ...]], ...] | None
    dealer: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Decide:
    """The player's call or fold."""

    round: str
    player: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Settle:
    """Decide for who has not, show all cards, award and pay; a live feed names the dealer's other cards."""

    round: str
    dealer: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class PayOn:
    """Pay the next seats of a round whose showdown is done: work that goes on after an interruption too."""

    round: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the round for an investigation."""

    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the round go on."""

    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class Void:
    """Make the round of no effect; with `dry_run` only say what that would do."""

    round: str
    reason: str
    policy: VoidPolicy | None
    approver: str | None
    evidence: str | None
    dry_run: bool


@dataclass(frozen=True, slots=True)
class CancelAbandoned:
    """Give up a round that nobody has touched for its table's `abandon_seconds`."""

    round: str


AccountCommand = RegisterPlayer | DepositFunds | WithdrawFunds
FloorCommand = OpenJackpot | OpenTable
RoundCommand = (
    OpenRound
    | PlaceWager
    | UndoWager
    | LeaveRound
    | CloseBetting
    | Deal
    | Decide
    | Settle
    | PayOn
    | Pause
    | Resume
    | Void
    | CancelAbandoned
)
Command = AccountCommand | FloorCommand | RoundCommand
"""Everything that the house can be asked."""
