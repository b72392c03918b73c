"""One operator's rows and events at one moment, within an open transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar, cast

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from adapters.access_rows import COLUMNS as ACCESS_COLUMNS
from adapters.access_rows import line_of
from adapters.codec import CODEC, CodecError
from adapters.event_store.rows import recorded
from adapters.key_book import FACTS, facts_of
from adapters.view_store.arrays import Texts
from adapters.view_store.rows import RowError, decode_as
from domain.access import AccessLine
from domain.chain import RawEvent
from domain.errors import Unavailable
from domain.keys import KeyFacts
from domain.views.model import Model, RowKey
from services.ports import NewerEvent, Recorded, Text

R = TypeVar("R")

_GET: Final = """
    SELECT body FROM view_rows WHERE model = %s AND generation = %s AND operator = %s AND grp = %s AND key = %s"""
_GET_MANY: Final = """
    SELECT w.grp, w.key, r.body FROM unnest(%b, %b) AS w (grp, key) CROSS JOIN LATERAL (
        SELECT body FROM view_rows r WHERE r.model = %s AND r.generation = %s AND r.operator = %s
            AND r.grp = w.grp AND r.key = w.key LIMIT 1) r"""
_SCAN: Final = """
    SELECT grp, key, body FROM view_rows WHERE model = %s AND generation = %s AND operator = %s
        AND (grp, key) >= (%s, %s) AND (grp, key) < (%s, %s)
    ORDER BY model, generation, operator, grp, key LIMIT %s"""
_SCAN_BACK: Final = _SCAN.replace(
    "ORDER BY model, generation, operator, grp, key",
    "ORDER BY model DESC, generation DESC, operator DESC, grp DESC, key DESC",
)

_COLUMNS: Final = "notification_id, originator_id, originator_version, topic, state"
# A follower asks past the last event that it has seen, which is its operator's own: that look-up is one step. It is a
# statement of its own, since the security policy keeps a condition with a query in it away from the index.
_SEQUENCE: Final = """
    SELECT operator_seq FROM stored_events WHERE operator = %s AND notification_id <= %s
    ORDER BY notification_id DESC LIMIT 1"""
_EVENTS: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE operator = %s AND operator_seq > %s
    ORDER BY operator, operator_seq LIMIT %s"""
_LOOKED_AT: Final = 5_000
"""Events that one look for some kinds of them passes over at most."""

_EVENTS_LIKE: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE operator = %s AND operator_seq > %s AND operator_seq <= %s
        AND starts_with(topic, %s) AND starts_with(originator_id, %s)
    ORDER BY operator, operator_seq LIMIT %s"""
_REACHED: Final = """
    SELECT notification_id FROM stored_events WHERE operator = %s AND operator_seq > %s AND operator_seq <= %s
    ORDER BY operator DESC, operator_seq DESC LIMIT 1"""
_HEAD: Final = """
    SELECT notification_id, operator_seq FROM stored_events WHERE operator = %s
    ORDER BY operator DESC, operator_seq DESC LIMIT 1"""
_EVENTS_OF: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = ANY (%s::text[]) AND notification_id > %s
    UNION ALL SELECT {_COLUMNS} FROM stored_events
        WHERE originator_id >= %s AND originator_id < %s AND notification_id > %s
    UNION ALL SELECT {_COLUMNS} FROM stored_events WHERE notification_id = ANY (%s::bigint[])
    ORDER BY notification_id LIMIT %s"""
