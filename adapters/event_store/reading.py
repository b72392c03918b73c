"""Reading the log through, in order of position: for verification, rebuilds and exports. Synchronous, never writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import psycopg

from adapters.codec import CodecError
from adapters.event_store.rows import recorded
from domain.chain import RawEvent
from services.ports import Recorded

PAGE: Final = 5_000
"""Events read at once."""

_ROWS: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state, operator, operator_seq, hash
    FROM stored_events WHERE notification_id > %s ORDER BY notification_id LIMIT %s"""
_HEAD: Final = """
    SELECT notification_id, hash FROM stored_events WHERE notification_id > 0 ORDER BY notification_id DESC LIMIT 1"""
_COUNT: Final = """
    SELECT count(*) FROM stored_events
    WHERE notification_id <= %(upto)s OR notification_id IS NULL"""
_BESIDE: Final = """
    SELECT notification_id, originator_id, originator_version FROM stored_events
    WHERE notification_id < 1 OR notification_id IS NULL
    UNION ALL SELECT notification_id, min(originator_id), max(originator_version) FROM stored_events
    WHERE notification_id <= %(upto)s GROUP BY notification_id HAVING count(*) > 1
    ORDER BY 1 NULLS LAST, 2, 3 LIMIT 20"""


class UnreadableEvent(Exception):
    """The event at `position` cannot be decoded; all before it could."""

    def __init__(self, position: int, stream: str, reason: str) -> None:
        where = f" ({stream})" if stream else ""
        super().__init__(f"the event at position {position}{where} cannot be read: {reason}")
        self.position = position
        self.stream = stream
        self.reason = reason


class Beside(NamedTuple):
    """An event at no place of the log, or at one that another has: readers in order pass over it, readers of its
    stream do not. `position` None: it has none.
    """

    position: int | None
    stream: str | None
    version: int | None


class LogReader:
    """Events in order of position, page by page. Positions have no gap and are given under the writer's lock, so what
    has been read never misses an event that commits later. `conn` is in autocommit, of a role that reads all rows.
    """

    def __init__(self, conn: psycopg.Connection, page: int = PAGE) -> None:
        self._conn = conn
        self._page = page

    def raw(self, after: int = 0) -> Iterator[RawEvent]:
        """Stored rows past `after`, up to the log's end as it is when the last page is read."""
        while True:
            with self._conn.cursor(binary=True) as cursor:
                rows = cursor.execute(_ROWS, [after, self._page]).fetchall()
            yield from (RawEvent(*row) for row in rows)
            if len(rows) < self._page:
                return
            after = rows[-1][0]

    def events(self, after: int = 0) -> Iterator[Recorded]:
        """Decoded events past `after`. Raises UnreadableEvent, or NewerEvent for one of a newer version."""
        for row in self.raw(after):
            try:
                event = recorded(row.position, row.stream, row.version, row.name, row.state)
            except CodecError as error:
                raise UnreadableEvent(row.position, row.stream, str(error)) from error
            yield event

    def beside(self, upto: int) -> list[Beside]:
        """Events that `raw` does not give although they are in the table, when it gave one for each position up to
        `upto`; the first 20.
        """
        row = self._conn.execute(_COUNT, {"upto": upto}).fetchone()
        if row is None or row[0] == upto:
            return []
        return [Beside(*one) for one in self._conn.execute(_BESIDE, {"upto": upto}).fetchall()]

    def head(self) -> tuple[int, bytes] | None:
        """Position and hash of the last event, None in an empty log."""
        with self._conn.cursor(binary=True) as cursor:
            return cursor.execute(_HEAD).fetchone()
