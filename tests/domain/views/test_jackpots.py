from __future__ import annotations

from typing import Any

import pytest

from domain.money import MICRO
from domain.views.jackpots import pending_group, pending_micro, pool_key
from domain.wallets.events import VoidPolicy
from tests.domain.views.endings import PRIZE, cancel, facts_of, settle, void
from tests.domain.views.folds import folded, group
from tests.domain.views.plots import round_id, up_to_the_deal
from tests.domain.views.story import POOL, SIDE, Story

SEED = POOL.seed_minor * MICRO
SHARE = SIDE * POOL.increment_ppm


def pool_and_pending(story: Story) -> tuple[Any, int]:
    rows = folded("jackpots", facts_of(story.told))
    pool = rows[pool_key("J1")]
    return pool, pending_micro(pool, tuple(group(rows, pending_group("J1"))))


def open_round(story: Story) -> str:
    name = round_id(1)
    story.open_round("T1", name)
    return name


def test_S3_10_wagers_of_open_betting_are_pending_and_not_on_the_meter() -> None:
    story = Story().open_house()
    name = open_round(story)
    story.bet(name, "ann", 1)
    story.bet(name, "bob", 2)
    pool, pending = pool_and_pending(story)
    assert (pool.meter_micro, pending) == (SEED, 2 * SHARE)


def test_S3_10_at_the_close_what_was_pending_is_on_the_meter() -> None:
    story = Story().open_house()
    name = open_round(story)
    story.bet(name, "ann", 1)
    story.close(name)
    pool, pending = pool_and_pending(story)
    assert (pool.meter_micro, pool.reserve_micro, pending) == (SEED + SHARE, SIDE * POOL.reserve_ppm, 0)


def test_S0_34_an_undone_wager_is_pending_no_more() -> None:
    story = Story().open_house()
    name = open_round(story)
    action = story.bet(name, "ann", 1)
    story.bet(name, "bob", 2)
    story.undo(name, "ann", action)
    assert pool_and_pending(story)[1] == SHARE
    assert pool_and_pending(story)[0].meter_micro == SEED


@pytest.mark.parametrize("ending", [cancel, void])
def test_a_round_that_falls_while_betting_is_open_leaves_nothing_pending(ending: Any) -> None:
    story = Story().open_house()
    name = open_round(story)
    story.bet(name, "ann", 1)
    ending(story, name)
    assert pool_and_pending(story)[1] == 0


def test_wagers_without_a_pool_are_pending_nowhere() -> None:
    story = Story().open_house()
    story.open_round("T0", round_id(1))
    story.bet(round_id(1), "ann", None)
    rows = folded("jackpots", facts_of(story.told))
    assert set(rows) == {pool_key("J1")}


def test_bug_069_an_award_is_told_with_the_meter_as_its_turn_found_it() -> None:
    story = Story().open_house()
    name = up_to_the_deal(story, 1, "T1")
    settle(story, name, "ann")
    pool, _ = pool_and_pending(story)
    (award,) = pool.awards
    assert (award.player, award.prize_minor, award.voided) == ("ann", PRIZE, False)
    assert award.meter_before_micro == SEED + 2 * SHARE


def test_a_void_takes_the_contribution_back_and_marks_the_award() -> None:
    story = Story().open_house()
    name = up_to_the_deal(story, 1, "T1")
    settle(story, name, "ann")
    void(story, name, VoidPolicy.HOUSE_ABSORBS)
    pool, _ = pool_and_pending(story)
    assert (pool.meter_micro, pool.reserve_micro) == (SEED, 0)
    assert [one.voided for one in pool.awards] == [True]


def test_a_wager_whose_round_has_no_opening_in_the_log_stops_the_model() -> None:
    story = Story().open_house()
    story.tables[round_id(1)] = "T1"
    story.bet(round_id(1), "ann", 1)
    with pytest.raises(LookupError, match="opening of the event's round"):
        folded("jackpots", facts_of(story.told))
