"""Rings in a serving process when the log has grown: the writer's NOTIFY, heard on a connection of the request's login
that is there only while somebody follows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import psycopg

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.event_store.statements import CHANNEL

POLL_SECONDS: Final = 2.0
"""It rings by itself after so long, should a notice have been lost."""

PACE_SECONDS: Final = 0.02
"""Between two rings of a log that is written all the time."""

AGAIN_SECONDS: Final = 1.0

_LOGGER: Final = logging.getLogger("studbook.event_store")


class LogBell:
    """See services.ports_reads.Bell."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._users = 0
        self._task: asyncio.Task[None] | None = None
        self._rung = asyncio.Event()
        self.count = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """See the port."""
        self._users += 1
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            self._users -= 1
            if self._users == 0 and self._task is not None:
                self._task.cancel()
                self._task = None

    async def rung(self, seen: int) -> None:
        """See the port."""
        while self.count == seen:
            await self._rung.wait()

    async def _listen(self) -> None:
        """Until cancelled; a lost connection is made again."""
        while True:
            try:
                async with await connect_async(self._conninfo) as conn:
                    await conn.execute(f"LISTEN {CHANNEL}".encode())
                    while True:
                        self._ring()
                        async for _ in conn.notifies(timeout=POLL_SECONDS, stop_after=1):
                            pass
                        await asyncio.sleep(PACE_SECONDS)
            except (psycopg.Error, DatabaseUnreachable) as fault:
                _LOGGER.warning("followers wait for the database: %s", " ".join(str(fault).split()))
            await asyncio.sleep(AGAIN_SECONDS)

    def _ring(self) -> None:
        self.count += 1
        told, self._rung = self._rung, asyncio.Event()
        told.set()
