"""Keys as they change: one transaction on the writer's login, under the writer's lock, one operator at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from adapters.access_rows import INSERT, row_of
from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.database.locks import WRITER_LOCK
from domain.access import AccessLine
from domain.errors import NotFound, Unavailable
from domain.keys import KeyFacts
from services.ports import Key, KeyRecord

REVOKED_CHANNEL: Final = "studbook_keys"
"""Where a revocation is announced; the payload is the key's id."""

_AWAY: Final = "keys cannot be changed now, or it is not known yet; send the same request again"

FACTS: Final = """
    SELECT key_id, subject, roles, label, signing_key IS NOT NULL, created_at, revoked_at, made_by, replaces
    FROM api_keys WHERE operator = %s"""
"""What is told of a key, of one operator: see `facts_of`."""

RECORD: Final = """
    SELECT fingerprint, status, body, position FROM idempotency WHERE operator = %s AND scope = %s AND key = %s"""
_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"
_ADD: Final = """
    INSERT INTO api_keys (key_id, operator, subject, roles, secret_hash, label, signing_key, made_by, replaces,
        created_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
KEEP: Final = """
    INSERT INTO idempotency (operator, scope, key, fingerprint, status, body, position)
    VALUES (%s, %s, %s, %s, %s, %s, %s)"""


class PostgresChange:
    """See services.keys.Change."""

    def __init__(
        self,
        conn: AsyncConnection[TupleRow],
        operator: str,
        keys: Sequence[KeyFacts],
        record: KeyRecord | None,
        position: int,
    ) -> None:
        self._conn = conn
        self._operator = operator
        self.keys = keys
        self.record = record
        self.position = position

    async def add(self, key: KeyFacts, secret_hash: bytes, signing_key: str | None) -> None:
        """See the port."""
        await self._conn.execute(
            _ADD,
            [key.key_id, self._operator, key.subject, sorted(key.roles), secret_hash, key.label, signing_key,
             key.made_by, key.replaces, key.created_at],
        )  # fmt: skip

    async def revoke(self, key_id: str, at: datetime) -> None:
        """See the port."""
        await self._conn.execute(
            "UPDATE api_keys SET revoked_at = %s WHERE operator = %s AND key_id = %s AND revoked_at IS NULL",
            [at, self._operator, key_id],
        )
        await self._conn.execute("SELECT pg_notify(%s, %s)", [REVOKED_CHANNEL, key_id])

    async def commit(self, line: AccessLine, record: KeyRecord | None) -> None:
        """See the port."""
        await self._conn.execute(INSERT, row_of(line))
        if record is not None:
            await self._conn.execute(KEEP, [*record.key, *record[1:]])
        await self._conn.commit()


class PostgresKeyBook:
    """See services.keys.KeyBook. It connects for each change: they are few."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    @asynccontextmanager
    async def changing(self, operator: str, key: Key | None) -> AsyncIterator[PostgresChange]:
        """See the port."""
        try:
            async with await connect_async(self._conninfo, autocommit=False) as conn:
                yield await _begin(conn, operator, key)
                await conn.rollback()  # nothing is left to do after a commit
        except (DatabaseUnreachable, psycopg.Error) as error:
            raise Unavailable(_AWAY) from error


async def _begin(conn: AsyncConnection[TupleRow], operator: str, key: Key | None) -> PostgresChange:
    await conn.execute("SET LOCAL lock_timeout = 3000")
    await conn.execute("SET LOCAL idle_in_transaction_session_timeout = '5s'")
    await conn.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
    known = await (await conn.execute("SELECT 1 FROM operators WHERE operator = %s", [operator])).fetchone()
    if known is None:
        raise NotFound("no such operator", field="operator")
    rows = await (await conn.execute(FACTS, [operator])).fetchall()
    record = None
    if key is not None and (found := await (await conn.execute(RECORD, list(key))).fetchone()):
        record = KeyRecord(key, bytes(found[0]), found[1], None if found[2] is None else bytes(found[2]), found[3])
    ((position,),) = await (await conn.execute(_HEAD)).fetchall()
    return PostgresChange(conn, operator, [facts_of(row) for row in rows], record, position)


def facts_of(row: Sequence[Any]) -> KeyFacts:
    """A row of FACTS as a key's facts."""
    key_id, subject, roles, *rest = row
    return KeyFacts(key_id, subject, frozenset(roles), *rest)
