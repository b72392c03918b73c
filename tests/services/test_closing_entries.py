"""Closing entries: where they stand, what they leave alone, and how a wrong one is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from domain.carrying import CARRIED, CARRIED_KINDS
from domain.ids import stream_kind
from domain.jackpots.events import Awarded, PoolCarried
from domain.money import MICRO
from domain.players import PlayerCarried
from domain.rounds.events import ShowdownHeld
from domain.tables import TableCarried
from domain.wallets.events import WalletCarried
from services import commands as c
from services.laws import Breach, Laws
from services.ports import Recorded
from tests.domain.showdowns import LAND
from tests.ledger.prizes import opened
from tests.support.cards import FLUSH, HIGH, ROYAL, hand
from tests.support.casino import Casino, Play

EVERY = 3


@pytest.fixture(autouse=True)
def closing_entries_are_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.carrying.CARRY_EVERY", EVERY)


async def told() -> Sequence[Recorded]:
    """Rounds with several awards of one pool, a void, a resettlement, and a house that starts again."""
    async with Casino() as casino:
        await opened(casino, LAND)
        both = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(FLUSH, 2)), "cas": Play(3, hand(ROYAL, 3))}
        first = await casino.played("t", both)
        await casino.throw_away()
        again = await casino.played("t", both)
        await casino.void(first)
        await casino.resettle(again, {1: hand(FLUSH, 1), 2: hand(HIGH, 2), 3: hand(FLUSH, 3)})
        await casino.throw_away()
        await casino.void(again)
        await casino.disable(c.Scope.PLAYER, "ann")
        await casino.enable(c.Scope.PLAYER, "ann")
        return await casino.everything()


def breaches(log: Sequence[Recorded]) -> list[Breach]:
    laws = Laws()
    for one in log:
        laws.take(one)
    return laws.finish()


def by_stream(log: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    found: dict[str, list[Recorded]] = {}
    for one in log:
        found.setdefault(one.stream, []).append(one)
    return found


async def test_a_closing_entry_follows_the_command_that_made_one_due_and_no_other() -> None:
    log = await told()
    for stream, events in by_stream(log).items():
        for _, group in groupby(events, key=lambda one: one.meta.causation):
            *others, last = group
            made = [one for one in (*others, last) if not isinstance(one.event, CARRIED)]
            is_due = stream_kind(stream) in CARRIED_KINDS and any(one.version % EVERY == 0 for one in made)
            assert isinstance(last.event, CARRIED) == is_due, last
            assert len(made) == len(others) + (not is_due), "one at most, after all else"


async def test_a_closing_entry_belongs_to_the_last_entry_of_its_command() -> None:
    log = await told()
    for _, group in groupby(log, key=lambda one: one.meta.causation):
        events = list(group)
        others = [one.entry for one in events if not isinstance(one.event, CARRIED)]
        assert {one.entry for one in events if isinstance(one.event, CARRIED)} <= {others[-1]}


async def test_awards_stand_in_the_pools_stream_where_the_round_says() -> None:
    log = await told()
    awards = {one.event.award: one.version for one in log if isinstance(one.event, Awarded)}
    said = {award.award: award.turn for one in log if isinstance(one.event, ShowdownHeld) for award in one.event.awards}
    assert said == awards
    assert len(awards) == 6


async def test_a_log_that_nobody_touched_breaks_no_law() -> None:
    log = await told()
    assert {type(one.event) for one in log} >= set(CARRIED)
    assert breaches(log) == []


WRONG: dict[str, tuple[type[Any], Callable[[Any], Any], str]] = {
    "available": (
        WalletCarried,
        lambda one: replace(one, available_after_minor=one.available_after_minor + 1),
        "available_after_minor",
    ),
    "on game": (WalletCarried, lambda one: replace(one, on_game=(("r", 1),)), "on_game"),
    "meter": (
        PoolCarried,
        lambda one: replace(one, balances=replace(one.balances, meter_micro=one.balances.meter_micro + MICRO)),
        "balances",
    ),
    "version": (PoolCarried, lambda one: replace(one, version=one.version - 1), "version"),
    "disabled": (PlayerCarried, lambda one: replace(one, disabled=not one.disabled), "disabled"),
    "round": (TableCarried, lambda one: replace(one, last_round="other"), "last_round"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_F21_a_closing_entry_that_says_something_else_is_found_at_its_position(name: str) -> None:
    kind, change, field = WRONG[name]
    log = list(await told())
    at = next(nth for nth, one in enumerate(log) if isinstance(one.event, kind))
    log[at] = replace(log[at], event=change(log[at].event))
    (found,) = breaches(log)
    assert found.position == log[at].position
    assert found.law.startswith(f"{log[at].stream}: a closing entry says {field} "), found


async def test_F21_a_stream_that_begins_with_a_closing_entry_is_found() -> None:
    log = list(await told())
    at = next(nth for nth, one in enumerate(log) if isinstance(one.event, WalletCarried))
    forged = replace(log[at], stream="op/wallet/eve", version=1, event=replace(log[at].event, player="eve"))
    assert breaches([*log[:at], forged]) == [
        Breach(forged.position, "op/wallet/eve: a closing entry, and nothing before it")
    ]
