"""What can happen to a wallet. Each event that moves money carries both balances after it, in minor units."""

from __future__ import annotations

from typing import get_args

from domain.frozen import dataclass
from domain.words import StrEnum


class HoldReason(StrEnum):
    """Why money was put on game."""

    WAGER = "WAGER"
    CALL = "CALL"


class ReleaseReason(StrEnum):
    """Why money came back from the game without a result."""

    UNDO = "UNDO"
    REJECTED = "REJECTED"
    FOLD = "FOLD"
    LEFT = "LEFT"
    CANCELLED = "CANCELLED"
    VOID = "VOID"


class VoidPolicy(StrEnum):
    """Who bears what a player owes after a void (docs/ledger.md, Void and resettle)."""

    CLAW_BACK = "CLAW_BACK"
    HOUSE_ABSORBS = "HOUSE_ABSORBS"
    HOLD_FOR_REVIEW = "HOLD_FOR_REVIEW"


@dataclass(frozen=True, slots=True)
class WalletOpened:
    """A wallet of one currency, empty."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class Deposited:
    """Money came in from the cashier (S0-45)."""

    player: str
    currency: str
    transaction_id: str
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Money went out to the cashier (S0-45)."""

    player: str
    currency: str
    transaction_id: str
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class FundsHeld:
    """Money was put on game: stakes, and with a full reserve the call that may follow (C13)."""

    player: str
    currency: str
    round: str
    reason: HoldReason
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class FundsReleased:
    """Money came back from the game without a result."""

    player: str
    currency: str
    round: str
    reason: ReleaseReason
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class StakesSettled:
    """The stakes of one seat left the game, and what they pay came in (stake included where it returns)."""

    player: str
    currency: str
    round: str
    staked_minor: int
    payout_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class PrizePaid:
    """A progressive prize came in."""

    player: str
    currency: str
    round: str
    jackpot: str
    award: str
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class OutcomeReversed:
    """A void after settlement: `amount_minor` (below zero: taken) makes the round as if never played.

    `owed_minor` is what the player owed; what policy or funds left untaken is the house's loss. `review_minor` of
    what was taken is held until it is decided whose it is.
    """

    player: str
    currency: str
    round: str
    policy: VoidPolicy
    owed_minor: int
    amount_minor: int
    available_after_minor: int
    held_after_minor: int
    review_minor: int
    review_after_minor: int


@dataclass(frozen=True, slots=True)
class HeldMoneyDecided:
    """What was held for review is decided: `review_minor` leaves it, `amount_minor` changes available money."""

    player: str
    currency: str
    round: str
    policy: VoidPolicy
    review_minor: int
    amount_minor: int
    available_after_minor: int
    held_after_minor: int
    review_after_minor: int


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A correction by staff with its reason and a second person (R23); above zero it raises available money."""

    player: str
    currency: str
    adjustment: str
    amount_minor: int
    reason: str
    approver: str
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class TransactionReversed:
    """A deposit (below zero) or withdrawal (above zero) was rolled back by its id."""

    player: str
    currency: str
    transaction_id: str
    amount_minor: int
    available_after_minor: int
    held_after_minor: int


@dataclass(frozen=True, slots=True)
class BalanceWentNegative:
    """Significant event: available money is below zero (R23). `round` is None where no round brought it there."""

    player: str
    currency: str
    round: str | None
    available_minor: int


@dataclass(frozen=True, slots=True)
class WalletCarried:
    """A closing entry: all that the events before it add up to, so that reading may begin here. No money moves.

    `on_game` lists what is held for each round.
    """

    player: str
    currency: str
    available_after_minor: int
    held_after_minor: int
    review_minor: int
    on_game: tuple[tuple[str, int], ...]


Move = (
    Deposited
    | Withdrawn
    | FundsHeld
    | FundsReleased
    | StakesSettled
    | PrizePaid
    | OutcomeReversed
    | HeldMoneyDecided
    | Adjusted
    | TransactionReversed
)
"""Events that move money; each carries the balances after it."""

MOVES: tuple[type[Move], ...] = get_args(Move)

WalletEvent = WalletOpened | Move | BalanceWentNegative | WalletCarried
