"""What the deliverer reads and notes, with the projector's login."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from domain.frozen import dataclass
from domain.webhooks import Failing, Try

KEPT_DAYS: Final = 30
KEPT_TRIES: Final = 10_000
"""Of each endpoint the newest so many tries are kept, and none that is older."""

_ENDPOINTS: Final = """
    SELECT operator, webhook, url, types, run, position, failures, failing_since, next_at FROM webhooks
    WHERE active AND disabled_at IS NULL"""
_SECRETS: Final = """
    SELECT sealed, expires_at FROM webhook_secrets WHERE operator = %s AND webhook = %s ORDER BY number DESC"""
ORDERS_MOST: Final = 256
ORDERS_OF_ONE: Final = 4
"""Of one webhook at once: those of an endpoint that is slow or dead stand in nobody else's way."""

_ORDERS: Final = """
    SELECT o.operator, o.webhook, o.message, o.position, w.url FROM (
        SELECT *, row_number() OVER (PARTITION BY operator, webhook ORDER BY at, message) AS nth FROM webhook_orders) o
    JOIN webhooks w USING (operator, webhook) WHERE o.nth <= %s ORDER BY o.nth, o.at LIMIT %s"""
_SEQUENCE: Final = """
    SELECT operator_seq FROM stored_events WHERE operator = %s AND notification_id <= %s
    ORDER BY notification_id DESC LIMIT 1"""
_COLUMNS: Final = "operator_seq, notification_id, originator_id, originator_version, topic, state"
_PAGE: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE operator = %s AND operator_seq > %s
    ORDER BY operator, operator_seq LIMIT %s"""
_ONE: Final = f"SELECT {_COLUMNS} FROM stored_events WHERE operator = %s AND notification_id = %s"
_NEWS: Final = """
    SELECT operator, max(notification_id) FROM stored_events WHERE notification_id > %s GROUP BY operator"""
_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"
_NOTE: Final = """
    UPDATE webhooks SET position = %s, failures = %s, failing_since = %s, next_at = %s, disabled_reason = %s,
        disabled_at = CASE WHEN %s::text IS NOT NULL THEN now() END
    WHERE operator = %s AND webhook = %s AND run = %s"""
_LOG: Final = """
    INSERT INTO webhook_deliveries
        (operator, webhook, message, position, type, attempt, at, milliseconds, status, delivered, detail)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
_ORDER_DONE: Final = "DELETE FROM webhook_orders WHERE operator = %s AND webhook = %s AND message = %s"
_FIGURES: Final = """
    INSERT INTO webhook_figures AS f SELECT true, now(),
        count(*) FILTER (WHERE w.active AND w.disabled_at IS NULL),
        count(*) FILTER (WHERE w.active AND w.disabled_at IS NULL AND w.failures > 0),
        count(*) FILTER (WHERE w.disabled_at IS NOT NULL),
        coalesce(sum(b.behind) FILTER (WHERE w.active AND w.disabled_at IS NULL), 0), %s, %s
    FROM webhooks w CROSS JOIN LATERAL (SELECT
        coalesce((SELECT operator_seq FROM stored_events e WHERE e.operator = w.operator
            ORDER BY operator DESC, operator_seq DESC LIMIT 1), 0)
        - coalesce((SELECT operator_seq FROM stored_events e WHERE e.operator = w.operator
            AND notification_id <= w.position ORDER BY notification_id DESC LIMIT 1), 0) AS behind) b
    ON CONFLICT (is_only) DO UPDATE SET at = excluded.at, active = excluded.active, failing = excluded.failing,
        disabled = excluded.disabled, backlog = excluded.backlog, delivered = excluded.delivered,
        failed = excluded.failed"""
_OLD: Final = f"DELETE FROM webhook_deliveries WHERE at < now() - interval '{KEPT_DAYS} days'"
_MANY: Final = f"""
    DELETE FROM webhook_deliveries d USING (
        SELECT operator, webhook, (SELECT delivery FROM webhook_deliveries k
            WHERE k.operator = w.operator AND k.webhook = w.webhook
            ORDER BY delivery DESC OFFSET {KEPT_TRIES} LIMIT 1) AS last FROM webhooks w) kept
    WHERE d.operator = kept.operator AND d.webhook = kept.webhook AND d.delivery <= kept.last"""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint that is to be called, as it stood at the beginning of its `run`."""

    operator: str
    webhook: str
    url: str
    types: tuple[str, ...]
    run: int
    position: int
    failures: int
    failing_since: datetime | None
    next_at: datetime | None

    @property
    def key(self) -> tuple[str, str]:
        """Its name."""
        return self.operator, self.webhook


@dataclass(frozen=True, slots=True)
class Order:
    """A ping (`position` None) or one event again."""

    operator: str
    webhook: str
    message: str
    position: int | None
    url: str


@dataclass(frozen=True, slots=True)
class Row:
    """A stored event with its number among its operator's."""

    sequence: int
    position: int
    stream: str
    version: int
    name: str
    state: bytes


