"""Pools of connections that requests wait for: every wait is bounded, and they are back as soon as the database is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from adapters.database.bounded import BoundedConnection
from adapters.database.network import guarded

ACQUIRE_SECONDS: Final = 1.5
"""How long a request waits for a connection before it is told to come again."""

RECONNECT_SECONDS: Final = 1.0
"""An attempt to connect is given up after this, and the next request makes another: the pool's own pauses double, so
that after an outage of 20 s it would stay away for as long again."""

_SESSION: Final = {
    "lock_timeout": "2s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
}


def request_pool(
    conninfo: str,
    size: int,
    name: str,
    session: Mapping[str, str] | None = None,
    *,
    autocommit: bool = False,
    configure: Callable[[AsyncConnection[TupleRow]], Awaitable[None]] | None = None,
) -> AsyncConnectionPool[AsyncConnection[TupleRow]]:
    """A pool that is not open yet. `session` are settings of its sessions beside our bounds on locks and statements."""
    settings = " ".join(f"-c {name}={value}" for name, value in {**_SESSION, **(session or {})}.items())
    return AsyncConnectionPool(
        guarded(conninfo, settings=settings),
        connection_class=BoundedConnection,
        min_size=1,
        max_size=size,
        open=False,
        timeout=ACQUIRE_SECONDS,
        max_waiting=1_000,
        reconnect_timeout=RECONNECT_SECONDS,
        kwargs={"autocommit": autocommit},
        check=AsyncConnectionPool.check_connection,
        configure=configure,
        name=name,
    )
