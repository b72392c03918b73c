"""What a wallet decides, and how its state follows from its events."""

from __future__ import annotations

from typing import assert_never

from domain.changing import replace
from domain.errors import AlreadyExists, CurrencyMismatch, InsufficientFunds, Invalid, NotFound
from domain.frozen import dataclass
from domain.money import AMOUNT_MINOR_MAX
from domain.transactions import TransactionKind
from domain.wallets.commands import (
    Adjust,
    DecideHeldMoney,
    Deposit,
    Hold,
    OpenWallet,
    PayPrize,
    Release,
    ReverseOutcome,
    ReverseTransaction,
    SettleStakes,
    WalletCommand,
    Withdraw,
)
from domain.wallets.events import (
    Adjusted,
    BalanceWentNegative,
    Deposited,
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    StakesSettled,
    TransactionReversed,
    VoidPolicy,
    WalletCarried,
    WalletEvent,
    WalletOpened,
    Withdrawn,
)


@dataclass(frozen=True, slots=True)
class Wallet:
    """State: who, which currency, and both balances in minor units."""

    player: str
    currency: str
    available_minor: int = 0
    held_minor: int = 0
    review_minor: int = 0
    on_game: tuple[tuple[str, int], ...] = ()

    def plays_elsewhere(self, round_id: str) -> tuple[str, ...]:
        """The other rounds in which this player has money on game (S0-49)."""
        return tuple([one for one, _ in self.on_game if one != round_id])


def decide(command: WalletCommand, state: Wallet | None) -> tuple[WalletEvent, ...]:
    """The events that `command` causes in the wallet, or a Refusal."""
    if isinstance(command, OpenWallet):
        if state is not None:
            raise AlreadyExists("the player has a wallet already", field="player")
        return (WalletOpened(command.player, command.currency),)
    if state is None:
        raise NotFound("no such player", field="player")
    match command:
        case Deposit():
            return (_deposit(command, state),)
        case Withdraw():
            return (_withdraw(command, state),)
        case Hold():
            return (_hold(command, state),)
        case Release(round_id, amount, reason):
            after = _moved(state, amount, -amount)
            return (FundsReleased(state.player, state.currency, round_id, reason, amount, *after),)
        case SettleStakes(round_id, staked, payout):
            after = _moved(state, payout, -staked)
            return (StakesSettled(state.player, state.currency, round_id, staked, payout, *after),)
        case PayPrize(round_id, jackpot, award, amount):
            after = _moved(state, amount, 0)
            return (PrizePaid(state.player, state.currency, round_id, jackpot, award, amount, *after),)
        case ReverseOutcome():
            return _reverse(command, state)
        case DecideHeldMoney():
            return _decide_held(command, state)
        case Adjust():
            return _adjust(command, state)
        case ReverseTransaction():
            return (_reverse_transaction(command, state),)
        case _:
            assert_never(command)


def takeable_minor(state: Wallet, policy: VoidPolicy, owed_minor: int) -> int:
    """What a void takes of `owed_minor`: all with CLAW_BACK, else what is available; credits in full."""
    if owed_minor <= 0 or policy is VoidPolicy.CLAW_BACK:
        return owed_minor
    return min(owed_minor, max(state.available_minor, 0))


def _moved(state: Wallet, available_delta: int, held_delta: int) -> tuple[int, int]:
    available, held = state.available_minor + available_delta, state.held_minor + held_delta
    if held < 0:
        raise AssertionError(f"held of wallet {state.player} would fall below zero")
    return available, held


def _check_currency(currency: str, state: Wallet) -> None:
    if currency != state.currency:
        raise CurrencyMismatch(f"the wallet holds {state.currency}", field="currency")


def _check_amount(amount_minor: int) -> None:
    if not 1 <= amount_minor <= AMOUNT_MINOR_MAX:
        raise Invalid(f"an amount lies from 1 to {AMOUNT_MINOR_MAX} minor units", field="amount")


def _deposit(command: Deposit, state: Wallet) -> Deposited:
    _check_amount(command.amount_minor)
    _check_currency(command.currency, state)
    if state.available_minor + state.held_minor + command.amount_minor > AMOUNT_MINOR_MAX:
        raise Invalid(f"a wallet holds at most {AMOUNT_MINOR_MAX} minor units", field="amount")
    after = _moved(state, command.amount_minor, 0)
    return Deposited(state.player, state.currency, command.transaction_id, command.amount_minor, *after)


def _withdraw(command: Withdraw, state: Wallet) -> Withdrawn:
    _check_amount(command.amount_minor)
    _check_currency(command.currency, state)
    _check_available(command.amount_minor, state, "amount")
    after = _moved(state, -command.amount_minor, 0)
    return Withdrawn(state.player, state.currency, command.transaction_id, command.amount_minor, *after)


def _hold(command: Hold, state: Wallet) -> FundsHeld:
    _check_amount(command.amount_minor)
    _check_available(command.amount_minor, state, None)
    after = _moved(state, -command.amount_minor, command.amount_minor)
    return FundsHeld(state.player, state.currency, command.round, command.reason, command.amount_minor, *after)


