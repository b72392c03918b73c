"""A house that may write no more writes nothing more, whatever waits; one that fails in an unforeseen way goes on."""

from __future__ import annotations

import asyncio

import pytest

from domain.errors import Unavailable
from services.batch import Order
from services.commands import DepositFunds, Scope, SetService
from tests.support.casino import Casino
from tests.support.counter import OPERATOR
from tests.support.memory_log import Fault, MemoryLog


def memory(casino: Casino) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


def deposit(casino: Casino, amount: int) -> Order:
    return casino.order(DepositFunds("alice", amount, "EUR", f"tx{amount}"), status=201)


async def test_F15_after_an_event_of_a_newer_version_nothing_is_written_though_commands_waited(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.player("alice", deposit=1_000)
    monkeypatch.setattr("services.house.BATCH_MAX", 2)
    memory(casino).newer = {f"{OPERATOR}/table/of-tomorrow"}
    close = casino.order(SetService(Scope.TABLE, "of-tomorrow", True, "test"))
    found = await casino.send_all([deposit(casino, 100), close, deposit(casino, 200), deposit(casino, 300)])
    assert [str(one) for one in found] == [str(casino.house.stopped_by)] * 4
    assert all(isinstance(one, Unavailable) for one in found)
    assert casino.last_news == []
    with pytest.raises(Unavailable, match="newer version"):
        await casino.house.submit(deposit(casino, 400))


async def test_F02_a_fault_nobody_foresaw_while_a_commit_is_looked_for_hangs_nobody_and_the_next_turn_works(
    casino: Casino,
) -> None:
    await casino.player("alice", deposit=1_000)
    order = deposit(casino, 100)
    memory(casino).fail(Fault.LOST_AFTER_COMMIT, Fault.ODD)
    async with asyncio.timeout(60):
        (found,) = await casino.send_all([order])
        assert isinstance(found, Unavailable)
        assert (await casino.send(order))["amount"] == 100
    assert casino.books.balance("av/alice") == 1_100_000_000
