"""A round is replayed under the rules that it names, and its money is booked under them (F21, S0-15)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.rounds.events import RoundOpened
from domain.seats.events import SeatResettled, SeatSettled, SeatVoided
from services.ports import Recorded
from services.replay.checking import check
from services.replay.scanning import RoundKey, rounds_in
from tests.support.evening import evening
from tests.support.replayed import stories_of


def _changed(kind: type[Any], **more: Any) -> tuple[Recorded, list[Recorded]]:
    """The last event of a class, and the log with it changed."""
    made = list(evening().events)
    one = [one for one in made if isinstance(one.event, kind)][-1]
    made[one.position - 1] = replace(one, event=replace(one.event, **more))
    return one, made


def _differing(log: list[Recorded]) -> list[tuple[int, str, str]]:
    return [(one.position, one.kind, one.what) for story in stories_of(log) for one in check(story).differences]


@pytest.mark.parametrize("kind", [SeatSettled, SeatResettled, SeatVoided])
def test_F21_money_that_is_booked_under_another_rule_set_or_currency_is_found(kind: type[Any]) -> None:
    one, made = _changed(kind, ruleset="dollar-jackpot-v1", currency="JPY")
    found = [(position, kind) for position, kind, _ in _differing(made)]
    assert found == [(one.position, "RULES"), (one.position, "RULES")]


def test_F21_a_round_under_a_rule_set_with_another_hash_is_found_at_its_opening() -> None:
    like = next(one.event for one in evening().events if isinstance(one.event, RoundOpened))
    one, made = _changed(RoundOpened, terms=replace(like.terms, ruleset_hash="0" * 64))
    assert _differing(made)[0] == (one.position, "RULES", "hash of the rule set")


def test_rows_that_tell_no_round_are_passed_over_when_rounds_are_gathered() -> None:
    rows = [
        (1, "no stream", 1, "wallet.x.v1", b"{}"), (2, "op/wallet/ann", 1, "wallet.x.v1", b'{"round":"cut'),
        (3, "op/wallet/ann", 2, "wallet.x.v1", b'{"round":"\xff"}'), (4, "", 1, "x", b""),
    ]  # fmt: skip
    found: dict[RoundKey, Any] = rounds_in(rows, lambda _: None, lambda *_: True, 10)
    assert found == {}
