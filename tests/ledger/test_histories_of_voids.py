"""Laws over histories, told of what follows them: wager by wager, a review and its end, a wrong showdown put right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.ledger.test_histories import histories, orders, settled_up, steps
from tests.ledger.untouched import standing, with_players_whole
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_terms

ENDS = st.sampled_from([VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS])


@histories(120)
@given(any_terms, steps, orders, st.sampled_from(VoidPolicy))
def test_voiding_wager_by_wager_in_any_order_ends_as_voiding_the_round(
    under: Terms, history: list[Step], picks: list[int], policy: VoidPolicy
) -> None:
    asyncio.run(wager_by_wager(under, history, picks, policy))


async def wager_by_wager(under: Terms, history: Sequence[Step], picks: Sequence[int], policy: VoidPolicy) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
    for round_id in machine.rounds[-3:]:
        async with await machine.fork() as at_once, await machine.fork() as slowly:
            if not await at_once.attempt(at_once.voiding(round_id, policy)):
                continue
            await piecemeal(slowly, round_id, picks, policy)
            assert settled_up(slowly, policy) == settled_up(at_once, policy)


async def piecemeal(machine: Machine, round_id: str, picks: Sequence[int], policy: VoidPolicy) -> None:
    """Void what stands, one spot at a time; while betting is open there is only the whole."""
    for pick in range(100):
        wagers = [one.wager for seat in machine.seats_of(round_id) for one in seat.wagers]
        if not wagers:
            return
        named = wagers[picks[pick % len(picks)] % len(wagers)]
        if not await machine.attempt(machine.voiding(round_id, policy, wagers=(named,))):
            await machine.attempt(machine.voiding(round_id, policy))
    raise AssertionError("a void takes a wager away")


@histories(80)
@given(any_terms, steps, st.integers(0, 30), ENDS)
def test_hold_for_review_and_then_a_policy_ends_as_that_policy_at_once(
    under: Terms, history: list[Step], pick: int, policy: VoidPolicy
) -> None:
    asyncio.run(held_and_resolved(under, history, pick, policy))


async def held_and_resolved(under: Terms, history: Sequence[Step], pick: int, policy: VoidPolicy) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
    if not machine.rounds:
        return
    round_id = machine.rounds[pick % len(machine.rounds)]
    async with await machine.fork() as at_once, await machine.fork() as later:
        await at_once.attempt(c.Resolve(round_id, policy))
        await at_once.attempt(at_once.voiding(round_id, policy))
        await later.attempt(later.voiding(round_id, VoidPolicy.HOLD_FOR_REVIEW))
        await later.attempt(c.Resolve(round_id, policy))
        ends = [standing(one.books.balances()) for one in (at_once, later)]
        if policy is VoidPolicy.HOUSE_ABSORBS:
            ends = [with_players_whole(one) for one in ends]
        assert ends[0] == ends[1]


@histories(80)
@given(any_terms, steps, st.lists(st.integers(0, 215), min_size=2, max_size=4))
def test_the_last_of_several_resettlements_counts(under: Terms, history: list[Step], picks: list[int]) -> None:
    asyncio.run(resettled_at_length(under, history, picks))


async def resettled_at_length(under: Terms, history: Sequence[Step], picks: Sequence[int]) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
    for round_id in machine.rounds[-2:]:
        async with await machine.fork() as at_once, await machine.fork() as slowly:
            last = at_once.resettling(round_id, picks[-1], VoidPolicy.CLAW_BACK)
            if not await at_once.attempt(last):
                continue
            for pick in picks:
                await slowly.attempt(slowly.resettling(round_id, pick, VoidPolicy.CLAW_BACK))
            assert without_marks(slowly) == without_marks(at_once)
            await at_once.void_all([0])
            await slowly.void_all([0])
            assert standing(at_once.books.balances()) == standing(slowly.books.balances())


def without_marks(machine: Machine) -> dict[str, int]:
    """The standing accounts; the prize of each resettlement has another name."""
    return {
        name.rpartition(":")[0] if name.startswith("pay/") else name: micro
        for name, micro in standing(machine.books.balances()).items()
    }
