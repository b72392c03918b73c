"""Loading a bundle into an empty store: all of it in one transaction, under the writer's lock, or nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Final, Self

import psycopg

from adapters.bundle.form import BundleFault, Item, Manifest, OperatorRow, RecordRow, SkipRow
from adapters.database.connections import connect
from adapters.database.locks import WRITER_LOCK
from adapters.event_store.statements import CHANNEL
from domain.chain import RawEvent

CHUNK: Final = 2_000

_EMPTY: Final = "SELECT EXISTS (SELECT FROM stored_events), EXISTS (SELECT FROM idempotency)"
_SEEN: Final = "SELECT coalesce(max(position), 0) FROM view_progress"
_EVENTS: Final = """
    INSERT INTO stored_events (notification_id, originator_id, originator_version, topic, state, operator_seq, hash)
    SELECT * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::bigint[], %s::bytea[])"""
_RECORDS: Final = """
    INSERT INTO idempotency (operator, scope, key, fingerprint, status, body, position)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bytea[], %s::int[], %s::bytea[], %s::bigint[])"""
_OPERATOR: Final = """
    INSERT INTO operators (operator, four_eyes, created_at) VALUES (%s, %s, %s)
    ON CONFLICT (operator) DO UPDATE SET four_eyes = excluded.four_eyes"""
_SKIP: Final = """
    INSERT INTO view_skips (model, position, decided_by, reason, fault, at) VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""


class Loader:
    """`with Loader(...) as loader`, `take` each item, then `finish`; leaving it before that leaves the store empty.

    `writer` and `projector` are connection strings. Raises BundleFault when the store is not empty or does not take
    what the bundle holds.
    """

    def __init__(self, writer: str, projector: str) -> None:
        self._conninfos = writer, projector
        self._events: list[RawEvent] = []
        self._records: list[RecordRow] = []
        self._skips: list[SkipRow] = []

    def __enter__(self) -> Self:
        self._conn = connect(self._conninfos[0], autocommit=False)
        try:
            self._begin()
        except BaseException:
            self._conn.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._conn.close()  # what was not committed is gone
        if isinstance(error, psycopg.Error):
            raise BundleFault(f"the store does not take it: {' '.join(str(error).split())}") from error

    def _begin(self) -> None:
        with connect(self._conninfos[1]) as projector:
            seen = projector.execute(_SEEN).fetchone()
        self._conn.execute("SET LOCAL lock_timeout = '10s'")
        self._conn.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        if self._conn.execute(_EMPTY).fetchone() != (False, False) or seen != (0,):
            raise BundleFault("the store is not empty: a bundle is loaded into a new one")

    def take(self, item: Item) -> None:
        """One more item, in the order of the bundle."""
        match item:
            case RawEvent():
                self._events.append(item)
                if len(self._events) == CHUNK:
                    self._put_events()
            case RecordRow():
                self._records.append(item)
                if len(self._records) == CHUNK:
                    self._put_records()
            case OperatorRow():
                self._conn.execute(_OPERATOR, item)
            case SkipRow():
                self._skips.append(item)

    def finish(self, manifest: Manifest) -> None:
        """Everything was taken: keep it, and tell who listens."""
        self._put_events()
        self._put_records()
        with connect(self._conninfos[1]) as projector:
            for skip in self._skips:
                projector.execute(_SKIP, skip)
        self._conn.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(manifest.position)])
        self._conn.commit()

    def _put_events(self) -> None:
        rows = [
            (one.position, one.stream, one.version, one.name, one.state, one.sequence, one.hash) for one in self._events
        ]
        self._put(_EVENTS, rows)
        self._events.clear()

    def _put_records(self) -> None:
        self._put(_RECORDS, self._records)
        self._records.clear()

    def _put(self, statement: str, rows: list[Any]) -> None:
        if rows:
            self._conn.execute(statement.encode(), [list(column) for column in zip(*rows, strict=True)], binary=True)
