"""Where `from` begins is found in the journal by single steps of an index, however many events there are."""

from __future__ import annotations

import psycopg
import pytest

from adapters.view_store import snapshot, store
from tests.adapters.event_store_support import deposits, opened, put
from tests.postgres import Database

STEPS = {
    "the newest of an operator": (snapshot._HEAD, ["demo"]),
    "one in the middle": (snapshot._EVENTS, ["demo", 1_500, 1]),
}


@pytest.fixture
async def large(database: Database) -> Database:
    """Three thousand events, which the planner has seen."""
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("ann", range(1, 3_001)))
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute("ANALYZE studbook.stored_events")
    return database


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
def test_a_step_of_the_halving_reads_one_row_through_the_index(large: Database, step: str, mode: str) -> None:
    statement, values = STEPS[step]
    with large.connect("request", operator="demo") as conn:
        for name, value in {**store._SESSION, "plan_cache_mode": mode}.items():
            conn.execute("SELECT set_config(%s, %s, false)", [name, value])
        rows = conn.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {statement}".encode(), values).fetchall()
    plan = "\n".join(text for (text,) in rows)
    assert "using stored_events_operator_seq" in plan, plan
    assert "Seq Scan" not in plan, plan
    assert "Sort" not in plan, plan
    assert "Rows Removed" not in plan, plan
    assert all(" rows=1" in line or " rows=1.00" in line for line in plan.splitlines() if "(actual" in line), plan
