"""Histories on the real store: the laws hold, the chain holds, and the log replays to what the house has in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.event_store import PostgresLog
from domain.pools import MultiWinnerPolicy, PrizeFunding
from tests.postgres import Database
from tests.store.support import audit_of
from tests.support.machine import STEPS, Machine, Step, Terms

COMMANDS = 40

steps = st.lists(
    st.builds(Step, st.sampled_from(STEPS), st.integers(0, 3), st.integers(1, 3), st.integers(0, 215)),
    min_size=10,
    max_size=COMMANDS,
)
terms = st.builds(
    Terms,
    seed=st.sampled_from([0, 30, 100_000]),
    reset=st.sampled_from([0, 20, 70_000]),
    room=st.sampled_from([0, 15, 10**9]),
    increment_ppm=st.sampled_from([400_000, 333_333, 700_001]),
    reserve_ppm=st.sampled_from([0, 123_457, 299_999]),
    funding=st.sampled_from(PrizeFunding),
    winners=st.sampled_from(MultiWinnerPolicy),
    threshold=st.sampled_from([None, 0, 5_000]),
    call_reserve=st.sampled_from(["FULL", "NONE"]),
)


class Limited(Machine):
    """Stops at so many commands."""

    async def run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if self.commands >= COMMANDS:
                return
            await self._take(step)


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
@given(terms, steps)
def test_laws_chain_and_replay_hold_over_histories_on_the_real_store(
    database: Database, under: Terms, history: list[Step]
) -> None:
    with database.tamper() as conn:
        conn.execute("TRUNCATE stored_events, idempotency")
    position = asyncio.run(played(database, under, history))
    found = audit_of(database)
    assert (found.findings, found.events) == ((), position)
