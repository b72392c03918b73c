"""What holds for every story, whatever happens in it."""

from __future__ import annotations

from itertools import zip_longest
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.views import MODELS
from domain.views.balances import balance_key
from domain.views.model import RowKey
from tests.domain.views.endings import facts_of
from tests.domain.views.folds import Rows, fold_into, folded, group
from tests.domain.views.plots import PLAYERS, random_story

seeds = st.integers(0, 2**32)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_I6_rows_do_not_depend_on_how_the_log_is_cut_into_batches(seed: int) -> None:
    facts = facts_of(random_story(seed).told)
    cut = Random(seed).randint(0, len(facts))
    for model in MODELS.values():
        whole: Rows = fold_into(model, {}, facts)
        parts: Rows = fold_into(model, fold_into(model, {}, facts[:cut]), facts[cut:])
        assert parts == whole


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_a_row_is_looked_at_before_it_is_changed_or_is_made_at_the_position_of_its_event(seed: int) -> None:
    facts = facts_of(random_story(seed).told)
    for model in MODELS.values():
        rows: dict[RowKey, Any] = {}
        for fact in facts:
            if type(fact.event) in model.reads:
                keys = model.keys(fact)
                made = model.fold({key: rows.get(key) for key in keys}, fact)
                assert {key for key in made if key.key != fact.place} <= {*keys}
                rows.update(made)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_balances_are_those_of_the_wallets(seed: int) -> None:
    story = random_story(seed)
    rows = folded("balances", facts_of(story.told))
    for player in PLAYERS:
        row, wallet = rows[balance_key(player)], story.wallets[player]
        assert (row.available_minor, row.held_minor) == (wallet.available_minor, wallet.held_minor)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_S0_42_the_lines_of_an_account_add_up_to_what_is_available_and_on_game(seed: int) -> None:
    story = random_story(seed)
    rows = folded("histories", facts_of(story.told))
    for player in PLAYERS:
        total = sum(line.amount_minor for line in group(rows, f"line/{player}"))
        wallet = story.wallets[player]
        assert wallet.held_minor == 0  # every round of these stories is over
        assert total == wallet.available_minor


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_operators_with_the_same_ids_have_rows_of_their_own(seed: int) -> None:
    ours, theirs = random_story(seed).told, random_story(seed + 1, operator="other").told
    facts = facts_of(one for pair in zip_longest(ours, theirs) for one in pair if one is not None)
    for owner in ("demo", "other"):
        alone = [fact for fact in facts if fact.operator == owner]
        for name in MODELS:
            assert folded(name, facts, owner) == folded(name, alone, owner)
