"""Logs of the past are read whole, and add up to what they always did (F15)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from domain.streams import EVENT_TYPES
from domain.wallets.events import Deposited
from tests.golden.events.history import kept_hash, kinds, logs, read, state_hash


@pytest.mark.parametrize("path", logs(), ids=[path.stem for path in logs()])
def test_F15_a_log_of_the_past_adds_up_to_what_it_always_did(path: Path) -> None:
    assert state_hash(read(path)) == kept_hash(path)


def test_F15_the_golden_logs_hold_every_kind_of_event() -> None:
    assert set().union(*(kinds(read(path)) for path in logs())) == set(EVENT_TYPES)


def test_F15_one_minor_unit_more_is_another_state() -> None:
    events = read(logs()[0])
    last = max(n for n, one in enumerate(events) if isinstance(one.event, Deposited))
    event = events[last].event
    assert isinstance(event, Deposited)
    more = replace(
        event, amount_minor=event.amount_minor + 1, available_after_minor=event.available_after_minor + 1
    )  # fmt: skip
    with pytest.raises(AssertionError):
        state_hash([*events[:last], replace(events[last], event=more), *events[last + 1 :]])
    assert state_hash(events[: last + 1]) != state_hash([*events[:last], replace(events[last], event=more)])
