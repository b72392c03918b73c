"""Idempotency-Keys of calls that add no event, in the table of all others: each in a transaction on the writer's login.

The key is held by a lock of its own while its call is served. The writer's lock is taken for the moment of writing
alone: under it the house looks keys up, so that none appears between its look and its append.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.database.locks import WRITER_LOCK
from adapters.key_book import KEEP, RECORD
from domain.errors import Unavailable
from services.ports import Key, KeyRecord

_AWAY: Final = "this cannot be done now, or it is not known yet; send the same request again"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 33))"


class PostgresServing:
    """See services.once.Serving."""

    def __init__(self, conn: AsyncConnection[TupleRow], record: KeyRecord | None) -> None:
        self._conn = conn
        self.record = record

    async def keep(self, record: KeyRecord) -> None:
        """See the port. A key that has served another call meanwhile stays that call's."""
        await self._conn.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        await self._conn.execute(f"{KEEP} ON CONFLICT DO NOTHING".encode(), [*record.key, *record[1:]])
        await self._conn.commit()


class PostgresMemory:
    """See services.once.Memory. It connects for each call: they are few."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    @asynccontextmanager
    async def serving(self, key: Key) -> AsyncIterator[PostgresServing]:
        """See the port."""
        try:
            async with await connect_async(self._conninfo, autocommit=False) as conn:
                await conn.execute("SET LOCAL lock_timeout = 3000")
                await conn.execute("SET LOCAL idle_in_transaction_session_timeout = '10s'")
                await conn.execute(_LOCK, [" ".join(key)])
                found = await (await conn.execute(RECORD, list(key))).fetchone()
                yield PostgresServing(conn, None if found is None else _record(key, found))
                await conn.rollback()  # nothing is left to do after a commit
        except (DatabaseUnreachable, psycopg.Error) as error:
            raise Unavailable(_AWAY) from error


def _record(key: Key, row: TupleRow) -> KeyRecord:
    fingerprint, status, body, position = row
    return KeyRecord(key, bytes(fingerprint), status, None if body is None else bytes(body), position)
