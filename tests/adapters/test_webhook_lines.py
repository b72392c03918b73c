"""A change of a webhook and its line in the access log are there together or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from adapters.access_rows import newest
from adapters.database.pools import request_pool
from adapters.webhook_store import PostgresWebhooks
from domain.access import WEBHOOK_CHANGED, AccessLine, Visit
from domain.webhooks import Webhook
from tests.postgres import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LINE = AccessLine(NOW, Visit(WEBHOOK_CHANGED, "lucky", "ann", "k1", detail="webhook h"), 1, "r1")
HOOK = Webhook("h", "https://casino.example/", ("x",), False, NOW, 0)
MOVED = Webhook("h", "https://elsewhere.example/", ("x",), True, NOW, 0)
Change = Callable[[PostgresWebhooks], Awaitable[bool]]
CHANGES: dict[str, Change] = {
    "add": lambda store: store.add("lucky", Webhook("new", "https://b/", ("x",), True, NOW, 0), "s", 20, line=LINE),
    "change": lambda store: store.change("lucky", MOVED, line=LINE),
    "rotate": lambda store: store.add_secret("lucky", "h", "s", NOW, 5, line=LINE),
    "remove": lambda store: store.remove("lucky", "h", line=LINE),
    "replay": lambda store: store.order("lucky", "h", "m", 1, 100, line=LINE),
}
NO_LINES = """CREATE FUNCTION no_lines() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no line'; END $$;
    CREATE TRIGGER no_lines BEFORE INSERT ON studbook.access_log FOR EACH ROW EXECUTE FUNCTION no_lines()"""
TABLES = ("webhooks", "webhook_secrets", "webhook_orders")


@asynccontextmanager
async def webhooks(database: Database) -> AsyncIterator[PostgresWebhooks]:
    """Those of the database, with one that is there."""
    async with request_pool(database.conninfo("request"), 1, "tests", autocommit=True) as pool:
        store = PostgresWebhooks(pool)
        assert await store.add("lucky", HOOK, "sealed", 20, line=LINE)
        yield store


def kept(database: Database) -> dict[str, list[Any]]:
    """Every row about webhooks."""
    with database.connect("projector") as conn:
        return {one: conn.execute(f"SELECT * FROM {one} ORDER BY 1, 2, 3".encode()).fetchall() for one in TABLES}


def lines(database: Database) -> int:
    with database.connect("projector") as conn:
        return len(newest(conn, "lucky", 99))


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_whose_line_cannot_be_written_is_none_and_one_that_changes_nothing_has_no_line(
    database: Database, name: str
) -> None:
    async with webhooks(database) as store:
        before = kept(database)
        with psycopg.connect(database.superuser, autocommit=True) as conn:
            conn.execute(NO_LINES)
            with pytest.raises(psycopg.errors.RaiseException):
                await CHANGES[name](store)
            assert (kept(database), lines(database)) == (before, 1)
            conn.execute("DROP TRIGGER no_lines ON studbook.access_log")
        assert await CHANGES[name](store)
        assert lines(database) == 2
        assert kept(database) != before
        if name in {"add", "remove"}:
            assert not await CHANGES[name](store)
            assert lines(database) == 2
