"""Whatever a casino is asked, in whatever order: every pool's day holds, and its contributions are accounted for."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ports import Recorded
from services.reconcile.asked import Question
from services.reconcile.run import reconcile
from services.reconcile.waterfall import waterfall
from tests.support.machine import Machine, Step, Terms
from tests.support.reported import UTC, told_of
from tests.support.strategies import any_step, any_terms

steps = st.lists(any_step, min_size=20, max_size=50)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_terms, steps, st.booleans())
def test_R16_R18_every_pool_holds_after_any_history_and_after_all_of_it_is_voided(
    under: Terms, history: list[Step], is_voided: bool
) -> None:
    log = asyncio.run(played(under, history, is_voided=is_voided))
    first, last = log[0].recorded_at, log[-1].recorded_at
    run = reconcile(Question("op", UTC, first.date(), last.date(), None, last), told_of(log), None)
    assert run.breaks == ()
    assert run.asked_days
    for day in run.asked_days:
        assert day.holds
        split = day.split
        assert split.total_micro == split.paid_micro + split.displayed_micro + split.held_micro
        assert min(split.displayed_micro, split.held_micro) >= 0
        assert ElementTree.fromstring(waterfall(day, 2)).tag.endswith("svg")


async def played(under: Terms, history: list[Step], *, is_voided: bool) -> list[Recorded]:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
        if is_voided:
            await machine.void_all([3, 1, 2])
        return list(await machine.everything())
