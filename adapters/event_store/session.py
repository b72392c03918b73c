"""One connection of the writer, on which several statements go out and come back in one round trip.

It drives libpq's pipeline mode itself, through psycopg's documented `pgconn`, because psycopg 3.3's own pipeline
- sends a Flush behind the last Sync when it ends, and any message there disarms the server's
  idle_in_transaction_session_timeout, so that a writer that hangs in its turn would keep the lock for ever;
- waits only for answers once the last statement is handed over, and so hangs when a batch of some megabytes does not
  fit the socket's buffer.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, Self, TypeAlias

import psycopg
from psycopg import AsyncConnection, pq
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

from adapters.database.bounded import BoundedConnection
from adapters.event_store.statements import Sql

Rows: TypeAlias = list[tuple[Any, ...]]
Statement: TypeAlias = tuple[Sql, Sequence[bytes]]

_BINARY: Final = 1


class Session:
    """A connection in pipeline mode for life, each statement prepared. After any error it is only good for closing."""

    def __init__(self, conn: AsyncConnection[TupleRow]) -> None:
        self._conn = conn
        self._rows = Transformer(conn)
        self._under_way = 0

    @classmethod
    async def open(cls, conninfo: str) -> Self:
        """Connect and prepare. BEGIN and COMMIT are statements like others. Raises psycopg.Error."""
        conn = await BoundedConnection.connect(conninfo, autocommit=True)
        session = cls(conn)
        try:
            conn.pgconn.enter_pipeline_mode()
            for statement in Sql:
                conn.pgconn.send_prepare(statement.name.encode(), statement.value.encode())
            await session._round_trip()
        except BaseException:
            await session.close()
            raise
        return session

    @property
    def is_closed(self) -> bool:
        """Whether the connection is known to be gone."""
        return self._conn.closed

    async def run(self, *statements: Statement) -> list[Rows]:
        """Run all in one round trip, in order, and give the rows of each. The first error skips the rest and is
        raised (psycopg.Error).
        """
        for statement, parameters in statements:
            self._put(statement, parameters)
        results = await self._round_trip()
        return [self._loaded(result) for result in results[len(results) - len(statements) :]]

    def send(self, *statements: Statement) -> None:
        """Let the server begin with these, and go on; what comes of them is seen by the next `run`. Each lot has a Sync
        of its own behind it, so that the server still ends the session when nothing follows for too long.
        """
        pgconn = self._conn.pgconn
        for statement, parameters in statements:
            self._put(statement, parameters)
        pgconn.pipeline_sync()
        self._under_way += 1
        pgconn.flush()  # as much as the socket takes now; the rest goes with what follows

    def _put(self, statement: Sql, parameters: Sequence[bytes]) -> None:
        self._conn.pgconn.send_query_prepared(
            statement.name.encode(), parameters, [_BINARY] * len(parameters), result_format=_BINARY
        )

    async def close(self) -> None:
        """Close without waiting for the server, which ends a transaction that is under way."""
        await self._conn.close()

    async def _round_trip(self) -> list[pq.abc.PGresult]:
        self._conn.pgconn.pipeline_sync()
        syncs, self._under_way = self._under_way + 1, 0
        return await self._conn.wait(_results_until_sync(self._conn.pgconn, syncs))

    def _loaded(self, result: pq.abc.PGresult) -> Rows:
        if not result.ntuples:
            return []
        self._rows.set_pgresult(result)
        return self._rows.load_rows(0, result.ntuples, tuple)


def _results_until_sync(pgconn: pq.abc.PGconn, syncs: int) -> Generator[Wait, Ready | int, list[pq.abc.PGresult]]:
    """Send what is buffered and read until the answer of so many Syncs; reading goes on while writing waits."""
    results: list[pq.abc.PGresult] = []
    is_sent = False
    while True:
        is_sent = is_sent or pgconn.flush() == 0
        if (yield Wait.R if is_sent else Wait.RW) & Ready.R:
            pgconn.consume_input()
        gaps = 0
        while gaps < 2 and not pgconn.is_busy():
            result = pgconn.get_result()
            if result is None:
                gaps += 1  # one ends each statement's results, a second means that there is no more to read yet
                continue
            gaps = 0
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                syncs -= 1
                if not syncs:
                    return results
                continue
            if result.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
                raise error_from_result(result)
            results.append(result)
        if pgconn.status == pq.ConnStatus.BAD:
            raise psycopg.OperationalError("the connection is lost")
