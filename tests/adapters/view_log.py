"""Appending a story to a real log, as the writer does: under its lock, gapless, with a NOTIFY."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import Connection

from adapters.codec import CODEC
from adapters.database.locks import WRITER_LOCK
from services.ports import Meta
from tests.domain.views.story import Told

_HASH = bytes(32)


def append(conn: Connection, told: Sequence[Told]) -> int:
    """Append in one transaction and return the last position. The hash chain is left out: nobody here reads it."""
    with conn.transaction(), conn.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        cursor.execute("SELECT coalesce(max(notification_id), 0) FROM stored_events")
        head = (cursor.fetchone() or (0,))[0]
        versions: dict[str, int] = {}
        for one in told:
            if one.stream not in versions:
                found = "SELECT coalesce(max(originator_version), 0) FROM stored_events WHERE originator_id = %s"
                versions[one.stream] = (cursor.execute(found, [one.stream]).fetchone() or (0,))[0]
        rows = []
        for position, one in enumerate(told, head + 1):
            versions[one.stream] += 1
            rows.append(_row(position, versions[one.stream], one))
        insert_rows(conn, rows)
        cursor.execute("SELECT pg_notify('studbook_events', %s)", [str(head + len(told))])
    return int(head) + len(told)


def _row(position: int, version: int, one: Told) -> tuple[object, ...]:
    operator = one.stream.split("/")[0]
    meta = Meta(operator, "ann", "key-1", "r-1", None, "x", f"c-{one.command}", one.at)
    name, state = CODEC.encode(one.event, meta, one.entry, one.at)
    return (position, one.stream, version, name, state, position, _HASH)


def insert_rows(conn: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Rows as they are, broken ones too: position, stream, version, name, bytes, sequence, hash."""
    insert = """
        INSERT INTO stored_events
            (notification_id, originator_id, originator_version, topic, state, operator_seq, hash)
        SELECT * FROM unnest(
            %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::bigint[], %s::bytea[])"""
    conn.execute(insert, [list(column) for column in zip(*rows, strict=True)])
