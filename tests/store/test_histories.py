"""Histories on the real store: the laws hold, the chain holds, and the log replays to what the house has in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.event_store import PostgresLog
from tests.postgres import Database
from tests.store.support import audit_of
from tests.support.interleaved import Interleaved, between, large_rounds, slices_of
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_step, any_terms

COMMANDS = 40

steps = st.lists(any_step, min_size=10, max_size=COMMANDS)


class Limited(Machine):
    """Stops at so many commands."""

    most = COMMANDS


class Interrupted(Interleaved):
    """The same, with other commands between the slices of rounds."""

    most = COMMANDS


Makes = Callable[[PostgresLog], Machine]


async def played(database: Database, makes: Makes, history: Sequence[Step]) -> int:
    """The machine holds every law after every command; what is left to say is of the whole log. Its last position."""
    log = PostgresLog(database.conninfo("writer"))
    await log.aopen()
    try:
        async with makes(log) as machine:
            await machine.furnish()
            await machine.run(history)
            machine.compare()
            again = await machine.replay()
            assert again.states == machine.books.states
            assert again.standing() == machine.books.standing()
            return machine.books.position
    finally:
        await log.aclose()


def on_the_store(count: int) -> settings:
    return settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    )


def holds(database: Database, makes: Makes, history: Sequence[Step]) -> None:
    """The history on an empty store, and the audit of it."""
    with database.tamper() as conn:
        conn.execute("TRUNCATE stored_events, idempotency")
    position = asyncio.run(played(database, makes, history))
    found = audit_of(database)
    assert (found.findings, found.events) == ((), position)


@on_the_store(50)
@given(any_terms, steps)
def test_laws_chain_and_replay_hold_over_histories_on_the_real_store(
    database: Database, under: Terms, history: list[Step]
) -> None:
    holds(database, lambda log: Limited(under, log), history)


@on_the_store(25)
@given(any_terms, large_rounds, between)
def test_laws_chain_and_replay_hold_when_anything_comes_between_slices_on_the_real_store(
    database: Database, under: Terms, history: list[Step], meanwhile: list[Step]
) -> None:
    with slices_of(1):
        holds(database, lambda log: Interrupted(under, meanwhile, log), history)
