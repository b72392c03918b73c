"""Hashes of the chain at some positions, whoever's events they are: see services.ports_reads.Hashes.

The login of requests sees one operator's rows; the hash before an event may be of another's. It is read on the
projector's login, by itself, on a connection that lasts for one question: such questions are few.
"""

from __future__ import annotations

from collections.abc import Collection

import psycopg

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.event_store.rounds import HASHES
from domain.errors import Unavailable


class ChainHashes:
    """See the module. `conninfo` is of a role that reads all rows."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    async def at(self, positions: Collection[int]) -> dict[int, bytes]:
        """See the port."""
        if not positions:
            return {}
        try:
            async with await connect_async(self._conninfo) as conn:
                rows = await (await conn.execute(HASHES, [list(positions)])).fetchall()
        except (DatabaseUnreachable, psycopg.Error) as fault:
            raise Unavailable("the database cannot be reached") from fault
        return {position: bytes(hashed) for position, hashed in rows}