def _check_available(amount_minor: int, state: Wallet, field: str | None) -> None:
    if amount_minor > state.available_minor:
        raise InsufficientFunds(
            f"{amount_minor} minor units are needed, {state.available_minor} are available", field=field
        )


def _reverse(command: ReverseOutcome, state: Wallet) -> tuple[WalletEvent, ...]:
    taken = takeable_minor(state, command.policy, command.owed_minor)
    after = _moved(state, -taken, 0)
    review = taken if command.policy is VoidPolicy.HOLD_FOR_REVIEW and taken > 0 else 0
    reversed_ = OutcomeReversed(
        state.player,
        state.currency,
        command.round,
        command.policy,
        command.owed_minor,
        -taken,
        *after,
        review,
        state.review_minor + review,
    )
    return (reversed_, *_gone_negative(state, command.round, after[0], -taken))


def _decide_held(command: DecideHeldMoney, state: Wallet) -> tuple[WalletEvent, ...]:
    """Ends as the same policy at once would have: the player owes the rest, or the house bears it."""
    rest = command.owed_minor - command.taken_minor
    amount = -rest if command.policy is VoidPolicy.CLAW_BACK else 0
    after = _moved(state, amount, 0)
    decided = HeldMoneyDecided(
        state.player,
        state.currency,
        command.round,
        command.policy,
        command.taken_minor,
        amount,
        *after,
        state.review_minor - command.taken_minor,
    )
    return (decided, *_gone_negative(state, command.round, after[0], amount))


def _gone_negative(
    state: Wallet, round_id: str | None, available_minor: int, change_minor: int
) -> tuple[BalanceWentNegative, ...]:
    if available_minor < 0 and change_minor < 0:
        return (BalanceWentNegative(state.player, state.currency, round_id, available_minor),)
    return ()


def _adjust(command: Adjust, state: Wallet) -> tuple[WalletEvent, ...]:
    """A correction may leave available money below zero, with its significant event (docs/ledger.md, Laws)."""
    if command.amount_minor == 0 or abs(command.amount_minor) > AMOUNT_MINOR_MAX:
        raise Invalid(f"an adjustment is not zero and at most {AMOUNT_MINOR_MAX} minor units", field="amount")
    after = _moved(state, command.amount_minor, 0)
    if after[0] + after[1] > AMOUNT_MINOR_MAX:
        raise Invalid(f"a wallet holds at most {AMOUNT_MINOR_MAX} minor units", field="amount")
    adjusted = Adjusted(
        state.player, state.currency, command.adjustment, command.amount_minor, command.reason, command.approver, *after
    )
    return (adjusted, *_gone_negative(state, None, after[0], command.amount_minor))


def _reverse_transaction(command: ReverseTransaction, state: Wallet) -> TransactionReversed:
    """A deposit is taken back only while it is covered; a withdrawal comes back in full."""
    amount = command.amount_minor
    if command.kind is TransactionKind.DEPOSIT:
        _check_available(amount, state, "transaction_id")
        amount = -amount
    after = _moved(state, amount, 0)
    return TransactionReversed(state.player, state.currency, command.transaction_id, amount, *after)


def evolve(state: Wallet | None, event: WalletEvent) -> Wallet:
    """The wallet after `event`; no rule is looked at."""
    if isinstance(event, WalletOpened):
        return Wallet(event.player, event.currency)
    if isinstance(event, WalletCarried):
        after = event.available_after_minor, event.held_after_minor
        return Wallet(event.player, event.currency, *after, event.review_minor, event.on_game)
    if state is None:
        raise ValueError("a wallet's first event opens it")
    if isinstance(event, BalanceWentNegative):
        return state
    available, held = event.available_after_minor, event.held_after_minor
    match event:
        case FundsHeld():
            on_game = _on_game(state, event.round, event.amount_minor)
        case FundsReleased():
            on_game = _on_game(state, event.round, -event.amount_minor)
        case StakesSettled():
            on_game = _on_game(state, event.round, -event.staked_minor)
        case OutcomeReversed() | HeldMoneyDecided():
            return replace(state, available_minor=available, held_minor=held, review_minor=event.review_after_minor)
        case _:
            return replace(state, available_minor=available, held_minor=held)
    return Wallet(state.player, state.currency, available, held, state.review_minor, on_game)


def _on_game(state: Wallet, round_id: str, change_minor: int) -> tuple[tuple[str, int], ...]:
    """What is held for each round; a round for which nothing is held any more is not listed."""
    known = state.on_game
    if not known or (len(known) == 1 and known[0][0] == round_id):  # who plays one round at a time
        amount = known[0][1] + change_minor if known else change_minor
        return ((round_id, amount),) if amount else ()
    held = dict(known)
    held[round_id] = held.get(round_id, 0) + change_minor
    return tuple([pair for pair in held.items() if pair[1]])


__all__ = [
    "Adjust",
    "DecideHeldMoney",
    "Deposit",
    "Hold",
    "OpenWallet",
    "PayPrize",
    "Release",
    "ReverseOutcome",
    "ReverseTransaction",
    "SettleStakes",
    "Wallet",
    "WalletCommand",
    "WalletEvent",
    "Withdraw",
    "decide",
    "evolve",
    "takeable_minor",
]
