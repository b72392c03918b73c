"""A wallet by itself: what it refuses, what it never allows, and what a void may take of it."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyExists, InsufficientFunds, Invalid, NotFound
from domain.money import AMOUNT_MINOR_MAX
from domain.wallets import decider as w
from domain.wallets.events import BalanceWentNegative, HoldReason, OutcomeReversed, ReleaseReason, VoidPolicy

WALLET = w.Wallet("ann", "EUR", available_minor=100, held_minor=30)
OWING = w.Wallet("ann", "EUR", available_minor=-50)
CLAW_BACK, ABSORB = VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS


@pytest.mark.parametrize("amount", [0, -1, AMOUNT_MINOR_MAX + 1])
def test_a_hold_of_nothing_or_of_too_much_is_refused(amount: int) -> None:
    with pytest.raises(Invalid) as refused:
        w.decide(w.Hold("r", amount, HoldReason.WAGER), WALLET)
    assert refused.value.field == "amount"


@pytest.mark.parametrize("amount", [1, 100])
def test_a_hold_takes_up_to_what_is_available(amount: int) -> None:
    (held,) = w.decide(w.Hold("r", amount, HoldReason.WAGER), WALLET)
    after = w.evolve(WALLET, held)
    assert (after.available_minor, after.held_minor) == (100 - amount, 30 + amount)
    with pytest.raises(InsufficientFunds):
        w.decide(w.Hold("r", 101, HoldReason.WAGER), WALLET)


def test_who_owes_holds_nothing_and_pays_the_debt_with_a_deposit() -> None:
    for command in (w.Hold("r", 1, HoldReason.WAGER), w.Withdraw(1, "EUR", "t")):
        with pytest.raises(InsufficientFunds):
            w.decide(command, OWING)
    (paid,) = w.decide(w.Deposit(60, "EUR", "t"), OWING)
    assert w.evolve(OWING, paid).available_minor == 10


@pytest.mark.parametrize(
    "command", [w.Release("r", 31, ReleaseReason.UNDO), w.SettleStakes("r", 31, 1_000)], ids=["release", "settle"]
)
def test_what_is_on_game_never_falls_below_zero(command: w.WalletCommand) -> None:
    with pytest.raises(AssertionError, match="held of wallet ann"):
        w.decide(command, WALLET)


@pytest.mark.parametrize(
    ("policy", "wallet", "owed", "taken"),
    [
        (CLAW_BACK, WALLET, 500, 500),
        (CLAW_BACK, OWING, 500, 500),
        (CLAW_BACK, WALLET, -500, -500),
        (ABSORB, WALLET, 99, 99),
        (ABSORB, WALLET, 100, 100),
        (ABSORB, WALLET, 101, 100),
        (ABSORB, OWING, 1, 0),
        (ABSORB, OWING, -1, -1),
        (ABSORB, WALLET, 0, 0),
    ],
)
def test_C17_a_void_takes_what_its_policy_says_and_gives_back_in_full(
    policy: VoidPolicy, wallet: w.Wallet, owed: int, taken: int
) -> None:
    assert w.takeable_minor(wallet, policy, owed) == taken
    reversed_, *_ = w.decide(w.ReverseOutcome("r", policy, owed), wallet)
    assert isinstance(reversed_, OutcomeReversed)
    assert (reversed_.owed_minor, reversed_.amount_minor) == (owed, -taken)
    assert w.evolve(wallet, reversed_).available_minor == wallet.available_minor - taken


@pytest.mark.parametrize(
    ("wallet", "owed", "is_said"),
    [(WALLET, 100, False), (WALLET, 101, True), (OWING, 1, True), (OWING, -1, False), (OWING, 0, False)],
)
def test_a_debt_that_a_void_makes_or_deepens_is_said(wallet: w.Wallet, owed: int, is_said: bool) -> None:
    events = w.decide(w.ReverseOutcome("r", CLAW_BACK, owed), wallet)
    said = [one for one in events if isinstance(one, BalanceWentNegative)]
    assert [one.available_minor for one in said] == ([wallet.available_minor - owed] if is_said else [])
    for one in said:
        assert w.evolve(wallet, one) == wallet


def test_a_wallet_is_opened_once_and_first() -> None:
    (opened,) = w.decide(w.OpenWallet("ann", "EUR"), None)
    assert w.evolve(None, opened) == w.Wallet("ann", "EUR")
    with pytest.raises(AlreadyExists):
        w.decide(w.OpenWallet("ann", "EUR"), WALLET)
    with pytest.raises(NotFound):
        w.decide(w.Withdraw(1, "EUR", "t"), None)
    (paid,) = w.decide(w.Deposit(1, "EUR", "t"), WALLET)
    with pytest.raises(ValueError, match="opens it"):
        w.evolve(None, paid)