class Superseded(Exception):
    """The operator has changed the endpoint meanwhile."""


class DelivererStore:
    """Statements on a pool of connections in autocommit. Everything raises psycopg.Error and PoolTimeout."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[TupleRow]]) -> None:
        self._pool = pool

    async def endpoints(self) -> list[Endpoint]:
        """All that are to be called."""
        rows = await self._rows(_ENDPOINTS, [])
        return [Endpoint(operator, name, url, tuple(types), *rest) for operator, name, url, types, *rest in rows]

    async def secrets(self, operator: str, webhook: str) -> list[tuple[str, datetime | None]]:
        """Sealed secrets, the newest first, each with the time until which it signs."""
        return [(sealed, until) for sealed, until in await self._rows(_SECRETS, [operator, webhook])]

    async def orders(self) -> list[Order]:
        """What was asked for, the oldest of each webhook first."""
        return [Order(*row) for row in await self._rows(_ORDERS, [ORDERS_OF_ONE, ORDERS_MOST])]

    async def sequence(self, operator: str, position: int) -> int:
        """How many of the operator's events lie up to a position."""
        rows = await self._rows(_SEQUENCE, [operator, position])
        return int(rows[0][0]) if rows else 0

    async def page(self, operator: str, sequence: int, limit: int) -> list[Row]:
        """The operator's next events."""
        return [Row(*row) for row in await self._rows(_PAGE, [operator, sequence, limit])]

    async def event(self, operator: str, position: int) -> Row | None:
        """One event of the operator."""
        rows = await self._rows(_ONE, [operator, position])
        return Row(*rows[0]) if rows else None

    async def head(self) -> int:
        """The position of the log's last event."""
        return int((await self._rows(_HEAD, []))[0][0])

    async def news(self, after: int) -> dict[str, int]:
        """Operators with events past a position, and the position of the last one."""
        return dict(await self._rows(_NEWS, [after]))

    async def note(self, one: Endpoint, position: int, failing: Failing | None, tries: Sequence[Try]) -> None:
        """How far an endpoint is, and what was tried since the last note, in one transaction. Raises Superseded."""
        failed = (0, None, None, None) if failing is None else (
            failing.failures, failing.since, failing.next_at, failing.disabled
        )  # fmt: skip
        async with self._pool.connection() as conn, conn.transaction():
            done = await conn.execute(_NOTE, [position, *failed, failed[3], *one.key, one.run])
            await _log(conn, one.operator, one.webhook, tries)
        if done.rowcount == 0:
            raise Superseded

    async def order_done(self, one: Order, tried: Try) -> None:
        """An order is carried out, whatever came of it."""
        async with self._pool.connection() as conn, conn.transaction():
            await _log(conn, one.operator, one.webhook, [tried])
            await conn.execute(_ORDER_DONE, [one.operator, one.webhook, one.message])

    async def figures(self, delivered: int, failed: int) -> None:
        """Leave figures for /metrics."""
        async with self._pool.connection() as conn:
            await conn.execute(_FIGURES, [delivered, failed])

    async def forget(self) -> None:
        """Remove old tries."""
        async with self._pool.connection() as conn:
            await conn.execute(_OLD)
            await conn.execute(_MANY)

    async def _rows(self, statement: str, parameters: Sequence[Any]) -> list[TupleRow]:
        async with self._pool.connection() as conn:
            return await (await conn.execute(statement.encode(), parameters, binary=True)).fetchall()


async def _log(conn: AsyncConnection[TupleRow], operator: str, webhook: str, tries: Sequence[Try]) -> None:
    if tries:
        async with conn.cursor() as cursor:
            await cursor.executemany(
                _LOG,
                [
                    (operator, webhook, one.message, one.position, one.type, one.attempt, one.at, one.milliseconds,
                     one.status, one.delivered, one.detail)
                    for one in tries
                ],
            )  # fmt: skip
