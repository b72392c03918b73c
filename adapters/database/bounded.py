"""A connection that waits for no answer for ever: a database that is stopped or hangs, and keeps its sockets, gives
none, and neither keepalives nor limits on the server's side notice that.
"""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import psycopg
from psycopg import AsyncConnection, pq, waiting
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

ANSWER_SECONDS: Final = 12.0
"""The longest wait for one answer; above every limit that the server keeps itself, so that those come first."""

R = TypeVar("R")


class BoundedConnection(AsyncConnection[TupleRow]):
    """As its base, but OperationalError after `ANSWER_SECONDS` without an answer; then it is closed."""

    async def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """Wait for an answer of the server. Who is cancelled meanwhile leaves at once, and the connection is closed:
        psycopg would ask the server to cancel and wait for that, ten seconds where it hangs."""
        bound = ANSWER_SECONDS if timeout is None else timeout
        try:
            return await waiting.wait_async(gen, self.pgconn.socket, interval=interval, timeout=bound)
        except asyncio.CancelledError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise
