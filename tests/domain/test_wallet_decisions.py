"""What a wallet decides. Amounts are minor units; both balances stand in each event that moves money."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import AlreadyExists, CurrencyMismatch, InsufficientFunds, Invalid, NotFound, Refusal
from domain.money import AMOUNT_MINOR_MAX
from domain.wallets.decider import (
    Deposit,
    Hold,
    OpenWallet,
    PayPrize,
    Release,
    ReverseOutcome,
    SettleStakes,
    Wallet,
    WalletCommand,
    Withdraw,
    decide,
    evolve,
    takeable_minor,
)
from domain.wallets.events import (
    BalanceWentNegative,
    FundsHeld,
    HoldReason,
    OutcomeReversed,
    ReleaseReason,
    StakesSettled,
    VoidPolicy,
    WalletOpened,
)

CLAW, ABSORB = VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS


def wallet(available: int, held: int = 0) -> Wallet:
    return Wallet("ann", "EUR", available, held)


def after(state: Wallet, command: WalletCommand) -> tuple[int, int]:
    """Both balances after the command."""
    for event in decide(command, state):
        state = evolve(state, event)
    return state.available_minor, state.held_minor


def test_a_wallet_is_opened_once_and_empty() -> None:
    assert decide(OpenWallet("ann", "EUR"), None) == (WalletOpened("ann", "EUR"),)
    assert evolve(None, WalletOpened("ann", "EUR")) == wallet(0)
    with pytest.raises(AlreadyExists):
        decide(OpenWallet("ann", "EUR"), wallet(0))


def test_a_wallet_that_is_not_there_takes_no_command() -> None:
    with pytest.raises(NotFound):
        decide(Deposit(1, "EUR", "tx"), None)
    with pytest.raises(ValueError, match="opens it"):
        evolve(None, StakesSettled("ann", "EUR", "r", 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("command", "before", "balances"),
    [
        (Deposit(500, "EUR", "tx"), (0, 0), (500, 0)),
        (Deposit(500, "EUR", "tx"), (-800, 0), (-300, 0)),
        (Withdraw(500, "EUR", "tx"), (500, 90), (0, 90)),
        (Hold("r", 500, HoldReason.WAGER), (500, 90), (0, 590)),
        (Release("r", 90, ReleaseReason.UNDO), (500, 90), (590, 0)),
        (SettleStakes("r", 90, 200), (500, 90), (700, 0)),
        (SettleStakes("r", 90, 0), (-500, 90), (-500, 0)),
        (PayPrize("r", "gold", "a", 7), (-500, 90), (-493, 90)),
        (ReverseOutcome("r", CLAW, 600), (500, 90), (-100, 90)),
        (ReverseOutcome("r", CLAW, -600), (-500, 0), (100, 0)),
        (ReverseOutcome("r", ABSORB, 600), (500, 90), (0, 90)),
        (ReverseOutcome("r", ABSORB, 600), (-500, 90), (-500, 90)),
        (ReverseOutcome("r", ABSORB, -600), (-500, 90), (100, 90)),
    ],
)
def test_a_command_moves_these_balances(
    command: WalletCommand, before: tuple[int, int], balances: tuple[int, int]
) -> None:
    assert after(wallet(*before), command) == balances


@pytest.mark.parametrize(
    ("command", "state", "refusal", "field"),
    [
        (Deposit(0, "EUR", "tx"), wallet(0), Invalid, "amount"),
        (Deposit(-1, "EUR", "tx"), wallet(0), Invalid, "amount"),
        (Deposit(AMOUNT_MINOR_MAX + 1, "EUR", "tx"), wallet(0), Invalid, "amount"),
        (Deposit(2, "EUR", "tx"), wallet(AMOUNT_MINOR_MAX - 2, 1), Invalid, "amount"),
        (Deposit(1, "USD", "tx"), wallet(0), CurrencyMismatch, "currency"),
        (Withdraw(0, "EUR", "tx"), wallet(9), Invalid, "amount"),
        (Withdraw(1, "USD", "tx"), wallet(9), CurrencyMismatch, "currency"),
        (Withdraw(10, "EUR", "tx"), wallet(9, 100), InsufficientFunds, "amount"),
        (Withdraw(1, "EUR", "tx"), wallet(-9), InsufficientFunds, "amount"),
        (Hold("r", 0, HoldReason.WAGER), wallet(9), Invalid, "amount"),
        (Hold("r", 10, HoldReason.WAGER), wallet(9, 100), InsufficientFunds, None),
        (Hold("r", 1, HoldReason.CALL), wallet(-9), InsufficientFunds, None),
    ],
)
def test_a_command_is_refused_by_name_and_field(
    command: WalletCommand, state: Wallet, refusal: type[Refusal], field: str | None
) -> None:
    with pytest.raises(refusal) as found:
        decide(command, state)
    assert (type(found.value), found.value.field) == (refusal, field)


def test_held_below_zero_is_a_fault_of_ours_and_not_a_refusal() -> None:
    with pytest.raises(AssertionError):
        decide(Release("r", 91, ReleaseReason.UNDO), wallet(0, 90))
    with pytest.raises(AssertionError):
        decide(SettleStakes("r", 91, 0), wallet(0, 90))


def test_R23_a_balance_below_zero_is_a_significant_event_after_what_made_it() -> None:
    reversal, negative = decide(ReverseOutcome("r", CLAW, 600), wallet(500))
    assert reversal == OutcomeReversed("ann", "EUR", "r", CLAW, 600, -600, -100, 0, 0, 0)
    assert negative == BalanceWentNegative("ann", "EUR", "r", -100)
    assert evolve(wallet(-100), negative) == wallet(-100)


@pytest.mark.parametrize(("available", "owed"), [(600, 600), (-900, -100), (-900, 0)])
def test_no_significant_event_where_nothing_fell_below_zero(available: int, owed: int) -> None:
    assert len(decide(ReverseOutcome("r", CLAW, owed), wallet(available))) == 1


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_house_absorbs_takes_no_more_than_is_there_and_gives_back_in_full(available: int, owed: int) -> None:
    taken = takeable_minor(wallet(available), ABSORB, owed)
    assert taken == (owed if owed <= 0 else min(owed, max(available, 0)))
    assert takeable_minor(wallet(available), CLAW, owed) == owed


@given(st.integers(0, 10**15), st.integers(1, 10**15), st.integers(0, 10**6))
def test_a_hold_moves_within_the_wallet_and_never_below_zero(available: int, amount: int, held: int) -> None:
    state = wallet(available, held)
    try:
        (event,) = decide(Hold("r", amount, HoldReason.WAGER), state)
    except InsufficientFunds:
        assert amount > available
        return
    assert isinstance(event, FundsHeld)
    assert event.available_after_minor == available - amount >= 0
    assert event.available_after_minor + event.held_after_minor == available + held
