"""Laws over histories: whatever the casino is asked, in whatever order, money is conserved and no trace is lost.

The casino holds every law of the ledger after every command (tests/support/books.py); what stands here is what can
only be said of whole histories.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.money import MICRO
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.wallets.events import Deposited, Withdrawn
from tests.support.machine import STEPS, Machine, Step, Terms

steps = st.lists(
    st.builds(Step, st.sampled_from(STEPS), st.integers(0, 3), st.integers(1, 3), st.integers(0, 215)),
    min_size=10,
    max_size=50,
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
histories = settings(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


async def played(under: Terms, history: Sequence[Step]) -> Machine:
    machine = Machine(under)
    async with machine:
        await machine.furnish()
        await machine.run(history)
        machine.compare()
        again = await machine.replay()
        assert again.states == machine.books.states
        assert again.standing() == machine.books.standing()
    return machine


@histories
@given(terms, steps)
def test_every_law_holds_after_every_command_and_a_replay_arrives_at_the_same_state(
    under: Terms, history: list[Step]
) -> None:
    asyncio.run(played(under, history))
