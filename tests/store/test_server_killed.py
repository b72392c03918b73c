"""PostgreSQL is killed under a house with load: nothing that was acknowledged is lost, and the house goes on by itself
(F02, invariants I2, I3 and I10).
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from domain.wallets.events import Deposited
from services import commands as c
from services.batch import Order
from tests.embedded import folder
from tests.postgres import Database
from tests.store.support import Outcome, Shop, assert_sound, events_of, shop_of

__all__ = ["folder"]

CLIENTS = 16
KILLS = 3
ACKNOWLEDGED_BETWEEN = 150
ANSWER_SECONDS = 60.0


class Load:
    """Clients that deposit one minor unit at a time, each under a key of its own."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.told: list[tuple[Order, Outcome]] = []
        self.ending = False

    @property
    def acknowledged(self) -> int:
        return sum(one.code == "OK" for _, one in self.told)

    async def client(self, player: str) -> None:
        nth = 0
        while not self.ending:
            nth += 1
            order = self.shop.order(c.DepositFunds(player, 1, "EUR", f"{player}-{nth}"), status=201)
            async with asyncio.timeout(ANSWER_SECONDS):
                outcome = await self.shop.ask(order)
            self.told.append((order, outcome))
            await asyncio.sleep(0 if outcome.code == "OK" else 0.02)

    async def more(self) -> None:
        """Until so many more are acknowledged."""
        wanted = self.acknowledged + ACKNOWLEDGED_BETWEEN
        async with asyncio.timeout(150):
            while self.acknowledged < wanted:
                await asyncio.sleep(0.01)


async def test_F02_a_server_killed_under_load_loses_nothing_acknowledged_and_the_house_serves_again(
    folder: Path,
) -> None:
    with Cluster.start(folder) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        async with shop_of(database.conninfo("writer")) as shop:
            players = [f"p{nth}" for nth in range(CLIENTS)]
            await shop.furnish(players, 1)
            load = Load(shop)
            async with asyncio.TaskGroup() as clients:
                for player in players:
                    clients.create_task(load.client(player))
                for _ in range(KILLS):
                    await load.more()
                    os.kill(cluster.pid, signal.SIGKILL)
                    await asyncio.to_thread(cluster.ensure_running)
                await load.more()
                load.ending = True
            await _everything_happened_once(database, load)
        assert_sound(database)


async def _everything_happened_once(database: Database, load: Load) -> None:
    codes = {one.code for _, one in load.told}
    assert codes <= {"OK", "UNAVAILABLE"}
    assert "UNAVAILABLE" in codes, "no kill was felt"
    stored = {one.meta.idempotency_key for one in events_of(database) if isinstance(one.event, Deposited)}
    for order, told in load.told:
        assert told.code != "OK" or order.meta.idempotency_key in stored
    again = await asyncio.gather(*(load.shop.ask(order) for order, _ in load.told))
    for (_, told), later in zip(load.told, again, strict=True):
        assert later.code == "OK"
        assert told.code != "OK" or later == told._replace(replayed=True)
    made = [one.event for one in events_of(database) if isinstance(one.event, Deposited)]
    assert len(made) == len({one.transaction_id for one in made}) == len(load.told) + CLIENTS
