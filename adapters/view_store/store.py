"""The read models and the log for requests: a pool of connections of the request's login, which sees one operator
at a time. Each read is one read-only transaction on one snapshot.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from adapters.database.pools import request_pool
from adapters.database.settings import QUICK_PLANS
from adapters.view_store.arrays import register_arrays
from adapters.view_store.snapshot import PostgresSnapshot
from domain.errors import Unavailable
from domain.frozen import dataclass
from domain.views import MODELS
from domain.views.model import Model

WAIT_SECONDS: Final = 5.0
_PAUSE_FIRST, _PAUSE_MOST = 0.005, 0.05
_SESSION: Final = {
    # Walks along an index only: a plan made while a table was small must not outlive that, and the security policy's
    # own condition must not send the planner through all of an operator's events.
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
    **QUICK_PLANS,
}
_BEGIN: Final = """
    SELECT p.model, p.generation, p.position, set_config('studbook.operator', %s, true)
    FROM view_progress p WHERE p.live AND p.model = ANY (%s::text[])"""
_OPERATOR: Final = "SELECT set_config('studbook.operator', %s, true)"
# What a model has folded was in the log before: a model's position in the same snapshot is one of the log, and may be
# that of another operator's event, which this login does not see.
_LOG: Final = """
    SELECT set_config('studbook.operator', %s, true),
        (SELECT coalesce(max(p.position), 0) FROM view_progress p WHERE p.live)"""
_HEALTH: Final = "SELECT model, position, stopped_reason FROM view_progress WHERE live ORDER BY model"


_Begin = Callable[[AsyncConnection[TupleRow]], Awaitable[PostgresSnapshot | list[str]]]


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """How far a read model has come; `stopped_reason` names the position and fault at which it stands still."""

    model: str
    position: int
    stopped_reason: str | None


class ViewStore:
    """See services.ports_reads.Views. Open it before use, within the running event loop."""

    def __init__(
        self,
        conninfo: str,
        size: int = 4,
        models: Mapping[str, Model[Any]] = MODELS,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._models = models
        self._wait_seconds = wait_seconds
        self._pool = request_pool(conninfo, size, "studbook views", _SESSION, configure=_configure)

    @property
    def pool(self) -> AsyncConnectionPool[AsyncConnection[TupleRow]]:
        """The pool, for its figures."""
        return self._pool

    async def aopen(self) -> None:
        """Begin to connect; while the database is away each read is Unavailable."""
        await self._pool.open()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.close()

    def reading(
        self, operator: str, models: Collection[str], min_position: int | None = None
    ) -> AbstractAsyncContextManager[PostgresSnapshot]:
        """See services.ports_reads.Views."""
        return self._reading("the read model", min_position, lambda conn: self._begin(conn, operator, models))

    def reading_log(
        self, operator: str, min_position: int | None = None
    ) -> AbstractAsyncContextManager[PostgresSnapshot]:
        """See services.ports_reads.Views."""
        return self._reading("the log", min_position, lambda conn: _begin_log(conn, operator))

    @asynccontextmanager
    async def _reading(self, what: str, min_position: int | None, begin: _Begin) -> AsyncIterator[PostgresSnapshot]:
        until = time.monotonic() + self._wait_seconds
        pause = _PAUSE_FIRST
        while True:
            async with self._connection() as conn:
                snapshot = await begin(conn)
                if isinstance(snapshot, PostgresSnapshot):
                    if min_position is None or snapshot.position >= min_position:
                        yield snapshot
                        return
                    why = f"{what} stands at position {snapshot.position}, {min_position} is asked for"
                else:
                    why = f"the read model {', '.join(snapshot)} has not begun: is the projector running?"
            if time.monotonic() + pause > until:
                raise Unavailable(why)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _PAUSE_MOST)

    async def health(self) -> list[ModelHealth]:
        """How far each model has come. Raises Unavailable."""
        async with self._connection() as conn:
            rows = await (await conn.execute(_HEALTH)).fetchall()
        return [ModelHealth(*row) for row in rows]

    async def _begin(
        self, conn: AsyncConnection[TupleRow], operator: str, models: Collection[str]
    ) -> PostgresSnapshot | list[str]:
        """The snapshot, or the models that no projector has begun yet."""
        if not models:
            await conn.execute(_OPERATOR, [operator])
            return PostgresSnapshot(conn, operator, {}, {}, 0)
        rows = await (await conn.execute(_BEGIN, [operator, sorted(models)])).fetchall()
        generations = {name: number for name, number, _, _ in rows}
        if missing := sorted(set(models) - generations.keys()):
            return missing
        known = {name: self._models[name] for name in models}
        return PostgresSnapshot(conn, operator, known, generations, min(position for _, _, position, _ in rows))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        had: AsyncConnection[TupleRow] | None = None
        try:
            async with self._pool.connection() as had:
                yield had
        except (PoolTimeout, PoolClosed) as error:
            raise Unavailable("the database cannot be reached") from error
        except psycopg.Error as error:
            # A session that the server ended for standing idle is told by an InternalError.
            if isinstance(error, psycopg.OperationalError) or (had is not None and had.closed):
                raise Unavailable("the database did not answer") from error
            raise


async def _begin_log(conn: AsyncConnection[TupleRow], operator: str) -> PostgresSnapshot:
    ((_, folded),) = await (await conn.execute(_LOG, [operator])).fetchall()
    seen = await PostgresSnapshot(conn, operator, {}, {}, 0).head()
    return PostgresSnapshot(conn, operator, {}, {}, max(seen, folded))


async def _configure(conn: AsyncConnection[TupleRow]) -> None:
    await conn.set_isolation_level(IsolationLevel.REPEATABLE_READ)
    await conn.set_read_only(True)
    register_arrays(conn)
