"""A range under another rule set: the difference per player, day and pool; nothing changed, all assumed said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from domain.money import MICRO
from domain.rounds.events import ShowdownHeld
from domain.variants import RULESETS
from services.replay.checking import check
from services.replay.counterfactual import ASSUMED, DayKey, Otherwise, PlayerKey, PoolKey
from services.replay.range_answer import answer_of
from services.replay.ranging import Tally
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.evening import evening
from tests.support.replayed import stories_of

UTC = ZoneInfo("UTC")


def under(name: str, *rounds: str, zone: ZoneInfo = UTC) -> Otherwise:
    """Some rounds of the evening under a rule set."""
    found = Otherwise()
    for story in stories_of(evening().events):
        if story.round in {evening().rounds[one] for one in rounds}:
            found.add(story, check(story), name, zone)
    return found


def nets(found: Otherwise) -> dict[str, tuple[int, int]]:
    return {key.player: (one.recorded_minor, one.other_minor) for key, one in found.players.items()}


def test_under_its_own_rule_set_a_round_is_what_it_was() -> None:
    for name, ruleset in (("awards", EURO), ("part", DOLLAR), ("side", LIVE), ("resettled", EURO), ("waiting", LAND)):
        found = under(ruleset, name)
        assert found.rounds == 1
        assert all(recorded == other for recorded, other in nets(found).values()), name
        for pool in found.pools.values():
            assert (pool.contributed_micro, pool.paid_micro) == (pool.contributed_other_micro, pool.paid_other_micro)


def test_other_pay_tables_and_prizes_give_other_nets() -> None:
    """bob calls 10.00 with a flush and 0.50 on the progressive: 6 to 1 and 15.00 here, 5 to 1 and 50.00 there."""
    bob = nets(under(DOLLAR, "awards"))["bob"]
    assert bob == (1_000 + 6 * 2_000 + 1_500 - 50, 1_000 + 5 * 2_000 + 5_000 - 50)


def test_a_side_wager_that_the_other_rule_set_lacks_counts_as_not_placed() -> None:
    found = under(LIVE, "awards")
    assert nets(found)["cyd"] == (-1_050, -1_000)
    pool = found.pools[PoolKey("op", "euro", "EUR")]
    assert (pool.contributed_micro, pool.contributed_other_micro) == (3 * 50 * 450_000, 0)
    assert (pool.paid_micro // MICRO, pool.paid_other_micro) == (100_060, 0)


def test_one_hand_for_all_is_settled_seat_by_seat_where_each_has_its_own() -> None:
    """ann has 15.00 down and calls, the dealer does not qualify; the 5+1 that won is not there."""
    assert nets(under(LAND, "side")) == {"ann": (1_500 + 7 * 500, 1_500), "bob": (-1_000 - 500 + 4_000, -1_000)}


def test_voided_and_cancelled_rounds_are_left_out_and_voided_wagers_stay_so() -> None:
    found = under(LIVE, "voided", "before", "cancelled")
    assert (found.rounds, found.left_out, found.players) == (0, 3, {})
    assert "u-ann" in nets(under(DOLLAR, "part"))


def test_days_are_gaming_days_of_the_zone_and_count_each_round_once() -> None:
    found = under(EURO, "awards", "absent", zone=ZoneInfo("America/New_York"))
    assert list(found.days) == [DayKey("op", date(2026, 1, 1), "EUR")]
    assert found.days[DayKey("op", date(2026, 1, 1), "EUR")].rounds == 2


def test_parts_merge_to_the_whole() -> None:
    names = ("awards", "side", "absent", "resettled", "shuffled", "before")
    whole, parts = under(DOLLAR, *names), Otherwise()
    for name in names:
        parts.merge(under(DOLLAR, name))
    assert parts == whole


def test_the_answer_says_what_is_assumed_and_what_differs() -> None:
    found = answer_of(Tally(), under(DOLLAR, "awards"), DOLLAR, is_listed=False)
    assert found.listed is None
    assert found.under_other is not None
    assert found.under_other.assumed == ASSUMED
    bob = next(one for one in found.under_other.players if one.player == "bob")
    assert bob.difference == bob.other - bob.recorded == 1_500
    (pool,) = found.under_other.pools
    assert pool.difference_micro == "0"  # the flush and the royal are paid as before by house and meter


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_whole_evening_can_be_played_under_any_rule_set(ruleset: str) -> None:
    found = under(ruleset, *evening().rounds)
    assert found.rounds + found.left_out == len(evening().rounds)
    assert PlayerKey("op", "ann", "EUR") in found.players


def test_a_round_that_is_none_of_a_game_is_left_out() -> None:
    story = next(one for one in stories_of(evening().events) if one.round == evening().rounds["awards"])
    at, shown = story.all_of(ShowdownHeld)[0]
    twice = replace(shown, cards=replace(shown.cards, dealer=("As",) * 5))
    events = tuple((name, replace(one, event=twice) if one.position == at else one) for name, one in story.events)
    forged = replace(story, events=events)
    found, verdict = Otherwise(), check(forged)
    found.add(forged, verdict, DOLLAR, UTC)
    assert (found.rounds, found.left_out, found.players) == (0, 1, {})
    assert any("refuses" in one.what for one in verdict.differences)
