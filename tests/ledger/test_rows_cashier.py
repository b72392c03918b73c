"""One row, one test: rollbacks by the operator's own id, and adjustments by staff (docs/ledger.md, Postings)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import Forbidden, IdempotencyMismatch, InsufficientFunds, Invalid, Refusal
from domain.money import AMOUNT_MINOR_MAX, MICRO
from domain.wallets.events import BalanceWentNegative
from services import commands as c
from tests.domain.showdowns import EURO
from tests.support.casino import Casino
from tests.support.entries import events_of, posted, table


async def test_rollback_of_a_deposit_that_is_covered(casino: Casino) -> None:
    await casino.player("ann")
    await casino.deposit("ann", 700, transaction="X")
    answer = await casino.roll_back("X")
    assert posted(casino) == [
        table("""
            av/ann    -700
            cash      +700
        """)
    ]
    assert (answer["status"], answer["player"], answer["amount"]) == ("ROLLED_BACK", "ann", 700)
    assert answer["balance"]["available"] == 0


async def test_rollback_of_a_deposit_that_is_not_covered_is_refused(casino: Casino) -> None:
    await casino.player("ann")
    await casino.deposit("ann", 700, transaction="X")
    await casino.withdraw("ann", 1)
    with pytest.raises(InsufficientFunds) as refused:
        await casino.roll_back("X")
    assert refused.value.field == "transaction_id"
    await casino.deposit("ann", 1)
    assert (await casino.roll_back("X"))["status"] == "ROLLED_BACK", "a refusal burns nothing"


async def test_rollback_of_a_deposit_leaves_money_on_game_alone(casino: Casino) -> None:
    await casino.player("ann")
    await casino.deposit("ann", 3_000, transaction="X")
    await casino.table("t", EURO)
    await casino.wager(await casino.round("t"), "ann", seat=1, ante=1_000)
    with pytest.raises(InsufficientFunds):
        await casino.roll_back("X")
    assert casino.books.balance("held/ann") == 3_000 * MICRO


async def test_rollback_of_a_withdrawal(casino: Casino) -> None:
    await casino.player("ann", deposit=1_000)
    await casino.withdraw("ann", 700, transaction="X")
    answer = await casino.roll_back("X")
    assert posted(casino) == [
        table("""
            cash      -700
            av/ann    +700
        """)
    ]
    assert (answer["status"], answer["balance"]["available"]) == ("ROLLED_BACK", 1_000)


@pytest.mark.parametrize("is_deposit", [True, False])
async def test_rollback_of_an_unknown_id_is_a_tombstone_that_refuses_what_comes_late(
    casino: Casino, is_deposit: bool
) -> None:
    await casino.player("ann", deposit=1_000)
    answer = await casino.roll_back("X")
    assert posted(casino) == []
    assert (answer["status"], answer["player"], answer["balance"]) == ("TOMBSTONED", None, None)
    with pytest.raises(IdempotencyMismatch) as refused:
        await (casino.deposit if is_deposit else casino.withdraw)("ann", 500, transaction="X")
    assert refused.value.field == "transaction_id"
    assert casino.books.balance("av/ann") == 1_000 * MICRO


async def test_a_late_debit_is_told_of_the_tombstone_and_not_of_a_balance_that_may_change(casino: Casino) -> None:
    await casino.player("ann", deposit=100)
    await casino.roll_back("X")
    with pytest.raises(IdempotencyMismatch) as refused:
        await casino.withdraw("ann", 500, transaction="X")
    assert refused.value.field == "transaction_id"


@pytest.mark.parametrize("known", [True, False])
async def test_a_second_rollback_answers_as_the_first_and_moves_nothing(casino: Casino, known: bool) -> None:
    await casino.player("ann")
    if known:
        await casino.deposit("ann", 700, transaction="X")
    first = await casino.roll_back("X")
    await casino.throw_away()
    assert await casino.roll_back("X") == first
    assert casino.last_news == []


@pytest.mark.parametrize("known", [True, False])
async def test_a_second_rollback_that_no_key_remembers_says_the_same(casino: Casino, known: bool) -> None:
    """The keys of orders answer first; the transaction would say so by itself."""
    await casino.player("ann")
    if known:
        await casino.deposit("ann", 700, transaction="X")
    first = await casino.roll_back("X")
    order = casino.order(c.RollBackTransaction("X"))
    second = await casino.send(replace(order, keys=order.keys[:1]))
    assert second == first
    assert casino.last_news == []


async def test_a_deposit_that_was_rolled_back_does_not_come_in_again(casino: Casino) -> None:
    await casino.player("ann")
    first = await casino.deposit("ann", 700, transaction="X")
    await casino.roll_back("X")
    assert await casino.deposit("ann", 700, transaction="X") == first, "the first answer, and nothing moves"
    assert casino.last_news == []
    assert casino.books.balance("av/ann") == 0


async def test_adjustment_up(casino: Casino) -> None:
    await casino.player("ann")
    answer = await casino.adjust("ann", 250)
    assert posted(casino) == [
        table("""
            av/ann    +250
            ADJ       -250
        """)
    ]
    assert (answer["amount"], answer["balance"]["available"]) == (250, 250)


async def test_adjustment_down(casino: Casino) -> None:
    await casino.player("ann", deposit=1_000)
    await casino.adjust("ann", -250)
    assert posted(casino) == [
        table("""
            av/ann    -250
            ADJ       +250
        """)
    ]
    assert events_of(casino, BalanceWentNegative) == []


async def test_adjustment_below_zero_says_so_and_then_no_hold_and_no_withdrawal_but_deposits_fill_it(
    casino: Casino,
) -> None:
    await casino.player("ann", deposit=1_000)
    await casino.table("t", EURO)
    answer = await casino.adjust("ann", -1_250)
    assert events_of(casino, BalanceWentNegative) == [BalanceWentNegative("ann", "EUR", None, -250)]
    assert answer["balance"]["available"] == -250
    round_id = await casino.round("t")
    for attempt in (casino.withdraw("ann", 1), casino.wager(round_id, "ann", seat=1, ante=100)):
        with pytest.raises(InsufficientFunds):
            await attempt
    await casino.deposit("ann", 300)
    assert casino.books.balance("av/ann") == 50 * MICRO


@pytest.mark.parametrize("amount", [0, AMOUNT_MINOR_MAX + 1, -AMOUNT_MINOR_MAX - 1, AMOUNT_MINOR_MAX])
async def test_an_adjustment_of_nothing_or_too_much_is_invalid(casino: Casino, amount: int) -> None:
    await casino.player("ann", deposit=1)
    with pytest.raises(Invalid) as refused:
        await casino.adjust("ann", amount)
    assert refused.value.field == "amount"


async def test_an_adjustment_takes_two_persons(casino: Casino) -> None:
    await casino.player("ann")
    with pytest.raises(Forbidden) as refused:
        await casino.submit(c.AdjustBalance("ann", 5, "miscount", "pit"))
    assert refused.value.field == "approver"


async def test_an_adjustment_of_nobody_is_refused(casino: Casino) -> None:
    with pytest.raises(Refusal) as refused:
        await casino.adjust("nobody", 5)
    assert refused.value.field == "player"
