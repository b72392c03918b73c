"""Reading the answers that keys have served, for verification. Synchronous, never writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from psycopg import Connection

_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"
_ANSWERS: Final = "SELECT operator, scope, key, status, body, position FROM idempotency"
_FETCH: Final = 2_000

Kept = tuple[str, str, str, int, bytes | None, int]
"""Operator, scope, key, status, body and position of one answer."""


class AnswerReader:
    """Answers and the log's head, of one snapshot. `conn` is in autocommit, of a role that reads the answers."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def read(self) -> Iterator[Kept]:
        """Every answer, in no order."""
        with self._conn.cursor("answers", binary=True) as cursor:
            cursor.itersize = _FETCH
            for operator, scope, key, status, body, position in cursor.execute(_ANSWERS):
                yield operator, scope, key, status, None if body is None else bytes(body), position

    def head(self) -> int:
        """The position of the last event, 0 in an empty log."""
        row = self._conn.execute(_HEAD).fetchone()
        return int(row[0]) if row else 0
