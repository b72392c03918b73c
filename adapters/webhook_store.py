"""Webhooks as one operator keeps them, with the request login: row-level security shows the operator's own, and no
secret can be read back.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from adapters.access_rows import INSERT, row_of
from domain.access import AccessLine
from domain.errors import LimitReached, Unavailable
from domain.webhooks import SecretInfo, Try, Webhook

CHANNEL: Final = "studbook_webhooks"
"""Where the deliverer hears of changes."""

_COLUMNS: Final = """webhook, url, types, active, created_at, position, failures, failing_since, next_at, disabled_at,
    disabled_reason"""
_ALL: Final = f"SELECT {_COLUMNS} FROM studbook.webhooks WHERE operator = %s ORDER BY webhook"
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 14))"
"""One request of an operator after the other, where they are counted."""
_COUNT: Final = "SELECT count(*) FROM studbook.webhooks WHERE operator = %s"
_SIGNING: Final = """
    SELECT count(*) FROM studbook.webhook_secrets WHERE operator = %s AND webhook = %s
    AND (expires_at IS NULL OR expires_at > now())"""
_GET: Final = f"SELECT {_COLUMNS} FROM studbook.webhooks WHERE operator = %s AND webhook = %s"
_SECRETS: Final = """
    SELECT number, created_at, expires_at FROM studbook.webhook_secrets
    WHERE operator = %s AND webhook = %s ORDER BY number DESC"""
_BEHIND: Final = """
    SELECT coalesce((SELECT operator_seq FROM studbook.stored_events WHERE operator = %s
            ORDER BY operator DESC, operator_seq DESC LIMIT 1), 0)
        - coalesce((SELECT operator_seq FROM studbook.stored_events WHERE operator = %s AND notification_id <= %s
            ORDER BY notification_id DESC LIMIT 1), 0)"""
_STANDING: Final = """
    SELECT notification_id FROM studbook.stored_events WHERE operator = %s AND notification_id <= %s
    ORDER BY notification_id DESC LIMIT 1"""
_NEWEST: Final = """
    SELECT notification_id FROM studbook.stored_events WHERE operator = %s
    ORDER BY operator DESC, operator_seq DESC LIMIT 1"""
_ADD: Final = """
    INSERT INTO studbook.webhooks (operator, webhook, url, types, active, created_at, position)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
_CHANGE: Final = """
    UPDATE studbook.webhooks SET url = %s, types = %s, active = %s, position = %s, failures = %s, failing_since = %s,
        next_at = %s, disabled_at = %s, disabled_reason = %s, run = run + 1 WHERE operator = %s AND webhook = %s"""
_RUN: Final = "UPDATE studbook.webhooks SET run = run + 1 WHERE operator = %s AND webhook = %s"
_ADD_SECRET: Final = """
    INSERT INTO studbook.webhook_secrets (operator, webhook, number, sealed)
    SELECT %s, %s, coalesce(max(number), 0) + 1, %s FROM studbook.webhook_secrets
    WHERE operator = %s AND webhook = %s"""
_END_SECRETS: Final = """
    UPDATE studbook.webhook_secrets SET expires_at = %s WHERE operator = %s AND webhook = %s AND expires_at IS NULL"""
