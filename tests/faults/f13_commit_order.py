"""F13: eight writers, a trigger that sleeps 0 to 50 ms before each commit, one append in twenty rolled back.

Two followers and the projector read along. None passes over an event, none sees one twice, and the read models are
at the head soon after the last commit. The library's database functions, which miss events, are refused at start.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from threading import Event
from typing import Final

from adapters.projector import Projector
from services import commands as c
from tests.adapters.projecting import all_at, running, until
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.postgres import Database
from tests.store.commands import studbook
from tests.store.support import Ask, Shop, head_of, shop_of
from tests.support.followers import following, slow_down_inserts

WRITERS: Final = 8
SLEEP_SECONDS: Final = 0.05
ROLLED_BACK: Final = 0.05
LAG_SECONDS: Final = 2.0
BATCH_MOST: Final = 30


class Writer:
    """A house of its own with a player of its own; what was rolled back twice is asked again under the same key."""

    def __init__(self, shop: Shop, nth: int, chance: random.Random) -> None:
        self.shop, self.player, self.chance = shop, f"player-{nth}", chance
        self.asked = self.refused = 0

    async def register(self) -> None:
        await self._done([c.RegisterPlayer(self.player, "EUR")])

    async def write(self, events: int) -> None:
        """So many events: each deposit is two."""
        left = events // 2
        while left > 0:
            size = min(left, self.chance.randint(1, BATCH_MOST))
            names = [f"{self.player}-{self.asked + nth}" for nth in range(size)]
            await self._done([c.DepositFunds(self.player, 100, "EUR", name) for name in names])
            left -= size
            await asyncio.sleep(self.chance.random() * 0.002)

    async def _done(self, commands: Sequence[c.Command]) -> None:
        asks = [Ask(one, f"{self.player}-{self.asked + nth}") for nth, one in enumerate(commands)]
        self.asked += len(asks)
        while asks:
            found = await self.shop.ask_all(asks)
            wrong = {one.code for one in found} - {"OK", "UNAVAILABLE"}
            if wrong:
                raise AssertionError(f"{self.player} was answered {wrong}")
            asks = [ask for ask, one in zip(asks, found, strict=True) if one.code != "OK"]
            self.refused += len(asks)


async def written(trial: Trial, database: Database) -> list[Writer]:
    """All writers at once, until the amount is in the log."""
    async with AsyncExitStack() as stack:
        shops = [await stack.enter_async_context(shop_of(database.conninfo("writer"))) for _ in range(WRITERS)]
        writers = [Writer(shop, nth, random.Random(f"{trial.seed}/{nth}")) for nth, shop in enumerate(shops)]
        for one in writers:
            await one.register()
        slow_down_inserts(database, SLEEP_SECONDS, ROLLED_BACK)
        work = asyncio.gather(*(one.write(-(-trial.amount // WRITERS // 2) * 2) for one in writers))
        while not work.done():
            await asyncio.wait([work], timeout=1)
            trial.progress(min(trial.amount, head_of(database)), f"{_lost(writers)} turns rolled back")
        await work
    return writers


async def last(database: Database) -> int:
    """One more event, for followers that wait to be told; the head before it."""
    head = head_of(database)
    async with shop_of(database.conninfo("writer")) as shop:
        while (await shop.ask_all([Ask(c.RegisterPlayer("last", "EUR"), "last")]))[0].code != "OK":
            pass
    return head


def run(trial: Trial) -> None:
    with ground(trial) as database:
        started = studbook(database, "serve", "--port", "0", POSTGRES_ENABLE_DB_FUNCTIONS="y")
        trial.expect(started.returncode == 2, "serve started with the library's database functions")
        with running(Projector(database.conninfo("projector"), Event())), following(database) as followers:
            writers = asyncio.run(written(trial, database))
            began = time.monotonic()
            head = head_of(database)
            until(lambda: all_at(database, head), 5 * LAG_SECONDS)
            trial.figure("lag s", time.monotonic() - began)
            for one in followers:
                one.last = head + 1
            asyncio.run(last(database))
        evidence = judged(trial, database)
    for one in followers:
        seen = one.seen[:head]
        trial.expect(seen == list(range(1, head + 1)), f"a follower saw {len(set(seen))} of {head}, {len(seen)} in all")
    trial.expect(evidence.head >= trial.amount, f"{evidence.head} events are fewer than {trial.amount}")
    trial.figure("events", evidence.head)
    trial.expect(_lost(writers) > 0, "no turn was rolled back")
    trial.figure("rolled back", _lost(writers))
    trial.figure("asked again", sum(one.refused for one in writers))


def _lost(writers: Sequence[Writer]) -> int:
    return sum(one.shop.house.turns_lost for one in writers)


FAULT: Final = Fault("F13", "commit-order gaps: eight slow writers", 5_000, 100_000, "events", run)
