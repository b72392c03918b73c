"""The rounds of a gaming day as they stand in the log, for its seal. Positions and recorded times agree in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

import orjson
from psycopg import Connection

from adapters.event_store import UnreadableEvent
from domain.frozen import dataclass
from domain.ids import round_stream, seat_prefix
from domain.seals import ENDED

PAGE: Final = 500
"""Rounds whose events are read at once."""

_STATE: Final = "SELECT state FROM stored_events WHERE notification_id = %s"
_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"
_ENDED: Final = """
    SELECT notification_id, originator_id FROM stored_events
    WHERE operator = %s AND notification_id > %s AND notification_id <= %s AND topic = ANY (%s)
    ORDER BY notification_id"""
_ENDED_BEFORE: Final = """
    SELECT DISTINCT e.originator_id FROM unnest(%s::text[]) AS s (name)
    JOIN stored_events e ON e.originator_id = s.name WHERE e.notification_id <= %s AND e.topic = ANY (%s)"""
_EVENTS: Final = """
    SELECT s.name, e.notification_id, e.hash FROM unnest(%s::text[], %s::text[], %s::text[]) AS s (name, low, high)
    CROSS JOIN LATERAL (
        SELECT notification_id, hash FROM stored_events WHERE originator_id = s.name AND notification_id <= %s
        UNION ALL
        SELECT notification_id, hash FROM stored_events
        WHERE originator_id >= s.low AND originator_id < s.high AND notification_id <= %s
    ) e ORDER BY s.name, e.notification_id"""
_HASH: Final = "SELECT hash FROM stored_events WHERE notification_id = %s"


@dataclass(frozen=True, slots=True)
class LogDay:
    """The part of the log that was recorded in a day: past `after`, up to `upto`, whose event has this hash."""

    after: int
    upto: int
    hash: bytes


class DayReader:
    """Reads on one connection of a role that sees all rows, within one snapshot."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def day(self, starts: datetime, ends: datetime) -> LogDay:
        """Found by halving: time never goes back in the log."""
        after, upto = self._last_before(starts), self._last_before(ends)
        row = self._conn.execute(_HASH, [upto]).fetchone()
        return LogDay(after, upto, _hash(upto, row[0]) if row else bytes(32))

    def rounds(
        self, operator: str, day: LogDay, progress: Callable[[int], None] = lambda _: None
    ) -> Iterator[tuple[str, tuple[tuple[int, bytes], ...]]]:
        """The operator's rounds that ended in the day, in that order: id, and position and hash of each event."""
        found = self._conn.execute(_ENDED, [operator, day.after, day.upto, list(ENDED)]).fetchall()
        streams = list(dict.fromkeys(stream for _, stream in found))
        ended = {stream for (stream,) in self._conn.execute(_ENDED_BEFORE, [streams, day.after, list(ENDED)])}
        mine = [stream for stream in streams if stream not in ended]
        for at in range(0, len(mine), PAGE):
            page = mine[at : at + PAGE]
            events = self._events_of(operator, page, day.upto)
            for stream in page:
                yield stream.rsplit("/", 1)[1], tuple(events[stream])
            progress(at + len(page))

    def round_ended(self, operator: str, round_id: str) -> datetime | None:
        """When a round first ended; None when it has not, or there is no such round."""
        row = self._conn.execute(
            "SELECT notification_id, state FROM stored_events WHERE originator_id = %s AND topic = ANY (%s)"
            " ORDER BY originator_version LIMIT 1",
            [round_stream(operator, round_id), list(ENDED)],
        ).fetchone()
        return None if row is None else _recorded_at(*row)

    def _events_of(self, operator: str, streams: list[str], upto: int) -> dict[str, list[tuple[int, bytes]]]:
        lows = [seat_prefix(operator, stream.rsplit("/", 1)[1]) for stream in streams]
        highs = [low[:-1] + chr(ord(low[-1]) + 1) for low in lows]
        made: dict[str, list[tuple[int, bytes]]] = {stream: [] for stream in streams}
        for stream, position, hashed in self._conn.execute(_EVENTS, [streams, lows, highs, upto, upto]):
            made[stream].append((position, _hash(position, hashed)))
        return made

    def _last_before(self, moment: datetime) -> int:
        """The last position that was recorded before a moment."""
        row = self._conn.execute(_HEAD).fetchone()
        low, high = 0, int(row[0]) if row else 0
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._time_of(middle) < moment else (low, middle - 1)
        return low

    def _time_of(self, position: int) -> datetime:
        row = self._conn.execute(_STATE, [position]).fetchone()
        if row is None:
            raise UnreadableEvent(position, "", "it is missing")
        return _recorded_at(position, row[0])


def _recorded_at(position: int, state: bytes | None) -> datetime:
    try:
        found = datetime.fromisoformat(orjson.loads(bytes(state or b""))["recorded_at"])
        return found.astimezone(UTC)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise UnreadableEvent(position, "", "it does not say when it was recorded") from None


def _hash(position: int, hashed: bytes | None) -> bytes:
    if hashed is None:
        raise UnreadableEvent(position, "", "its hash is empty")
    return bytes(hashed)
