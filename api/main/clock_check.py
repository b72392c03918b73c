"""The service does not start on a clock that is behind what is recorded: time and order would disagree."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from psycopg import Connection

from adapters.clock import SystemClock
from adapters.database.errors import StartRefused
from adapters.event_store import LogReader, UnreadableEvent
from services.ports import NewerEvent

CLOCK_BEHIND_MOST: Final = timedelta(seconds=1)
"""How far the clock may be behind the last event (docs/architecture.md, The write path)."""


def check_clock(conn: Connection) -> None:
    """Refuse (StartRefused, in one line) when the clock is behind the log's last event. `conn` reads all rows."""
    reader = LogReader(conn)
    head = reader.head()
    if head is None:
        return
    try:
        last = next(reader.events(head[0] - 1))
    except UnreadableEvent:
        return  # its stream is named in /readyz, and nobody else is stopped
    except NewerEvent as fault:
        raise StartRefused(f"the log holds events of a newer version: {fault}") from None
    refuse_behind(last.recorded_at)


def refuse_behind(last: datetime | None) -> None:
    """Refuse when the clock is behind `last`, the time of the last event."""
    if last is not None and SystemClock().now() < last - CLOCK_BEHIND_MOST:
        raise StartRefused(f"the clock is behind the last event, recorded at {last.isoformat()}: set it right")
