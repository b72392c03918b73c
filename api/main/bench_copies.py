"""More casinos beside the one that was played, as copies of what is stored of it.

A copy has ids of its own, and its events are numbered and chained as the writer would have done it; its rows of the
read models say what the projector would have folded. Only the deciding and the folding are done once. `studbook
verify` passes on the whole, which a test holds: it checks each link of the chain, every law of the ledger, and each
row against a fresh fold. What refers to a position is a field `position`, a list `..._positions`, or 19 digits in a
row's key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
        shift = position
        with conn.transaction():
            events = list(_copied_events(first, number, position, hashed))
            _copy(conn, _EVENTS, _EVENT_TYPES, events)
            _copy(conn, _KEYS, _KEY_TYPES, (_copied_key(one, number, shift) for one in keys))
            _copy(conn, _ROWS, _ROW_TYPES, (_copied_row(one, number, shift) for one in rows))
            position, hashed = events[-1][4], events[-1][6]
            conn.execute("UPDATE view_progress SET position = %s WHERE live", [position])
        progress(position)


def _copy(conn: Connection, statement: str, types: list[str], rows: Any) -> None:
    with conn.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _copied_events(
    first: list[RawEvent], number: int, position: int, hashed: bytes
) -> Iterator[tuple[str, int, str, bytes, int, int, bytes]]:
    """The events of the first casino under another tag, behind the event at `position` with hash `hashed`."""
    old, new = tag(0), tag(number)
    old_bytes, new_bytes = old.encode(), new.encode()
    for row in first:
        position += 1
        stream, state = row.stream.replace(old, new), row.state.replace(old_bytes, new_bytes)
        hashed = link(
            hashed, stream=stream, version=row.version, name=row.name, position=position, sequence=position, state=state
        )
        yield stream, row.version, row.name, state, position, position, hashed


def _copied_key(row: tuple[Any, ...], number: int, shift: int) -> tuple[Any, ...]:
    operator, scope, key, fingerprint, status, body, position = row
    shown = None if body is None else _moved(body, number, shift)
    return operator, scope, key.replace(tag(0), tag(number)), fingerprint, status, shown, position + shift


def _copied_row(row: tuple[Any, ...], number: int, shift: int) -> tuple[Any, ...]:
    model, generation, operator, grp, key, body = row
    at = (_placed(grp, number, shift), _placed(key, number, shift))
    return model, generation, operator, *at, _moved(body, number, shift)


def _placed(text: str, number: int, shift: int) -> str:
    """A part of a row's place, for the copy."""
    return _PADDED.sub(lambda found: f"{int(found[0]) + shift:019d}", text.replace(tag(0), tag(number)))


def _moved(body: bytes, number: int, shift: int) -> bytes:
    """A body under the copy's ids, whose positions lie further on."""
    renamed = body.replace(tag(0).encode(), tag(number).encode())
    return _POSITIONS.sub(lambda named: _NUMBER.sub(lambda found: b"%d" % (int(found[0]) + shift), named[0]), renamed)
