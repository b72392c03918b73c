"""What the cashier refuses, and that a refusal leaves nothing behind: no event, no key, nothing in memory."""

from __future__ import annotations

import pytest

from domain.errors import CurrencyMismatch, InsufficientFunds, Invalid, Refusal
from domain.money import AMOUNT_MINOR_MAX, MICRO
from services import commands as c
from services.answers import TransactionAnswer
from services.desk import Desk
from services.handlers import accounts
from tests.domain.showdowns import LIVE
from tests.support.casino import Casino


@pytest.fixture
async def rich(casino: Casino) -> Casino:
    """Alice, with 100.00."""
    await casino.player("alice", deposit=10_000)
    return casino


@pytest.mark.parametrize("amount", [0, -1, AMOUNT_MINOR_MAX + 1])
async def test_an_amount_that_is_none_is_refused_both_ways(rich: Casino, amount: int) -> None:
    for pay in (rich.deposit, rich.withdraw):
        with pytest.raises(Invalid) as refused:
            await pay("alice", amount)
        assert (refused.value.code, refused.value.field) == ("INVALID", "amount")


async def test_S0_45_another_currency_is_refused(rich: Casino) -> None:
    for pay in (rich.deposit, rich.withdraw):
        with pytest.raises(CurrencyMismatch) as refused:
            await pay("alice", 100, "USD")
        assert refused.value.field == "currency"


async def test_R1_no_more_is_paid_out_than_is_available(rich: Casino) -> None:
    await rich.table("t", LIVE)
    round_id = await rich.round("t")
    await rich.wager(round_id, "alice", ante=1_000)
    with pytest.raises(InsufficientFunds) as refused:
        await rich.withdraw("alice", 7_001)
    assert refused.value.field == "amount"
    answer = await rich.withdraw("alice", 7_000)
    assert (answer["balance"]["available"], answer["balance"]["held"]) == (0, 3_000)


async def test_a_wallet_holds_no_more_than_10_to_the_15_with_what_is_on_game(rich: Casino) -> None:
    await rich.table("t", LIVE)
    await rich.wager(await rich.round("t"), "alice", ante=1_000)
    with pytest.raises(Invalid) as refused:
        await rich.deposit("alice", AMOUNT_MINOR_MAX - 9_999)
    assert refused.value.field == "amount"
    await rich.deposit("alice", AMOUNT_MINOR_MAX - 10_000)
    assert rich.books.balance("av/alice") + rich.books.balance("held/alice") == AMOUNT_MINOR_MAX * MICRO


async def test_all_that_is_there_may_be_paid_out_and_the_whole_amount_paid_in(rich: Casino) -> None:
    await rich.withdraw("alice", 10_000)
    await rich.deposit("alice", AMOUNT_MINOR_MAX)
    assert rich.books.balance("av/alice") == AMOUNT_MINOR_MAX * MICRO
    await rich.withdraw("alice", 1)


async def test_a_refusal_leaves_no_trace_even_where_something_was_posted_before_it(
    rich: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = accounts.deposit

    def refusing(desk: Desk, command: c.DepositFunds) -> TransactionAnswer:
        answer = honest(desk, command)
        if command.amount_minor == 666:
            raise Invalid("not today", field="amount")
        return answer

    monkeypatch.setattr(accounts, "deposit", refusing)
    standing = rich.books.standing()
    with pytest.raises(Refusal):
        await rich.submit(c.DepositFunds("alice", 666, "EUR", "tx"), key="k")
    assert rich.books.standing() == standing
    rich.compare()
    answer = await rich.submit(c.DepositFunds("alice", 100, "EUR", "tx"), key="k")
    assert answer["balance"]["available"] == 10_100
    rich.compare()
