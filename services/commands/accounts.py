"""Commands about players and their money."""

from __future__ import annotations

from domain.frozen import dataclass


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
class AdjustBalance:
    """A signed correction of a balance."""

    player: str
    amount_minor: int
    reason: str
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class RollBackTransaction:
    """Undo a deposit or withdrawal by the operator's id, known or not."""

    transaction_id: str
