"""Closing entries change nothing: a history with one after every few events is the history without them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from domain.carrying import CARRIED, CARRIED_KINDS
from domain.changing import replace
from domain.ids import stream_kind
from domain.jackpots.decider import Pool
from domain.streams import State, evolve
from domain.views import MODELS
from services.ports import Recorded
from tests.domain.views.folds import folded
from tests.ledger.test_histories import all_voided, histories, orders, steps
from tests.support.counter import OPERATOR
from tests.support.machine import Machine, Step, Terms
from tests.support.memory_log import MemoryLog
from tests.support.strategies import any_terms
from tests.support.views import facts_of

often = st.integers(2, 5)
NEVER = 10**9


@histories(60)
@given(any_terms, steps, orders, often)
def test_every_law_holds_with_closing_entries_everywhere(
    under: Terms, history: list[Step], order: list[int], every: int
) -> None:
    with patch("domain.carrying.CARRY_EVERY", every):
        asyncio.run(all_voided(under, history, order))


@histories(60)
@given(any_terms, steps, orders, often)
def test_a_history_with_closing_entries_is_the_same_but_for_them(
    under: Terms, history: list[Step], order: list[int], every: int
) -> None:
    plain = asyncio.run(played(under, history, order, NEVER))
    carried = asyncio.run(played(under, history, order, every))
    assert [one for one in plain.log if isinstance(one.event, CARRIED)] == []
    grown = {one.stream for one in plain.log if one.version >= every and stream_kind(one.stream) in CARRIED_KINDS}
    assert {one.stream for one in carried.log if isinstance(one.event, CARRIED)} == grown
    assert said(carried.log) == said(plain.log)
    assert carried.answers == plain.answers
    assert carried.accounts == plain.accounts


class Played:
    """What a history left: its log, what was answered, and every account."""

    def __init__(self, machine: Machine, log: Sequence[Recorded]) -> None:
        self.log = log
        self.answers = [told(json.dumps(json.loads(result.body))) for _, result in machine.served]
        self.accounts = machine.books.standing()


async def played(under: Terms, history: Sequence[Step], order: Sequence[int], every: int) -> Played:
    with patch("domain.carrying.CARRY_EVERY", every):
        async with Machine(under) as machine:
            await machine.furnish()
            await machine.run(history)
            await machine.void_all(order)
            log = await machine.everything()
            read_models_pass_over_closing_entries(log)
            loaded_as_folded(machine, log)
            return Played(machine, log)


def read_models_pass_over_closing_entries(log: Sequence[Recorded]) -> None:
    facts = facts_of(log)
    for model in MODELS:
        others = [one for one in facts if not isinstance(one.event, CARRIED)]
        assert folded(model, facts, OPERATOR) == folded(model, others, OPERATOR), model


def loaded_as_folded(machine: Machine, log: Sequence[Recorded]) -> None:
    """Each stream from its newest closing entry on adds up to what all of it does."""
    assert isinstance(machine.log, MemoryLog)
    whole: dict[str, State] = {}
    for one in log:
        known = whole.get(one.stream)
        if not isinstance(one.event, CARRIED):
            whole[one.stream] = evolve(one.stream, known, one.event)
        elif isinstance(known, Pool):
            whole[one.stream] = replace(known, version=one.version)  # a closing entry too has its number
    for stream in machine.books.states:
        state: State | None = None
        events = machine.log.of_streams([stream], ())
        assert events[0].version == 1 or isinstance(events[0].event, CARRIED)
        for one in events:
            state = evolve(stream, state, one.event)
        assert state == machine.books.states[stream][0]
        assert state == whole[stream]


def said(log: Sequence[Recorded]) -> list[tuple[str, str, int, str]]:
    """All but the closing entries, without the numbers of places in the log and in streams."""
    return [
        (told(one.stream), one.meta.causation, one.entry, told(repr(one.event)))
        for one in log
        if not isinstance(one.event, CARRIED)
    ]


def told(text: str) -> str:
    """A text without numbers of places; the machine names transactions after them."""
    text = re.sub(r"\b(turn|version)=\d+", r"\1", text)
    text = re.sub(r'"(position|turn)": \d+', r"\1", text)
    return re.sub(r"\b[dw]\d+\b", "transaction", text)
