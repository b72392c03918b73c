"""Whatever a casino is asked, in whatever order: each of its rounds, replayed, is equal to the cent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.machine import Machine, Step, Terms
from tests.support.replayed import verdicts_of
from tests.support.strategies import any_step, any_terms

steps = st.lists(any_step, min_size=20, max_size=50)
orders = st.lists(st.integers(0, 30), min_size=1, max_size=12)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_terms, steps, orders)
def test_every_round_of_any_history_is_replayed_equal_to_the_cent(
    under: Terms, history: list[Step], order: list[int]
) -> None:
    asyncio.run(replayed(under, history, order))


async def replayed(under: Terms, history: Sequence[Step], order: Sequence[int]) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
        before = verdicts_of(await machine.everything())
        await machine.void_all(order)
        after = verdicts_of(await machine.everything())
    for verdicts in (before, after):
        assert {name: one.differences for name, one in verdicts.items() if not one.equal} == {}
    assert sum(one.compared for one in after.values()) >= sum(one.compared for one in before.values())
