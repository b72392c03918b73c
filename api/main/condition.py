"""What `/readyz` asks: the database, the read models, the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from adapters.database.locks import PROJECTOR_LOCK
from api.health import Condition, Deliverer, Exporter, Model
from domain.views import MODELS
from services.house import House

ASK_SECONDS: Final = 2.0
LAG_MOST: Final = 50_000
"""Events that a read model may be behind before the process calls itself unready."""


Head = Callable[[], Awaitable[int]]
"""What tells the position of the log's last event: another process may have written it, and this one not know yet."""


async def condition(house: House, pool: AsyncConnectionPool, head: Head) -> Condition:
    """One look; never raises."""
    faults = [] if house.stopped_by is None else [house.stopped_by]
    models: tuple[Model, ...] = ()
    position, projected, helpers = house.position, False, Helpers(None, None)
    asked = asyncio.create_task(_asked(house, pool, head))
    asked.add_done_callback(_forget)
    await asyncio.wait({asked}, timeout=ASK_SECONDS)
    if not asked.done():
        asked.cancel()  # not awaited: a session that gets no answer takes its time to end
        faults.append("the database does not answer")
    elif (found := asked.result()) is None:
        faults.append("the database does not answer")
    else:
        position, models, projected, helpers = found
        faults += [f"read model {name} is not there: is `studbook project` running?" for name in _absent(models)]
    faults += ["no projector runs: start `studbook project`"] if models and not projected else []
    faults += [f"read model {one.name} stopped: {one.stopped}" for one in models if one.stopped is not None]
    faults += [f"read model {one.name} is {one.lag} events behind" for one in models if one.lag > LAG_MOST]
    broken = house.broken_streams
    faults += [f"stream {stream} cannot be read: {reason}" for stream, reason in sorted(broken.items())[:10]]
    return Condition(tuple(faults), position, house.waiting, models, len(broken), house.turns_lost, *helpers)


class Helpers(NamedTuple):
    """How the processes do that nobody waits for; None: one has never said."""

    deliverer: Deliverer | None
    exporter: Exporter | None


class Asked(NamedTuple):
    """The log's last position, the read models, whether somebody projects, how the others do."""

    position: int
    models: tuple[Model, ...]
    projected: bool
    helpers: Helpers


async def _asked(house: House, pool: AsyncConnectionPool, head: Head) -> Asked | None:
    """None when the database does not answer. The models come first: what is written meanwhile is no gap."""
    try:
        async with pool.connection(timeout=ASK_SECONDS) as conn:
            reached = await _reached(conn)
            position = max(house.position, await head())
            models = tuple(Model(name, at, max(position - at, 0), why, skips) for name, at, why, skips in reached)
            return Asked(position, models, await _is_projected(conn), await _helpers(conn))
    except (psycopg.Error, PoolTimeout):
        return None


def _forget(asked: asyncio.Task[object]) -> None:
    """Nobody waits for what came too late."""
    if not asked.cancelled():
        asked.exception()


async def _reached(conn: AsyncConnection[TupleRow]) -> list[TupleRow]:
    cursor = await conn.execute(
        "SELECT model, position, stopped_reason, (SELECT count(*) FROM view_skips s WHERE s.model = p.model)"
        " FROM view_progress p WHERE live ORDER BY model"
    )
    return await cursor.fetchall()


async def _is_projected(conn: AsyncConnection[TupleRow]) -> bool:
    """Whether a projector of this database holds its lock; without one reads fall behind, however few events come."""
    cursor = await conn.execute(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
        " AND classid::bigint = %s AND objid::bigint = %s"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
        divmod(PROJECTOR_LOCK, 2**32),
    )
    return await cursor.fetchone() == (True,)


async def _helpers(conn: AsyncConnection[TupleRow]) -> Helpers:
    cursor = await conn.execute(
        "SELECT extract(epoch FROM now() - at)::float8, active, failing, disabled, backlog, delivered, failed"
        " FROM webhook_figures"
    )
    deliverer = await cursor.fetchone()
    cursor = await conn.execute(
        "SELECT extract(epoch FROM now() - at)::float8, waiting, done, failed FROM export_figures"
    )
    exporter = await cursor.fetchone()
    return Helpers(
        None if deliverer is None else Deliverer(*deliverer), None if exporter is None else Exporter(*exporter)
    )


def _absent(models: tuple[Model, ...]) -> list[str]:
    return sorted(set(MODELS) - {one.name for one in models})
