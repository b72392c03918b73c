"""Answers about players and their money."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money after the command."""

    available: int
    held: int
    currency: str
    exponent: int


@dataclass(frozen=True, slots=True)
class PlayerAnswer:
    """A registered player."""

    player: str
    currency: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class TransactionAnswer:
    """A deposit or withdrawal."""

    transaction_id: str
    player: str
    amount: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class AdjustmentAnswer:
    """A correction."""

    adjustment: str
    player: str
    amount: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class RollbackAnswer:
    """A rollback: ROLLED_BACK, or TOMBSTONED for an id that nobody knows, which is refused should it come later."""

    transaction_id: str
    status: str
    player: str | None
    amount: int | None
    balance: Balance | None
    position: int = 0