_EVENTS_IN: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = ANY (%s::text[])
    UNION ALL SELECT {_COLUMNS} FROM stored_events WHERE notification_id = ANY (%s::bigint[])
    ORDER BY notification_id"""
_STORED: Final = f"""
    SELECT {_COLUMNS}, operator, operator_seq, hash FROM stored_events WHERE notification_id = ANY (%s::bigint[])
    ORDER BY notification_id"""
_HASHES_BEFORE: Final = "SELECT event, hash_before FROM hashes_before(%s::bigint[])"
_HASHES_UNTIL: Final = """
    SELECT notification_id, hash FROM stored_events WHERE originator_id = %s AND notification_id <= %s
    UNION ALL SELECT notification_id, hash FROM stored_events
        WHERE originator_id >= %s AND originator_id < %s AND notification_id <= %s
    ORDER BY notification_id"""
_STREAMS_UNDER: Final = """
    SELECT originator_id FROM stored_events
    WHERE originator_id > %s AND originator_id < %s AND originator_version = 1 ORDER BY originator_id LIMIT %s"""
_LAST: Final = f"""
    SELECT {_COLUMNS} FROM stored_events WHERE originator_id = %s AND originator_version <= %s
    ORDER BY originator_id DESC, originator_version DESC LIMIT %s"""
_NEWEST: Final = """
    SELECT originator_version FROM stored_events WHERE originator_id = %s
    ORDER BY originator_id DESC, originator_version DESC LIMIT 1"""

_FOUR_EYES: Final = "SELECT four_eyes FROM operators WHERE operator = %s"
_KEYS: Final = f"{FACTS} ORDER BY created_at DESC, key_id DESC"
_ACCESSES: Final = f"""
    SELECT entry, {ACCESS_COLUMNS} FROM access_log WHERE operator = %s AND entry < %s
        AND (%s::text IS NULL OR kind = %s) AND (%s::timestamptz IS NULL OR at >= %s)
        AND (%s::timestamptz IS NULL OR at < %s)
    ORDER BY operator DESC, entry DESC LIMIT %s"""
_TEXTS: Final = """
    SELECT c.message, c.text, c.salt, c.posted_at FROM unnest(%s::text[]) AS w (message) CROSS JOIN LATERAL (
        SELECT message, text, salt, posted_at FROM chat_texts
        WHERE operator = %s AND message = w.message LIMIT 1) c"""


class PostgresSnapshot:
    """See services.ports_reads.Snapshot."""

    def __init__(
        self,
        conn: AsyncConnection[TupleRow],
        operator: str,
        models: Mapping[str, Model[Any]],
        generations: Mapping[str, int],
        position: int,
    ) -> None:
        self._conn = conn
        self._operator = operator
        self._models = models
        self._generations = generations
        self.position = position

    async def get(self, model: str, key: RowKey, cls: type[R]) -> R | None:
        """See the port."""
        rows = await self._rows(_GET, [model, self._generations[model], self._operator, key.grp, key.key])
        return _row(cls, rows[0][0]) if rows else None

    async def get_many(self, model: str, keys: Collection[RowKey], cls: type[R]) -> dict[RowKey, R]:
        """See the port."""
        wanted = sorted(set(keys))
        if not wanted:
            return {}
        places = (Texts([key.grp for key in wanted]), Texts([key.key for key in wanted]))
        rows = await self._rows(_GET_MANY, (*places, model, self._generations[model], self._operator))
        return {RowKey(grp, key): _row(cls, body) for grp, key, body in rows}

    async def scan(
        self, model: str, cls: type[R], first: RowKey, end: RowKey, *, limit: int, newest_first: bool = False
    ) -> list[tuple[RowKey, R]]:
        """See the port."""
        statement = _SCAN_BACK if newest_first else _SCAN
        scope = [model, self._generations[model], self._operator, *first, *end, limit]
        return [(RowKey(grp, key), _row(cls, body)) for grp, key, body in await self._rows(statement, scope)]

    async def head(self) -> int:
        """See the port."""
        rows = await self._rows(_HEAD, [self._operator])
        return rows[0][0] if rows else 0

    async def events(self, after: int, limit: int) -> list[tuple[str, Recorded]]:
        """See the port."""
        seen = await self._rows(_SEQUENCE, [self._operator, after])
        return _named(await self._rows(_EVENTS, [self._operator, seen[0][0] if seen else 0, limit]))

    async def events_like(
        self, after: int, limit: int, name: str, stream: str
    ) -> tuple[list[tuple[str, Recorded]], int]:
        """See the port."""
        seen = await self._rows(_SEQUENCE, [self._operator, after])
        first = seen[0][0] if seen else 0
        window = [self._operator, first, first + _LOOKED_AT]
        found = _named(await self._rows(_EVENTS_LIKE, [*window, name, f"{self._operator}/{stream}", limit]))
        if len(found) == limit:
            return found, found[-1][1].position
        reached = await self._rows(_REACHED, window)
        return found, reached[0][0] if reached else after

    async def before(self, at: datetime) -> int:
        """See the port. Times never fall within the log, so the place is found by halving the operator's sequence."""
        rows = await self._rows(_HEAD, [self._operator])
        position, newest = rows[0] if rows else (0, 0)
        low, high = 1, newest + 1  # the first event at or past the time has a number in low..high
        while low < high:
            middle = (low + high) // 2
            ((_, one),) = _named(await self._rows(_EVENTS, [self._operator, middle - 1, 1]))
            if one.recorded_at >= at:
                position, high = one.position - 1, middle
            else:
                low = middle + 1
        return int(position)

    async def events_of(
        self,
        streams: Collection[str],
        prefix: str,
        positions: Collection[int],
        *,
        after: int = 0,
        limit: int | None = None,
    ) -> list[tuple[str, Recorded]]:
        """See the port."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        past = [one for one in positions if one > after]
        return _named(await self._rows(_EVENTS_OF, [list(streams), after, prefix, end, after, past, limit]))

    async def events_in(self, streams: Collection[str], positions: Collection[int]) -> list[tuple[str, Recorded]]:
        """See the port."""
        return _named(await self._rows(_EVENTS_IN, [list(streams), list(positions)]))

    async def stored(self, positions: Collection[int]) -> list[RawEvent]:
        """See the port."""
        return [RawEvent(*row) for row in await self._rows(_STORED, [list(positions)])]

    async def hashes_before(self, positions: Collection[int]) -> dict[int, bytes]:
        """See the port."""
        rows = await self._rows(_HASHES_BEFORE, [list(positions)]) if positions else []
        return {position: bytes(hashed) for position, hashed in rows}

    async def hashes_until(self, stream: str, prefix: str, position: int) -> list[tuple[int, bytes]]:
        """See the port."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        rows = await self._rows(_HASHES_UNTIL, [stream, position, prefix, end, position])
        return [(place, bytes(hashed)) for place, hashed in rows]

    async def streams_under(self, prefix: str, after: str, limit: int | None) -> list[str]:
        """See the port."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        rows = await self._rows(_STREAMS_UNDER, [max(after, prefix), end, limit])
        return [stream for (stream,) in rows]

    async def last_of(self, stream: str, until: int | datetime | None, count: int) -> list[Recorded]:
        """See the port. Positions and times of a stream's events never fall, so the place is found by halving."""
        rows = await self._rows(_NEWEST, [stream])
        newest = rows[0][0] if rows else 0
        version = newest if until is None else await self._version_until(stream, until, newest)
        return [one for _, one in _named(await self._rows(_LAST, [stream, version, count]))]

    async def four_eyes(self) -> str | None:
        """See the port."""
        rows = await self._rows(_FOUR_EYES, [self._operator])
        return rows[0][0] if rows else None

    async def keys(self) -> list[KeyFacts]:
        """See the port."""
        return [facts_of(row) for row in await self._rows(_KEYS, [self._operator])]

    async def accesses(
        self, before: int, kind: str | None, begin: datetime | None, end: datetime | None, *, limit: int
    ) -> list[tuple[int, AccessLine]]:
        """See the port."""
        wanted = [self._operator, before, kind, kind, begin, begin, end, end, limit]
        return [(row[0], line_of(row[1:])) for row in await self._rows(_ACCESSES, wanted)]

    async def texts(self, messages: Collection[str]) -> dict[str, Text]:
        """See the port."""
        if not messages:
            return {}
        rows = await self._rows(_TEXTS, [list(messages), self._operator])
        return {message: Text(self._operator, message, *rest) for message, *rest in rows}

    async def _version_until(self, stream: str, until: int | datetime, newest: int) -> int:
        low, high = 0, newest  # the answer lies in low..high
        while low < high:
            middle = (low + high + 1) // 2
            ((_, one),) = _named(await self._rows(_LAST, [stream, middle, 1]))
            reached: int | datetime = one.position if isinstance(until, int) else one.recorded_at
            if cast(Any, reached) <= until:
                low = middle
            else:
                high = middle - 1
        return low

    async def _rows(self, statement: str, parameters: Sequence[Any]) -> list[TupleRow]:
        return await (await self._conn.execute(statement, parameters)).fetchall()


def _row(cls: type[R], body: bytes) -> R:
    try:
        return decode_as(cls, body)
    except RowError as error:
        raise Unavailable(str(error)) from error


def _named(rows: Iterable[TupleRow]) -> list[tuple[str, Recorded]]:
    found = []
    for row in rows:
        try:
            one = recorded(*row)
        except (CodecError, NewerEvent) as error:
            raise Unavailable(f"position {row[0]}: {error}") from error
        found.append((CODEC.name(one.event), one))
    return found
