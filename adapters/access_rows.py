"""The access log's table: written by the writer's login, of webhooks by that of requests, with each change of one; read
and cleaned by the projector's.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, Connection
from psycopg.rows import TupleRow

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from domain.access import AccessLine, Visit
from domain.errors import Unavailable

INSERT: Final = """
    INSERT INTO access_log (at, operator, kind, times, subject, key_id, address, method, route, status, request_id,
        detail) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""

COLUMNS: Final = "at, operator, kind, times, subject, key_id, address, method, route, status, request_id, detail"

_BATCH: Final = 1_000
_FORGET: Final = """
    DELETE FROM access_log WHERE entry IN (SELECT entry FROM access_log WHERE at <= %s ORDER BY at LIMIT %s)"""


def row_of(line: AccessLine) -> list[Any]:
    """A line as the parameters of INSERT."""
    v = line.visit
    return [line.at, v.operator, v.kind, line.times, v.subject, v.key_id, v.address, v.method, v.route, v.status,
            line.request_id, v.detail]  # fmt: skip


def line_of(row: Sequence[Any]) -> AccessLine:
    """A row of COLUMNS as a line."""
    at, operator, kind, times, subject, key_id, address, method, route, status, request_id, detail = row
    visit = Visit(kind, operator, subject, key_id, address, method, route, status, detail)
    return AccessLine(at, visit, times, request_id)


class PostgresAccessRows:
    """See services.access.AccessRows. One connection, made anew when it is lost."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._conn: AsyncConnection[TupleRow] | None = None

    async def append(self, lines: Sequence[AccessLine]) -> None:
        """See the port."""
        try:
            if self._conn is None or self._conn.closed:
                self._conn = await connect_async(self._conninfo)
                await self._conn.execute("SET statement_timeout = '5s'")
            async with self._conn.transaction(), self._conn.cursor() as cursor:
                await cursor.executemany(INSERT, [row_of(line) for line in lines])
        except (DatabaseUnreachable, psycopg.Error) as error:
            await self.aclose()
            raise Unavailable("the database cannot be reached") from error

    async def aclose(self) -> None:
        """Close the connection."""
        conn, self._conn = self._conn, None
        if conn is not None:
            await conn.close()


class OldVisits:
    """See services.ports.Texts: removes lines of the access log that are old enough, with the projector's login."""

    def __init__(self, conninfo: str, batch: int = _BATCH) -> None:
        self._conninfo = conninfo
        self._batch = batch

    async def forget(self, until: datetime) -> int:
        """Remove lines of `until` and before; how many went. The database refuses to remove one before its 400 days."""
        removed = 0
        try:
            async with await connect_async(self._conninfo) as conn:
                while (done := (await conn.execute(_FORGET, [until, self._batch])).rowcount) > 0:
                    removed += done
        except (DatabaseUnreachable, psycopg.Error) as error:
            raise Unavailable("the database cannot be reached") from error
        return removed


def newest(conn: Connection[TupleRow], operator: str | None, limit: int) -> list[AccessLine]:
    """The newest lines of an operator, or those that name none. `conn` is the projector's."""
    rows = conn.execute(
        f"SELECT {COLUMNS} FROM access_log WHERE operator IS NOT DISTINCT FROM %s"
        " ORDER BY entry DESC LIMIT %s".encode(),
        [operator, limit],
    ).fetchall()
    return [line_of(row) for row in rows]
