"""Look-ups of a few rows start no parallel workers, however large the log and whatever the planner thinks of it."""

from __future__ import annotations

from psycopg import sql

from adapters.view_store import ViewStore
from domain.ids import seat_prefix, wallet_stream
from tests.adapters.event_store_support import deposits, opened, put
from tests.adapters.projecting import catch_up
from tests.postgres import Database


def prefer_parallel(database: Database) -> None:
    """Every session from now on gets a parallel plan for whatever can have one."""
    with database.tamper() as conn:
        name = sql.Identifier(database.name)
        conn.execute(sql.SQL("ALTER DATABASE {} SET debug_parallel_query = on").format(name))


def workers(database: Database) -> int:
    """Parallel workers that sessions which have ended wanted in this database."""
    with database.tamper() as conn:
        row = conn.execute(
            "SELECT parallel_workers_to_launch FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_the_planner_is_led_into_parallel_plans_here(database: Database) -> None:
    prefer_parallel(database)
    with database.connect("backup") as conn:
        conn.execute("SELECT count(*) FROM stored_events")
    assert workers(database) > 0


async def test_F23_loads_of_a_turn_wait_for_no_parallel_workers(database: Database) -> None:
    prefer_parallel(database)
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1, 2, 3]))
        for _ in range(8):  # custom plans, then generic ones
            async with log.turn([("demo", "key", "k")], None) as turn:
                found = await turn.load([wallet_stream("demo", "a")], [seat_prefix("demo", "r")])
                assert len(found.events) == 3
    assert workers(database) == 0


async def test_F23_reads_and_folds_wait_for_no_parallel_workers(database: Database) -> None:
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1, 2, 3]))
    prefer_parallel(database)
    catch_up(database)
    store = ViewStore(database.conninfo("request"))
    await store.aopen()
    try:
        async with store.reading("demo", ["balances"]) as snapshot:
            assert await snapshot.events(after=0, limit=10)
    finally:
        await store.aclose()
    assert workers(database) == 0
