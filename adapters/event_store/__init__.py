"""The event log in PostgreSQL: the writer's side (`PostgresLog`) and reading it through (`reading`)."""

from adapters.event_store.batch import EVENT_BYTES_MAX
from adapters.event_store.bell import LogBell
from adapters.event_store.log import PostgresLog
from adapters.event_store.reading import LogReader, UnreadableEvent

__all__ = ["EVENT_BYTES_MAX", "LogBell", "LogReader", "PostgresLog", "UnreadableEvent"]
