"""A turn that is decided once more after a lost commit: every order gets one outcome, whatever the second one meets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import pytest

from domain.errors import Unavailable
from services.batch import Order, Result
from services.commands import DepositFunds
from services.ports import Key
from tests.support.casino import Casino
from tests.support.memory_log import Fault, MemoryLog, MemoryTurn

OUTCOME_SECONDS = 60.0
"""An order that has no outcome after so long has none for ever."""


class Watched(MemoryLog):
    """Tells when the second of two turns with commands begins."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0

    async def at_turn(self) -> None:
        """Before each turn."""

    @asynccontextmanager
    async def turn(self, keys: Collection[Key], after: int | None) -> AsyncIterator[MemoryTurn]:
        self.turns += 1
        await self.at_turn()
        async with super().turn(keys, after) as turn:
            yield turn


@pytest.fixture
async def watched() -> AsyncIterator[tuple[Casino, Watched]]:
    log = Watched()
    async with Casino(log) as casino:
        await casino.player("alice", deposit=1_000)
        yield casino, log


def deposits(casino: Casino, *amounts: int) -> list[Order]:
    return [casino.order(DepositFunds("alice", one, "EUR", f"tx{one}"), status=201) for one in amounts]


async def outcomes(casino: Casino, orders: list[Order]) -> list[Result | BaseException]:
    async with asyncio.timeout(OUTCOME_SECONDS):
        return await casino.send_all(orders)


async def test_what_the_second_turn_has_no_time_for_is_not_answered_before_its_own_turn(
    watched: tuple[Casino, Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, log = watched

    async def time_is_short_from_the_second_turn_on() -> None:
        if log.turns == 3:  # the lost one, the look at what became of it, the second one
            monkeypatch.setattr("services.house.TURN_SECONDS", 0.0)

    log.turns = 0
    monkeypatch.setattr(log, "at_turn", time_is_short_from_the_second_turn_on)
    log.fail(Fault.LOST_BEFORE_COMMIT)
    found = await outcomes(casino, deposits(casino, 100, 200, 400))
    assert [type(one) for one in found] == [Result, Result, Result]
    assert casino.books.balance("av/alice") == 1_700_000_000


async def test_who_waits_long_for_a_second_turn_that_is_lost_too_is_told(
    watched: tuple[Casino, Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, log = watched
    monkeypatch.setattr("services.house.BATCH_MAX", 1)
    orders = deposits(casino, 100, 200)
    log.turns = 0

    async def the_store_goes_away() -> None:
        if log.turns == 3:
            log.fail(Fault.LOST_BEFORE_COMMIT)
        if log.turns == 4:
            log.fail(Fault.NO_LOCK)
            monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)

    monkeypatch.setattr(log, "at_turn", the_store_goes_away)
    log.fail(Fault.LOST_BEFORE_COMMIT)
    found = await outcomes(casino, orders)
    assert [type(one) for one in found] == [Unavailable, Unavailable]
    assert [type(one) for one in await outcomes(casino, orders)] == [Result, Result]
