"""What a model says to be by player is: a rebuild folds the events of different players in different processes."""

from __future__ import annotations

from typing import Any

import pytest

from domain.ids import player_of_stream
from domain.views import MODELS
from domain.views.model import Model, RowKey
from tests.domain.views.endings import facts_of
from tests.domain.views.plots import one_of_everything, random_story

BY_PLAYER = [one for one in MODELS.values() if one.by_player]


def test_balances_and_histories_can_be_folded_player_by_player() -> None:
    assert [one.name for one in BY_PLAYER] == ["balances", "histories"]


@pytest.mark.parametrize("model", BY_PLAYER, ids=lambda one: one.name)
def test_a_row_that_an_event_by_player_looks_at_is_of_that_player_alone(model: Model[Any]) -> None:
    of: dict[RowKey, str | None] = {}
    for story in (one_of_everything(), random_story(31, rounds=20)):
        of.clear()
        for fact in facts_of(story.told):
            if type(fact.event) in model.reads:
                is_by_player = type(fact.event) in model.by_player
                player = player_of_stream(fact.stream) if is_by_player else None
                assert not is_by_player or player == getattr(fact.event, "player")  # noqa: B009  # the type of the union has no such attribute
                for key in model.keys(fact):
                    assert of.setdefault(key, player) == player
        assert len({*of.values()}) > 3
