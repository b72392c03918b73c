"""Hears of revoked keys, so that this process forgets them at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import psycopg

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.key_book import REVOKED_CHANNEL

AGAIN_SECONDS: Final = 1.0

log = logging.getLogger("studbook.keys")


async def watch_keys(conninfo: str, revoked: Callable[[str | None], None]) -> None:
    """Until cancelled: `revoked` is told the id of each key that is revoked, None when some may have been missed."""
    while True:
        try:
            async with await connect_async(conninfo) as conn:
                await conn.execute(f"LISTEN {REVOKED_CHANNEL}".encode())
                revoked(None)
                async for notice in conn.notifies():
                    revoked(notice.payload)
        except (DatabaseUnreachable, psycopg.Error) as fault:
            log.info("revocations are not heard now, keys are looked up each second: %s", fault)
        await asyncio.sleep(AGAIN_SECONDS)
