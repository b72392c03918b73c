"""What a wallet can be asked to do. Amounts are minor units."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.transactions import TransactionKind
from domain.wallets.events import HoldReason, ReleaseReason, VoidPolicy


@dataclass(frozen=True, slots=True)
class OpenWallet:
    """Open an empty wallet."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class Deposit:
    """Take money in."""

    amount_minor: int
    currency: str
    transaction_id: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Pay money out; never more than is available (R1)."""

    amount_minor: int
    currency: str
    transaction_id: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Put money on game."""

    round: str
    amount_minor: int
    reason: HoldReason


@dataclass(frozen=True, slots=True)
class Release:
    """Give money on game back."""

    round: str
    amount_minor: int
    reason: ReleaseReason


@dataclass(frozen=True, slots=True)
class SettleStakes:
    """Take stakes out of the game and pay what they won."""

    round: str
    staked_minor: int
    payout_minor: int


@dataclass(frozen=True, slots=True)
class PayPrize:
    """Pay a progressive prize."""

    round: str
    jackpot: str
    award: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class ReverseOutcome:
    """Undo a settled round: the player owes `owed_minor` (below zero: is owed)."""

    round: str
    policy: VoidPolicy
    owed_minor: int


@dataclass(frozen=True, slots=True)
class DecideHeldMoney:
    """End a review: the player owes `owed_minor`, of which `taken_minor` is held."""

    round: str
    policy: VoidPolicy
    owed_minor: int
    taken_minor: int


@dataclass(frozen=True, slots=True)
class Adjust:
    """Correct the available money by a signed amount, with a reason and a second person."""

    adjustment: str
    amount_minor: int
    reason: str
    approver: str


@dataclass(frozen=True, slots=True)
class ReverseTransaction:
    """Undo a cashier's movement: take a deposit back, or give a withdrawal back."""

    transaction_id: str
    kind: TransactionKind
    amount_minor: int


WalletCommand = (
    OpenWallet
    | Deposit
    | Withdraw
    | Hold
    | Release
    | SettleStakes
    | PayPrize
    | ReverseOutcome
    | DecideHeldMoney
    | Adjust
    | ReverseTransaction
)
