"""Histories on the real store: the laws hold, the chain holds, and the log replays to what the house has in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.event_store import PostgresLog
from tests.postgres import Database
from tests.store.support import audit_of
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_step, any_terms

COMMANDS = 40

steps = st.lists(any_step, min_size=10, max_size=COMMANDS)


class Limited(Machine):
    """Stops at so many commands."""

    most = COMMANDS


async def played(database: Database, under: Terms, history: Sequence[Step]) -> int:
    """The machine holds every law after every command; what is left to say is of the whole log. Its last position."""
    log = PostgresLog(database.conninfo("writer"))
    await log.aopen()
    try:
        async with Limited(under, log) as machine:
            await machine.furnish()
            await machine.run(history)
            machine.compare()
            again = await machine.replay()
            assert again.states == machine.books.states
            assert again.standing() == machine.books.standing()
            return machine.books.position
    finally:
        await log.aclose()


@settings(
    max_examples=50,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(any_terms, steps)
def test_laws_chain_and_replay_hold_over_histories_on_the_real_store(
    database: Database, under: Terms, history: list[Step]
) -> None:
    with database.tamper() as conn:
        conn.execute("TRUNCATE stored_events, idempotency")
    position = asyncio.run(played(database, under, history))
    found = audit_of(database)
    assert (found.findings, found.events) == ((), position)
