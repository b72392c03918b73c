"""Writing a bundle: one snapshot of the database, read by the login that reads everything and changes nothing."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson
from psycopg import Connection

from adapters.bundle.form import TYPE, Item, Manifest, OperatorRow, RecordRow, SkipRow, line_of
from adapters.event_store import LogReader, UnreadableEvent
from domain.chain import GENESIS, RawEvent

STEP: Final = 1_000
_LEVEL: Final = 5
_FETCH: Final = 2_000
_TIME: Final = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"

_OPERATORS: Final = f"SELECT operator, four_eyes, {_TIME.format('created_at')} FROM operators ORDER BY operator"
_RECORDS: Final = """
    SELECT operator, scope, key, fingerprint, status, body, position FROM idempotency ORDER BY operator, scope, key"""
_SKIPS: Final = f"""
    SELECT model, position, decided_by, reason, fault, {_TIME.format("at")} FROM view_skips ORDER BY model, position"""


def write_bundle(
    conn: Connection,
    path: Path,
    *,
    software: str,
    made_at: datetime,
    progress: Callable[[int], None] = lambda _: None,
) -> Manifest:
    """Write all of the database's log to `path`, whole or not at all. `conn`: the login `backup`, in autocommit.

    `progress` is told the position now and then. Raises OSError where the file cannot be written.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as raw:
            with gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file, conn.transaction():
                conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                manifest = _written(conn, file, {"type": TYPE, "software": software, "made_at": made_at}, progress)
            raw.flush()
            os.fsync(raw.fileno())
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _written(conn: Connection, file: gzip.GzipFile, head: dict[str, Any], progress: Callable[[int], None]) -> Manifest:
    digest = sha256()
    counts = {RawEvent: 0, RecordRow: 0, OperatorRow: 0, SkipRow: 0}
    position, last = 0, GENESIS

    def put(line: bytes) -> None:
        digest.update(line)
        file.write(line)

    put(orjson.dumps(head) + b"\n")
    for item in _items(conn):
        put(line_of(item))
        counts[type(item)] += 1
        if isinstance(item, RawEvent):
            position, last = item.position, item.hash
            if position % STEP == 0:
                progress(position)
    manifest = Manifest(
        counts[RawEvent], counts[RecordRow], counts[OperatorRow], counts[SkipRow], position, last.hex(),
        digest.hexdigest(),
    )  # fmt: skip
    file.write(orjson.dumps({"end": manifest}) + b"\n")
    return manifest


def _items(conn: Connection) -> Iterator[Item]:
    """Everything, from one snapshot."""
    for row in conn.execute(_OPERATORS).fetchall():
        yield OperatorRow(*row)
    for event in LogReader(conn).raw():
        if None in event:
            raise UnreadableEvent(event.position, str(event.stream), "a column of it is empty")
        yield event
    with conn.cursor("records", binary=True) as cursor:
        cursor.itersize = _FETCH
        for row in cursor.execute(_RECORDS):
            yield RecordRow(*row)
    for row in conn.execute(_SKIPS.encode()).fetchall():
        yield SkipRow(*row)
