"""A casino on the real store with timers on the real read models."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.event_store import PostgresLog
from adapters.round_watch import RoundWatch
from api.main.application import _watched
from api.main.figures import Floor
from services.timers import Timers
from tests.adapters.projecting import catch_up
from tests.postgres import Database
from tests.support.casino import Casino


@dataclass
class Pit:
    """A casino with timers on the real read models; time stands still but when it is told."""

    database: Database
    casino: Casino
    timers: Timers

    async def look(self, *, is_stale: bool = False) -> int:
        """What the timers do now, on read models that have all events unless they are stale."""
        if not is_stale:
            await asyncio.to_thread(catch_up, self.database)
        return await self.timers.look()


@asynccontextmanager
async def pit_of(database: Database, kind: type[Casino] = Casino) -> AsyncIterator[Pit]:
    """Open, with the timers' lock not yet taken."""
    log = PostgresLog(database.conninfo("writer"))
    casino = kind(log)
    watch = RoundWatch(database.conninfo("projector"))
    try:
        async with casino:
            floor = Floor(watch.pools)
            timers = Timers(casino.house, lambda: _watched(watch, floor), casino.clock, casino.ids)
            yield Pit(database, casino, timers)
    finally:
        await watch.close()
        await log.aclose()
