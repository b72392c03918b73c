"""What the house reads: nothing that it knows already, and what it does not know in a handful of queries."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from adapters.event_store.turn import PostgresTurn
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.ports import Loaded
from tests.domain.showdowns import LIVE
from tests.postgres import Database
from tests.store.support import Ask, assert_sound, shop_of

PLAYERS = [f"p{nth}" for nth in range(300)]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many streams each load asked for."""
    found: list[int] = []
    load = PostgresTurn.load

    async def counted(turn: PostgresTurn, streams: Collection[str], prefixes: Collection[str]) -> Loaded:
        found.append(len(streams))
        return await load(turn, streams, prefixes)

    monkeypatch.setattr(PostgresTurn, "load", counted)
    return found


async def test_a_house_reads_nothing_again_that_it_knows(database: Database, loads: list[int]) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann"], 10_000)
        (round_id,) = await shop.rounds_at(LIVE, 1)
        await shop.wager(round_id, "ann", ante=100)
        loads.clear()
        for _ in range(5):
            await shop.wager(round_id, "ann", ante=100)
        assert loads == []


async def test_a_house_that_knows_nothing_works_on_a_whole_round_with_a_few_loads(
    database: Database, loads: list[int]
) -> None:
    conninfo = database.conninfo("writer")
    async with shop_of(conninfo) as shop:
        await shop.furnish(PLAYERS, 1_000)
        (round_id,) = await shop.rounds_at(LIVE, 1, below_min_policy="REJECT_AT_CLOSE")
        await shop.all_done(
            *(Ask(c.PlaceWager(round_id, one, None, 40 + 60 * (n % 2), 0, 0)) for n, one in enumerate(PLAYERS))
        )
    steps: list[c.Command] = [
        c.CloseBetting(round_id),
        c.Deal(round_id, ("Ah", "Kd", "9c", "8c", "7c"), None, ("4c", "4d", "4h", "5s", "2s")),
        c.Settle(round_id, None),
        c.Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, False),
    ]
    for step in steps:
        async with shop_of(conninfo) as shop:
            loads.clear()
            await shop.submit(step)
            assert len(loads) <= 4, step
    assert_sound(database)
