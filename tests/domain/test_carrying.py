"""Closing entries say all of a state: it follows from them alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import carrying
from domain.carrying import CARRIED, CARRIED_KINDS, carried, is_due
from domain.changing import replace
from domain.jackpots.decider import Pool
from domain.players import Player
from domain.seats.decider import Seat
from domain.streams import evolve
from domain.tables import Table
from domain.wallets.decider import Wallet
from tests.adapters.event_samples import sample, values_of

STREAMS: dict[str, type[Any]] = {"wallet": Wallet, "player": Player, "table": Table, "jackpot": Pool}


@pytest.mark.parametrize("kind", STREAMS)
@given(data=st.data())
def test_a_state_follows_from_its_closing_entry_alone(kind: str, data: st.DataObject) -> None:
    state, other = data.draw(values_of(STREAMS[kind])), data.draw(values_of(STREAMS[kind]))
    event = carried(state)
    assert isinstance(event, CARRIED)
    after = replace(state, version=state.version + 1) if isinstance(state, Pool) else state
    assert evolve(f"op/{kind}/x", None, event) == after
    assert evolve(f"op/{kind}/x", other, event) == after, "whatever was thought to stand before it"


def test_the_kinds_that_get_closing_entries_are_those_that_have_one() -> None:
    assert set(STREAMS) == CARRIED_KINDS
    assert {type(carried(sample(kind, full=True))) for kind in STREAMS.values()} == set(CARRIED)


def test_a_stream_that_ends_gets_none() -> None:
    assert carried(sample(Seat, full=True)) is None
    assert carried(None) is None


def test_a_closing_entry_is_due_at_every_five_hundredth_event() -> None:
    assert carrying.CARRY_EVERY == 500
    assert [version for version in range(1, 1_501) if is_due("op/wallet/ann", version)] == [500, 1_000, 1_500]
    assert not is_due("op/seat/r.ann", 500)
