"""A store of read models with a story in it, as queries find it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from adapters.view_store import ViewStore
from services.ports_reads import Views
from services.queries import Reads
from tests.adapters.projecting import catch_up
from tests.adapters.view_log import append
from tests.domain.views.story import Story
from tests.postgres import Database


class StillClock:
    """A clock that a test sets."""

    def __init__(self, at: datetime = datetime(2026, 11, 30, tzinfo=UTC)) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


@asynccontextmanager
async def opened(database: Database, size: int = 2, wait_seconds: float = 5.0) -> AsyncIterator[ViewStore]:
    store = ViewStore(database.conninfo("request"), size, wait_seconds=wait_seconds)
    await store.aopen()
    try:
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def reads_of(database: Database, clock: StillClock | None = None) -> AsyncIterator[Reads]:
    async with opened(database) as store:
        views: Views = store
        yield Reads(views, clock or StillClock(), {"EUR": 2})


def told(database: Database, story: Story, *, project: bool = True) -> int:
    """Append what of the story is not in the log yet; the last position."""
    with database.connect("writer") as conn:
        row = conn.execute("SELECT count(*) FROM stored_events").fetchone()
        known = row[0] if row else 0
        last = append(conn, story.told[known:]) if story.told[known:] else known
    if project:
        catch_up(database)
    return int(last)
