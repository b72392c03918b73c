"""`studbook serve` refuses what it could not serve rightly: one line, exit code 2 (F13, F31)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adapters.event_store import PostgresLog
from tests.postgres import Database
from tests.store.commands import studbook
from tests.support.casino import Casino

SERVE = ("serve", "--port", "0")


def refused(database: Database, *arguments: str, **variables: str) -> str:
    """The one line that it says."""
    done = studbook(database, *(arguments or SERVE), **variables)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("studbook: ")
    return line


def test_serve_refuses_the_librarys_database_functions(database: Database) -> None:
    assert "POSTGRES_ENABLE_DB_FUNCTIONS is set" in refused(database, POSTGRES_ENABLE_DB_FUNCTIONS="y")


async def test_serve_refuses_a_clock_behind_the_last_event(database: Database) -> None:
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        casino.clock.time = datetime.now(UTC) + timedelta(hours=1)
        await casino.player("ann", "EUR")
    await log.aclose()
    line = refused(database)
    assert "the clock is behind the last event" in line
    assert casino.clock.time.isoformat() in line


def test_serve_refuses_a_database_of_ones_own_without_a_key_for_cards(database: Database) -> None:
    assert "STUDBOOK_CARD_KEY" in refused(database, STUDBOOK_CARD_KEY="")
