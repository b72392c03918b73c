"""Exports as one operator asks for them and reads them, with the request login."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from domain.errors import Unavailable
from domain.exports import Export, Status

CHANNEL: Final = "studbook_exports"
"""Where the exporter hears of new ones."""

COLUMNS: Final = """operator, export, kind, format, wish, subject, hurry, asked_at, expires_at, position, status,
    attempts, events_read, events, finished_at, failure, manifest"""

_STATUS_AT: Final = 10
"""Where the status stands among them."""

_OPEN: Final = "SELECT count(*) FROM studbook.exports WHERE operator = %s AND status IN ('WAITING', 'RUNNING')"
_ADD: Final = """
    INSERT INTO studbook.exports (operator, export, kind, format, wish, subject, hurry, asked_at, expires_at, position)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
_TELL: Final = f"SELECT pg_notify('{CHANNEL}', '')"
_GET: Final = f"SELECT {COLUMNS} FROM studbook.exports WHERE operator = %s AND export = %s"
_NEWEST: Final = """
    SELECT notification_id FROM studbook.stored_events WHERE operator = %s
    ORDER BY operator DESC, operator_seq DESC LIMIT 1"""
_STREAM: Final = """
    SELECT 1 FROM studbook.stored_events WHERE operator = %s AND originator_id = %s AND originator_version = 1"""
_CHUNK: Final = "SELECT bytes FROM studbook.export_chunks WHERE operator = %s AND export = %s AND number = %s"


def export_of(row: Sequence[Any]) -> Export:
    """A row of COLUMNS."""
    cells = list(row)
    cells[_STATUS_AT] = Status(cells[_STATUS_AT])
    return Export(*cells)


class PostgresExports:
    """See services.ports_exports.ExportStore. `pool` is the request login's, in autocommit."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[TupleRow]]) -> None:
        self._pool = pool

    async def add(self, operator: str, one: Export, most: int) -> bool:
        """See the port."""
        row = [operator, one.export, one.kind, one.format, one.wish, one.subject, one.hurry, one.asked_at,
               one.expires_at, one.position]  # fmt: skip
        async with self._within(operator) as conn:
            found = await (await conn.execute(_OPEN, [operator])).fetchone()
            if found is None or found[0] >= most:
                return False
            await conn.execute(_ADD, row)
            await conn.execute(_TELL)
        return True

    async def get(self, operator: str, export: str) -> Export | None:
        """See the port."""
        async with self._within(operator) as conn:
            row = await (await conn.execute(_GET.encode(), [operator, export])).fetchone()
        return None if row is None else export_of(row)

    async def has_stream(self, operator: str, stream: str) -> bool:
        """See the port."""
        async with self._within(operator) as conn:
            return await (await conn.execute(_STREAM, [operator, stream])).fetchone() is not None

    async def standing(self, operator: str) -> int:
        """See the port."""
        async with self._within(operator) as conn:
            row = await (await conn.execute(_NEWEST, [operator])).fetchone()
        return 0 if row is None else int(row[0])

    async def chunks(self, operator: str, export: str) -> AsyncIterator[bytes]:
        """See the port. No connection is held while the reader takes its time."""
        number = 0
        while (chunk := await self._chunk(operator, export, number)) is not None:
            yield chunk
            number += 1

    async def _chunk(self, operator: str, export: str, number: int) -> bytes | None:
        async with self._within(operator) as conn:
            row = await (await conn.execute(_CHUNK, [operator, export, number])).fetchone()
        return None if row is None else bytes(row[0])

    @asynccontextmanager
    async def _within(self, operator: str) -> AsyncIterator[AsyncConnection[TupleRow]]:
        """A transaction that sees one operator. Raises Unavailable."""
        try:
            async with self._pool.connection() as conn, conn.transaction():
                await conn.execute("SELECT set_config('studbook.operator', %s, true)", [operator])
                yield conn
        except (psycopg.OperationalError, PoolTimeout, PoolClosed) as error:
            raise Unavailable("the database cannot be reached; send the same request again") from error
