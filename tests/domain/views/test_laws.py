"""What holds for every story, whatever happens in it."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.jackpots import decider as pools
from domain.jackpots.commands import Accrue
from domain.money import MICRO
from domain.rounds.events import Share
from domain.views import MODELS
from domain.views.balances import balance_key
from domain.views.jackpots import pool_key
from domain.views.model import time_text
from tests.domain.views.endings import facts_of
from tests.domain.views.folds import Rows, fold_into, folded, group
from tests.domain.views.plots import PLAYERS, one_of_everything, random_story, round_id
from tests.domain.views.story import POOL, Story

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
def test_I1_every_entry_of_the_journal_sums_to_zero_and_accounts_are_the_balances(seed: int) -> None:
    story = random_story(seed)
    facts = facts_of(story.told)
    sums: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    for line in folded("journal", facts).values():
        sums[line.account] += int(line.amount_micro)
        commands[line.command] += int(line.amount_micro)
    assert set(commands.values()) <= {0}
    for player in PLAYERS:
        wallet = story.wallets[player]
        assert sums[f"av/{player}"] == wallet.available_minor * 1_000_000
        assert sums[f"held/{player}"] == wallet.held_minor * 1_000_000
    pool = folded("jackpots", facts)[pool_key("J1")]
    assert (sums["m/J1"], sums["res/J1"]) == (pool.meter_micro, pool.reserve_micro)


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


def test_bug_065_a_contribution_of_0_005_is_kept_on_the_meter_and_in_the_journal() -> None:
    story = Story().open_house()
    assert story.pool is not None
    share = Share("w1", "ann", 1, 5_000, 0)
    for event in pools.decide(Accrue(round_id(1), (share,)), story.pool):
        story.pooled(event)
    facts = facts_of(story.told)
    assert folded("jackpots", facts)[pool_key("J1")].meter_micro == POOL.seed_minor * MICRO + 5_000
    lines = folded("journal", facts[-1:]).values()
    assert [(one.account, one.amount_micro) for one in lines] == [("m/J1", "5000"), ("CON/J1", "-5000")]


def test_the_journal_is_kept_by_the_day_in_utc() -> None:
    facts = facts_of(one_of_everything().told)
    days = {key.grp for key in folded("journal", facts)}
    assert days == {f"day/{time_text(fact.recorded_at)[:10]}" for fact in facts}
    assert days == {"day/2026-11-29"}


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_operators_with_the_same_ids_have_rows_of_their_own(seed: int) -> None:
    ours, theirs = random_story(seed).told, random_story(seed + 1, operator="other").told
    facts = facts_of(one for pair in zip_longest(ours, theirs) for one in pair if one is not None)
    for owner in ("demo", "other"):
        alone = [fact for fact in facts if fact.operator == owner]
        for name in MODELS:
            assert folded(name, facts, owner) == folded(name, alone, owner)
