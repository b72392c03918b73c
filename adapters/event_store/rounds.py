"""The log as a replay of rounds reads it: by stream, by position and by time. Synchronous, never writes.

`conn` is in autocommit, of a role that reads all rows; read models are not asked, they may be what is doubted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from psycopg import Connection

from adapters.codec import CODEC, CodecError
from adapters.event_store.rows import recorded
from domain.chain import RawEvent
from services.ports import NewerEvent, Recorded

PAGE: Final = 2_000

Stored = tuple[int, str, int, str, bytes]
"""Position, stream, version, name and bytes of an event."""

_COLUMNS: Final = "notification_id, originator_id, originator_version, topic, state"
_PAGE: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE notification_id > %s AND notification_id <= %s
    ORDER BY notification_id LIMIT %s"""
_EVENTS_IN: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = ANY (%s::text[])
    UNION ALL SELECT {_COLUMNS} FROM stored_events WHERE notification_id = ANY (%s::bigint[])
    ORDER BY notification_id"""
_STORED: Final = f"""
    SELECT {_COLUMNS}, operator, operator_seq, hash FROM stored_events WHERE notification_id = ANY (%s::bigint[])
    ORDER BY notification_id"""
_HASHES: Final = "SELECT notification_id, hash FROM stored_events WHERE notification_id = ANY (%s::bigint[])"
_STREAMS_UNDER: Final = """
    SELECT originator_id FROM stored_events
    WHERE originator_id >= %s AND originator_id < %s AND originator_version = 1 ORDER BY originator_id"""
_OF_NAMES: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = %s AND topic = ANY (%s::text[])
    ORDER BY originator_version"""
_VERSIONS: Final = """
    SELECT s.name, (SELECT max(originator_version) FROM stored_events WHERE originator_id = s.name)
    FROM unnest(%s::text[]) AS s (name)"""
# From one operator's first event to the next one's, on the index of (operator, operator_seq).
_OPERATORS: Final = """
    WITH RECURSIVE known (operator) AS (
        SELECT min(operator) FROM stored_events
        UNION ALL SELECT (SELECT min(e.operator) FROM stored_events e WHERE e.operator > known.operator)
        FROM known WHERE known.operator IS NOT NULL)
    SELECT operator FROM known WHERE operator IS NOT NULL"""
_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"


class UnreadableStory(Exception):
    """An event cannot be decoded; `position` says which."""

    def __init__(self, position: int, stream: str, reason: str) -> None:
        super().__init__(f"the event at position {position} ({stream}) cannot be read: {reason}")
        self.position = position
        self.stream = stream
        self.reason = reason


class RoundLog:
    """See the module."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def head(self) -> int:
        """The position of the last event, 0 in an empty log."""
        return int(self._rows(_HEAD, [])[0][0])

    def operators(self) -> list[str]:
        """Every operator that has events."""
        return [operator for (operator,) in self._rows(_OPERATORS, [])]

    def rows(self, after: int, upto: int) -> Iterator[Stored]:
        """Stored rows past `after` and not past `upto`, page by page."""
        while after < upto:
            page = self._rows(_PAGE, [after, upto, PAGE])
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1][0]

    def events_in(self, streams: Collection[str], positions: Collection[int]) -> list[tuple[str, Recorded]]:
        """All events of some streams, and those at some positions, in order. Raises UnreadableStory."""
        return [named(row) for row in self._rows(_EVENTS_IN, [list(streams), list(positions)])]

    def stored(self, positions: Collection[int]) -> list[RawEvent]:
        """The events at some positions as they are stored, in order. Raises UnreadableStory where a column is empty."""
        found = [RawEvent(*row) for row in self._rows(_STORED, [list(positions)])]
        for one in found:
            if None in one:
                raise UnreadableStory(one.position, str(one.stream), "a column of it is empty")
        return found

    def hashes(self, positions: Collection[int]) -> dict[int, bytes]:
        """The hashes of the events at some positions."""
        found = self._rows(_HASHES, [list(positions)])
        return {position: bytes(hashed) for position, hashed in found if hashed is not None}

    def streams_under(self, prefix: str) -> list[str]:
        """The streams that begin with `prefix`."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        return [stream for (stream,) in self._rows(_STREAMS_UNDER, [prefix, end])]

    def of_names(self, stream: str, names: Sequence[str]) -> list[tuple[str, Recorded]]:
        """The events of one stream that have these names, oldest first. Raises UnreadableStory."""
        return [named(row) for row in self._rows(_OF_NAMES, [stream, list(names)])]

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """How many events each of these streams has now."""
        return {stream: version or 0 for stream, version in self._rows(_VERSIONS, [list(streams)])}

    def before(self, at: datetime) -> int:
        """A position that has all events recorded before a time up to it, and all others past it.

        Times never fall within the log, so the place is found by halving.
        """
        low, high = 1, self.head() + 1
        while low < high:
            middle = (low + high) // 2
            page = self._rows(_PAGE, [middle - 1, high, 1])
            if not page or named(page[0])[1].recorded_at >= at:
                high = middle
            else:
                low = page[0][0] + 1
        return low - 1

    def _rows(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self._conn.cursor(binary=True) as cursor:
            return cursor.execute(statement, parameters).fetchall()


def named(row: Stored) -> tuple[str, Recorded]:
    """The event of a row, with its name. Raises UnreadableStory."""
    try:
        one = recorded(*row)
    except (CodecError, NewerEvent) as error:
        raise UnreadableStory(row[0], row[1], " ".join(str(error).split())) from error
    return CODEC.name(one.event), one
