"""Many orders at once: each gets what it would get alone, in its place."""

from __future__ import annotations

import asyncio

import pytest

from domain.errors import IdempotencyMismatch, InsufficientFunds, Unavailable
from services.batch import Order, Result
from services.commands import DepositFunds, Settle, WithdrawFunds
from tests.services.crowd import folded, paid
from tests.support.casino import Casino
from tests.support.memory_log import Fault, MemoryLog


def memory(casino: Casino) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


@pytest.fixture
async def rich(casino: Casino) -> Casino:
    """Alice with 10.00."""
    await casino.player("alice", deposit=1_000)
    return casino


def deposits(casino: Casino, *amounts: int) -> list[Order]:
    return [casino.order(DepositFunds("alice", one, "EUR", f"tx{one}"), key=f"k{one}", status=201) for one in amounts]


async def test_results_and_refusals_stand_in_the_place_of_their_orders(rich: Casino) -> None:
    before = memory(rich).appends
    orders = [*deposits(rich, 1, 2), rich.order(WithdrawFunds("alice", 5_000, "EUR", "w")), *deposits(rich, 3)]
    found = await rich.send_many(orders)
    assert [type(one) for one in found] == [Result, Result, InsufficientFunds, Result]
    assert memory(rich).appends == before + 1
    assert rich.books.balance("av/alice") == 1_006_000_000


async def test_a_key_twice_shares_one_effect_and_with_another_body_is_a_mismatch(rich: Casino) -> None:
    orders = [*deposits(rich, 1, 1), rich.order(DepositFunds("alice", 2, "EUR", "other"), key="k1")]
    first, second, third = await rich.send_many(orders)
    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert (first.replayed, second.replayed, first.body) == (False, True, second.body)
    assert isinstance(third, IdempotencyMismatch)
    assert rich.books.balance("av/alice") == 1_001_000_000


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_more_orders_than_a_turn_holds_are_all_answered(
    rich: Casino, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.BATCH_MAX", limit)
    before = memory(rich).appends
    found = await rich.send_many(deposits(rich, *range(1, 8)))
    positions = [one.position for one in found if isinstance(one, Result)]
    assert (len(positions), positions) == (7, sorted(positions))
    assert memory(rich).appends - before == -(-7 // limit)


@pytest.mark.parametrize("fault", [Fault.NO_LOCK, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT])
async def test_a_store_that_goes_away_between_turns_leaves_what_was_done_and_the_retry_finishes(
    rich: Casino, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.BATCH_MAX", 2)
    orders, real, turns = deposits(rich, *range(1, 6)), rich.house._turn, 0

    async def away_at_the_second(jobs: object) -> None:
        nonlocal turns
        turns += 1
        if turns in {2, 3}:  # the turn and its repetition
            memory(rich).fail(fault)
        await real(jobs)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(rich.house, "_turn", away_at_the_second)
    found = await rich.send_many(orders)
    assert [type(one) for one in found] == [Result, Result, Unavailable, Unavailable, Result]
    assert rich.books.balance("av/alice") == 1_008_000_000
    again = await rich.send_many(orders)
    assert [one.replayed for one in again if isinstance(one, Result)] == [True, True, False, False, True]
    assert rich.books.balance("av/alice") == 1_015_000_000


async def test_a_commit_lost_after_it_took_effect_answers_each_order_with_what_happened(rich: Casino) -> None:
    memory(rich).fail(Fault.LOST_AFTER_COMMIT)
    found = await rich.send_many(deposits(rich, 1, 2, 3))
    assert all(isinstance(one, Result) and not one.replayed for one in found)
    assert rich.books.balance("av/alice") == 1_006_000_000


async def test_a_house_without_room_for_all_takes_none(rich: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.house.QUEUE_MAX", 2)
    found = await rich.send_many(deposits(rich, 1, 2, 3))
    assert [type(one) for one in found] == [Unavailable] * 3
    assert rich.last_news == []
    assert rich.house.waiting == 0


async def test_a_house_that_has_stopped_takes_none(rich: Casino) -> None:
    await rich.house.stop()
    assert [type(one) for one in await rich.send_many(deposits(rich, 1, 2))] == [Unavailable] * 2
    await rich.throw_away()


async def test_no_orders_are_no_work(rich: Casino) -> None:
    assert await rich.send_many([]) == []


async def test_a_large_round_among_many_orders_is_paid_to_the_last_seat(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.audit()
    settled, put_in = await crowd.send_many([crowd.order(Settle(round_id, None)), *deposits_of(crowd, "p0001")])
    assert isinstance(settled, Result)
    assert isinstance(put_in, Result)
    assert b'"phase": "SETTLED"' in settled.body
    assert paid(crowd) == 1_200


def deposits_of(casino: Casino, player: str) -> list[Order]:
    return [casino.order(DepositFunds(player, 5, "EUR", f"x-{player}"))]


async def test_a_caller_that_is_cancelled_leaves_nothing_unanswered_behind(
    rich: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    """Its orders may happen, as those of a connection that breaks; nobody is left to hear of it."""
    orders = [*deposits(rich, 1), rich.order(WithdrawFunds("alice", 5_000, "EUR", "w"))]
    task = asyncio.create_task(rich.house.submit_all(orders))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (later,) = await rich.send_many(deposits(rich, 1))
    assert isinstance(later, Result)
    assert rich.books.balance("av/alice") == 1_001_000_000
    assert "never retrieved" not in caplog.text
