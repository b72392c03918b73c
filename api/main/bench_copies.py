"""More casinos beside the one that was played, as copies of what is stored of it.

A copy has ids of its own, and its events are numbered and chained as the writer would have done it; its rows of the
read models say what the projector would have folded. Only the deciding and the folding are done once. `studbook
verify` passes on the whole, which a test holds: it checks each link of the chain, every law of the ledger, and each
row against a fresh fold. What refers to a position is a field `position`, a list `..._positions`, or 19 digits in a
row's key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from psycopg import Connection

from adapters.event_store import LogReader
from api.main.bench_fill import tag
from domain.chain import RawEvent, link

Progress = Callable[[int], None]
"""Told how many events there are."""

_POSITIONS: Final = re.compile(rb'"(?:position":\d+|\w+_positions":\[[\d,]*\])')
_NUMBER: Final = re.compile(rb"\d+")
_PADDED: Final = re.compile(r"(?<!\d)\d{19}(?!\d)")

_EVENTS: Final = """
    COPY stored_events (originator_id, originator_version, topic, state, notification_id, operator_seq, hash)
    FROM STDIN (FORMAT BINARY)"""
_EVENT_TYPES: Final = ["text", "int8", "text", "bytea", "int8", "int8", "bytea"]
_KEYS_READ: Final = "SELECT operator, scope, key, fingerprint, status, body, position FROM idempotency"
_KEYS: Final = """
    COPY idempotency (operator, scope, key, fingerprint, status, body, position) FROM STDIN (FORMAT BINARY)"""
_KEY_TYPES: Final = ["text", "text", "text", "bytea", "int4", "bytea", "int8"]
_ROWS_READ: Final = "SELECT model, generation, operator, grp, key, body FROM view_rows"
_ROWS: Final = "COPY view_rows (model, generation, operator, grp, key, body) FROM STDIN (FORMAT BINARY)"
_ROW_TYPES: Final = ["text", "int4", "text", "text", "text", "bytea"]


def copy_casino(conn: Connection, copies: int, progress: Progress) -> None:
    """Put so many copies of the store's one casino behind it. `conn` is a superuser's, in autocommit; the read models
    hold all events, and no service runs on the store.
    """
    conn.execute("SET search_path = studbook")
    first = list(LogReader(conn).raw())
    with conn.cursor(binary=True) as cursor:
        keys = cursor.execute(_KEYS_READ).fetchall()
        rows = cursor.execute(_ROWS_READ).fetchall()
    position, hashed = first[-1].position, first[-1].hash
    for number in range(1, copies + 1):
        made = _Copy(position, tag(number))
        with conn.transaction():
            events = list(made.events(first, hashed))
            _copy(conn, _EVENTS, _EVENT_TYPES, events)
            _copy(conn, _KEYS, _KEY_TYPES, map(made.key, keys))
            _copy(conn, _ROWS, _ROW_TYPES, map(made.row, rows))
            position, hashed = events[-1][4], events[-1][6]
            conn.execute("UPDATE view_progress SET position = %s WHERE live", [position])
        progress(position)


def _copy(conn: Connection, statement: str, types: list[str], rows: Iterable[tuple[Any, ...]]) -> None:
    with conn.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


@dataclass(frozen=True, slots=True)
class _Copy:
    """One copy: where its first event stands behind, and the tag of its ids."""

    shift: int
    new: str
    old: str = tag(0)

    def events(self, first: Sequence[RawEvent], hashed: bytes) -> Iterator[tuple[Any, ...]]:
        """The events of the first casino, behind the event with hash `hashed`."""
        old, new, position = self.old.encode(), self.new.encode(), self.shift
        for row in first:
            position += 1
            stream, state = row.stream.replace(self.old, self.new), row.state.replace(old, new)
            hashed = link(
                hashed, stream=stream, version=row.version, name=row.name, position=position, sequence=position,
                state=state,
            )  # fmt: skip
            yield stream, row.version, row.name, state, position, position, hashed

    def key(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """An idempotency record."""
        operator, scope, key, fingerprint, status, body, position = row
        shown = None if body is None else self._body(body)
        return operator, scope, key.replace(self.old, self.new), fingerprint, status, shown, position + self.shift

    def row(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row of a read model."""
        model, generation, operator, grp, key, body = row
        return model, generation, operator, self._place(grp), self._place(key), self._body(body)

    def _place(self, text: str) -> str:
        return _PADDED.sub(lambda found: f"{int(found[0]) + self.shift:019d}", text.replace(self.old, self.new))

    def _body(self, body: bytes) -> bytes:
        return _POSITIONS.sub(self._positions, body.replace(self.old.encode(), self.new.encode()))

    def _positions(self, named: re.Match[bytes]) -> bytes:
        return _NUMBER.sub(lambda found: b"%d" % (int(found[0]) + self.shift), named[0])
