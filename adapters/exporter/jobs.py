"""What the exporter reads and notes, with the projector's login."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from psycopg import Connection

from adapters.export_store import COLUMNS, export_of
from domain.exports import Export

CHUNK_BYTES: Final = 2**20

_NEXT: Final = f"""
    SELECT {COLUMNS} FROM exports WHERE status IN ('WAITING', 'RUNNING') ORDER BY hurry DESC, asked_at LIMIT 1"""
_BEGIN: Final = """
    UPDATE exports SET status = 'RUNNING', attempts = attempts + 1, events_read = 0,
        events = (SELECT coalesce(max(notification_id), 0) FROM stored_events) WHERE operator = %s AND export = %s"""
_BACK: Final = """
    UPDATE exports SET status = 'WAITING', attempts = attempts - 1 WHERE operator = %s AND export = %s"""
_NOTE: Final = "UPDATE exports SET events_read = %s WHERE operator = %s AND export = %s"
_EMPTY: Final = "DELETE FROM export_chunks WHERE operator = %s AND export = %s"
_CHUNK: Final = "INSERT INTO export_chunks (operator, export, number, bytes) VALUES (%s, %s, %s, %s)"
_DONE: Final = """
    UPDATE exports SET status = 'DONE', events_read = events, position = greatest(position, %s), finished_at = now(),
        manifest = %s WHERE operator = %s AND export = %s"""
_FAILED: Final = """
    UPDATE exports SET status = 'FAILED', finished_at = now(), failure = %s WHERE operator = %s AND export = %s"""
_OLD: Final = "DELETE FROM exports WHERE expires_at <= now() AND status IN ('DONE', 'FAILED')"
_FIGURES: Final = """
    INSERT INTO export_figures AS f SELECT true, now(), count(*), %s, %s FROM exports
        WHERE status IN ('WAITING', 'RUNNING')
    ON CONFLICT (is_only) DO UPDATE SET at = excluded.at, waiting = excluded.waiting, done = excluded.done,
        failed = excluded.failed"""


class Jobs:
    """Exports as they are worked off. One process at a time holds them (EXPORTER_LOCK)."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def next(self) -> Export | None:
        """What somebody waits for first, else the oldest; one that a dead process had begun is among them."""
        row = self._conn.execute(_NEXT.encode()).fetchone()
        return None if row is None else export_of(row)

    def begin(self, one: Export) -> None:
        """Note that it is being made."""
        self._conn.execute(_BEGIN, _named(one))

    def back(self, one: Export) -> None:
        """It waits again, as if it had not been begun."""
        self._conn.execute(_BACK, _named(one))

    def note(self, one: Export, read: int) -> None:
        """How far the log is read."""
        self._conn.execute(_NOTE, [read, *_named(one)])

    def keep(self, one: Export, path: Path, manifest: str, position: int) -> None:
        """Keep its file; only then it is done."""
        self._conn.execute(_EMPTY, _named(one))
        with path.open("rb") as file:
            number = 0
            while chunk := file.read(CHUNK_BYTES):
                self._conn.execute(_CHUNK, [*_named(one), number, chunk])
                number += 1
        self._conn.execute(_DONE, [position, manifest, *_named(one)])

    def fail(self, one: Export, why: str) -> None:
        """It will not be made."""
        self._conn.execute(_EMPTY, _named(one))
        self._conn.execute(_FAILED, [why, *_named(one)])

    def forget(self) -> int:
        """Remove what has had its time; how many."""
        return self._conn.execute(_OLD).rowcount

    def figures(self, done: int, failed: int) -> None:
        """Leave them for /metrics."""
        self._conn.execute(_FIGURES, [done, failed])


def _named(one: Export) -> list[str]:
    return [one.operator, one.export]
