"""The lines of the journal, event by event."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.flows import postings
from domain.jackpots import decider as pools
from domain.jackpots.commands import Accrue
from domain.money import MICRO
from domain.rounds.events import Share
from domain.views.jackpots import pool_key
from domain.views.model import time_text
from services.queries.journal import lines_of
from tests.domain.views.endings import facts_of
from tests.domain.views.folds import folded
from tests.domain.views.plots import PLAYERS, one_of_everything, random_story, round_id, up_to_the_deal
from tests.domain.views.story import DECK, POOL, SEALED, Story
from tests.support.journal import journal_of, recorded_of

seeds = st.integers(0, 2**32)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_I1_every_entry_of_the_journal_sums_to_zero_and_accounts_are_the_balances(seed: int) -> None:
    story = random_story(seed)
    sums: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    for line in journal_of(story):
        sums[line.account] += int(line.amount_micro)
        commands[line.command] += int(line.amount_micro)
    assert set(commands.values()) == {0}
    for player in PLAYERS:
        wallet = story.wallets[player]
        assert sums[f"av/{player}"] == wallet.available_minor * 1_000_000
        assert sums[f"held/{player}"] == wallet.held_minor * 1_000_000
    pool = folded("jackpots", facts_of(story.told))[pool_key("J1")]
    assert (sums["m/J1"], sums["res/J1"]) == (pool.meter_micro, pool.reserve_micro)


def test_bug_065_a_contribution_of_0_005_is_kept_on_the_meter_and_in_the_journal() -> None:
    story = Story().open_house()
    assert story.pool is not None
    share = Share("w1", "ann", 1, 5_000, 0)
    for event in pools.decide(Accrue(round_id(1), (share,)), story.pool):
        story.pooled(event)
    facts = facts_of(story.told)
    assert folded("jackpots", facts)[pool_key("J1")].meter_micro == POOL.seed_minor * MICRO + 5_000
    lines = lines_of(recorded_of(story)[-1])
    assert [(one.account, one.amount_micro) for one in lines] == [("m/J1", "5000"), ("CON/J1", "-5000")]


def test_a_line_says_which_event_of_which_command_it_is_of_and_when() -> None:
    story = one_of_everything()
    for one, named in zip(story.told, recorded_of(story), strict=True):
        lines = lines_of(named)
        assert [(line.account, line.currency, int(line.amount_micro)) for line in lines] == [
            (line.account, line.currency, line.amount_micro) for line in postings(one.event)
        ]
        assert [line.line for line in lines] == list(range(len(lines)))
        for line in lines:
            assert (line.at, line.command, line.entry) == (time_text(one.at), f"c-{one.command}", one.entry)
            assert (line.event, line.stream, line.position) == (named[0], one.stream, named[1].position)
            assert line.round == getattr(one.event, "round", None)
            assert line.transaction_id == getattr(one.event, "transaction_id", None)


def test_F32_no_line_of_the_journal_shows_a_hidden_card() -> None:
    story = Story().open_house()
    up_to_the_deal(story, 1, "T1")
    text = str(journal_of(story))
    assert SEALED not in text
    assert not [card for card in DECK if f"'{card}'" in text]