_REMOVE: Final = "DELETE FROM studbook.webhooks WHERE operator = %s AND webhook = %s"
_ORDER: Final = """
    INSERT INTO studbook.webhook_orders (operator, webhook, message, position) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""
_ORDERS: Final = "SELECT count(*) FROM studbook.webhook_orders WHERE operator = %s AND webhook = %s"
_TRIES: Final = """
    SELECT delivery, message, position, type, attempt, at, milliseconds, status, delivered, detail
    FROM studbook.webhook_deliveries WHERE operator = %s AND webhook = %s AND delivery < %s
    ORDER BY operator DESC, webhook DESC, delivery DESC LIMIT %s"""
_TELL: Final = f"SELECT pg_notify('{CHANNEL}', '')"
_LAST: Final = 2**63 - 1


class PostgresWebhooks:
    """See services.ports_webhooks.WebhookStore. `pool` is the request login's, in autocommit."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[TupleRow]]) -> None:
        self._pool = pool

    async def all(self, operator: str) -> list[Webhook]:
        """See the port."""
        return [_webhook(row) for row in await self._rows(operator, _ALL, [operator])]

    async def get(self, operator: str, webhook: str) -> Webhook | None:
        """See the port."""
        rows = await self._rows(operator, _GET, [operator, webhook])
        return _webhook(rows[0]) if rows else None

    async def secrets(self, operator: str, webhook: str) -> list[SecretInfo]:
        """See the port."""
        return [SecretInfo(*row) for row in await self._rows(operator, _SECRETS, [operator, webhook])]

    async def behind(self, operator: str, position: int) -> int:
        """See the port."""
        return int((await self._rows(operator, _BEHIND, [operator, operator, position]))[0][0])

    async def standing(self, operator: str, position: int | None) -> int:
        """See the port."""
        if position is None:
            rows = await self._rows(operator, _NEWEST, [operator])
        else:
            rows = await self._rows(operator, _STANDING, [operator, position])
        return int(rows[0][0]) if rows else 0

    async def add(self, operator: str, one: Webhook, sealed: str, most: int, *, line: AccessLine) -> bool:
        """See the port."""
        row = [operator, one.webhook, one.url, list(one.types), one.active, one.created_at, one.position]
        async with self._within(operator) as conn:
            await conn.execute(_ALONE, [operator])
            ((count,),) = await (await conn.execute(_COUNT, [operator])).fetchall()
            if count >= most:
                raise LimitReached(f"an operator has {most} webhooks at most; remove one")
            if (await conn.execute(_ADD, row)).rowcount == 0:
                return False
            await conn.execute(_ADD_SECRET, [operator, one.webhook, sealed, operator, one.webhook])
            await _tell(conn, line)
        return True

    async def change(self, operator: str, one: Webhook, *, line: AccessLine) -> bool:
        """See the port."""
        row = [one.url, list(one.types), one.active, one.position, one.failures, one.failing_since, one.next_at,
               one.disabled_at, one.disabled_reason, operator, one.webhook]  # fmt: skip
        async with self._within(operator) as conn:
            if (await conn.execute(_CHANGE, row)).rowcount == 0:
                return False
            await _tell(conn, line)
        return True

    async def add_secret(
        self, operator: str, webhook: str, sealed: str, until: datetime, most: int, *, line: AccessLine
    ) -> bool:
        """See the port."""
        async with self._within(operator) as conn:
            if (await conn.execute(_RUN, [operator, webhook])).rowcount == 0:  # also keeps a second rotation waiting
                return False
            ((count,),) = await (await conn.execute(_SIGNING, [operator, webhook])).fetchall()
            if count >= most:
                raise LimitReached(f"{most} secrets sign at once")
            await conn.execute(_END_SECRETS, [until, operator, webhook])
            await conn.execute(_ADD_SECRET, [operator, webhook, sealed, operator, webhook])
            await _tell(conn, line)
        return True

    async def remove(self, operator: str, webhook: str, *, line: AccessLine) -> bool:
        """See the port."""
        async with self._within(operator) as conn:
            if (await conn.execute(_REMOVE, [operator, webhook])).rowcount == 0:
                return False
            await _tell(conn, line)
        return True

    async def order(
        self, operator: str, webhook: str, message: str, position: int | None, most: int, *, line: AccessLine | None
    ) -> bool:
        """See the port."""
        async with self._within(operator) as conn:
            await conn.execute(_ALONE, [operator])
            found = await (await conn.execute(_ORDERS, [operator, webhook])).fetchone()
            if found is None or found[0] >= most:
                return False
            await conn.execute(_ORDER, [operator, webhook, message, position])
            await _tell(conn, line)
        return True

    async def tries(self, operator: str, webhook: str, before: int | None, limit: int) -> list[tuple[int, Try]]:
        """See the port."""
        rows = await self._rows(operator, _TRIES, [operator, webhook, _LAST if before is None else before, limit])
        return [(number, Try(*rest)) for number, *rest in rows]

    async def _rows(self, operator: str, statement: str, parameters: Sequence[Any]) -> list[TupleRow]:
        async with self._within(operator) as conn:
            return await (await conn.execute(statement.encode(), parameters)).fetchall()

    @asynccontextmanager
    async def _within(self, operator: str) -> AsyncIterator[AsyncConnection[TupleRow]]:
        """A transaction that sees one operator. Raises Unavailable."""
        try:
            async with self._pool.connection() as conn, conn.transaction():
                await conn.execute("SELECT set_config('studbook.operator', %s, true)", [operator])
                yield conn
        except psycopg.errors.ForeignKeyViolation as error:
            raise Unavailable("the webhook is being removed") from error
        except (psycopg.OperationalError, PoolTimeout, PoolClosed) as error:
            raise Unavailable("the database cannot be reached; send the same request again") from error


async def _tell(conn: AsyncConnection[TupleRow], line: AccessLine | None) -> None:
    """The access log of what was done, and the deliverer that something was."""
    if line is not None:
        await conn.execute(INSERT, row_of(line))
    await conn.execute(_TELL)


def _webhook(row: TupleRow) -> Webhook:
    name, url, types, *rest = row
    return Webhook(name, url, tuple(types), *rest)
