"""Step 1: the event library's own recorder makes its table, inside the transaction of the step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, cast

from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import Connection, Cursor
from psycopg.rows import DictRow, dict_row

TABLE: Final = "stored_events"
DECLARES: Final = f"eventsourcing PostgresApplicationRecorder: studbook.{TABLE}, originator_id text"


class _OneConnection(PostgresDatastore):
    """The library's datastore on a connection that is already open, in a transaction that is already begun."""

    def __init__(self, conn: Connection) -> None:
        super().__init__("", "", "", "", "", schema="studbook", originator_id_type="text")
        self._conn = cast("Connection[DictRow]", conn)

    @contextmanager
    def get_connection(self) -> Iterator[Connection[DictRow]]:
        yield self._conn

    @contextmanager
    def transaction(self, *, commit: bool = False) -> Iterator[Cursor[DictRow]]:  # noqa: ARG002  the library's name
        with self._conn.cursor(row_factory=dict_row) as cursor:
            yield cursor


def create_event_table(conn: Connection) -> None:
    """Let the library create `studbook.stored_events`, its type, its index and its function."""
    PostgresApplicationRecorder(_OneConnection(conn), events_table_name=TABLE).create_table()
