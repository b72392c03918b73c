"""A connection that waits for no answer for ever: a database that is stopped or hangs, and keeps its sockets, gives
none, and neither keepalives nor limits on the server's side notice that.
"""

from __future__ import annotations

from typing import Final, TypeVar

import psycopg
from psycopg import AsyncConnection, pq
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

ANSWER_SECONDS: Final = 12.0
"""The longest wait for one answer; above every limit that the server keeps itself, so that those come first."""

R = TypeVar("R")


class BoundedConnection(AsyncConnection[TupleRow]):
    """As its base, but OperationalError after `ANSWER_SECONDS` without an answer; then it is closed."""

    async def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """Wait for an answer of the server."""
        try:
            return await super().wait(gen, interval, ANSWER_SECONDS if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise
