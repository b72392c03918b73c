"""Arithmetic of a pool: prizes, resets and the ceiling (ledger, "Postings" and "Pools")."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest

from domain.errors import Invalid
from domain.hands import Category
from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.pools import (
    Balances,
    PrizeFunding,
    contribute,
    fixed_prize,
    percentage_prize,
    refuse_oversized,
    reset,
    split,
)
from domain.rules import MeterPrize, prize_for
from domain.variants import ruleset
from tests.domain.showdowns import DOLLAR, LAND

CASES = Path(__file__).parent.parent / "golden" / "cases" / "meter-subcent.jsonl"
CEILING = POOL_MINOR_LIMIT * MICRO
WHOLE = MeterPrize(MICRO)
TENTH = MeterPrize(100_000)


class SubcentCase(TypedDict):
    """A meter before and after one award, in micro-units."""

    id: str
    ruleset: str
    hand: str
    meter_micro_before: int
    reset: int
    award: int
    meter_micro_after: int


def subcent_cases() -> list[SubcentCase]:
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", subcent_cases(), ids=lambda case: case["id"])
def test_R9_an_award_takes_whole_minor_units_and_leaves_the_fraction(case: SubcentCase) -> None:
    prize = prize_for(ruleset(case["ruleset"]), Category(case["hand"]))
    assert isinstance(prize, MeterPrize)
    award = percentage_prize(Balances(case["meter_micro_before"]), prize, CEILING)
    after = reset(award.after, case["reset"], CEILING).after if prize.takes_all else award.after
    assert award.prize_minor == case["award"]
    assert after == Balances(case["meter_micro_after"])


def test_the_given_meters_cover_both_prizes_of_both_pools() -> None:
    kinds = {(case["ruleset"], case["hand"]) for case in subcent_cases()}
    assert kinds == {(name, hand) for name in (DOLLAR, LAND) for hand in ("ROYAL_FLUSH", "STRAIGHT_FLUSH")}


def test_ten_percent_is_floored_once_from_the_exact_meter() -> None:
    award = percentage_prize(Balances(10 * MICRO - 1), TENTH, CEILING)
    assert (award.prize_minor, award.after) == (0, Balances(10 * MICRO - 1))
    award = percentage_prize(Balances(19 * MICRO + 999_999), TENTH, CEILING)
    assert (award.prize_minor, award.after) == (1, Balances(18 * MICRO + 999_999))


def test_C21_below_the_floor_the_pool_pays_its_share_and_the_house_the_rest() -> None:
    award = percentage_prize(Balances(5_000_000 * MICRO + 7), MeterPrize(100_000, 1_000_000), CEILING)
    assert (award.prize_minor, award.pool_minor, award.house_minor) == (1_000_000, 500_000, 500_000)
    assert award.after == Balances(4_500_000 * MICRO + 7)


def test_C21_a_royal_on_a_low_meter_takes_it_all_and_the_house_tops_up() -> None:
    award = percentage_prize(Balances(9_999_999 * MICRO), MeterPrize(MICRO, 10_000_000), CEILING)
    assert (award.prize_minor, award.pool_minor, award.house_minor) == (10_000_000, 9_999_999, 1)
    assert award.after == Balances(0)


def test_a_fixed_prize_of_the_house_leaves_the_pool_alone() -> None:
    pool = Balances(1_000 * MICRO + 5, 3, 0)
    award = fixed_prize(pool, 5_000, PrizeFunding.HOUSE, CEILING)
    assert (award.pool_minor, award.house_minor, award.after) == (0, 5_000, pool)


@pytest.mark.parametrize(("meter", "from_pool"), [(10_000, 5_000), (5_000, 5_000), (4_999, 4_999), (0, 0)])
def test_a_fixed_prize_of_the_pool_takes_at_most_the_whole_units_of_its_meter(meter: int, from_pool: int) -> None:
    award = fixed_prize(Balances(meter * MICRO + 999_999), 5_000, PrizeFunding.POOL, CEILING)
    assert (award.prize_minor, award.pool_minor, award.house_minor) == (5_000, from_pool, 5_000 - from_pool)
    assert award.after == Balances((meter - from_pool) * MICRO + 999_999)


@pytest.mark.parametrize(("reserve", "from_reserve"), [(0, 0), (400, 400), (1_000, 1_000), (2_000, 1_000)])
def test_the_reserve_pays_whole_units_of_a_reset_and_the_house_the_rest(reserve: int, from_reserve: int) -> None:
    done = reset(Balances(7, reserve * MICRO + 999_999), 1_000, CEILING)
    assert (done.reserve_minor, done.house_minor) == (from_reserve, 1_000 - from_reserve)
    assert done.after == Balances(1_000 * MICRO + 7, (reserve - from_reserve) * MICRO + 999_999)


def test_R13_contributions_above_the_ceiling_wait_in_the_overflow() -> None:
    pool = contribute(Balances(90, 0, 0), 25, 3, ceiling_micro=100)
    assert pool == Balances(100, 3, 15)
    assert contribute(pool, 5, 0, ceiling_micro=100) == Balances(100, 3, 20)


def test_overflow_flows_in_as_soon_as_a_prize_makes_room() -> None:
    ceiling = 100 * MICRO
    award = percentage_prize(Balances(ceiling, 0, 4 * MICRO), TENTH, ceiling)
    assert award.prize_minor == 10
    assert award.after == Balances(94 * MICRO, 0, 0)


def test_overflow_comes_on_top_of_a_reset_up_to_the_ceiling() -> None:
    ceiling = 100 * MICRO
    award = percentage_prize(Balances(ceiling, 0, 95 * MICRO), WHOLE, ceiling)
    assert (award.prize_minor, award.after) == (100, Balances(95 * MICRO, 0, 0))
    assert reset(award.after, 10, ceiling).after == Balances(ceiling, 0, 5 * MICRO)


def test_a_raised_ceiling_lets_overflow_in_at_once() -> None:
    assert split(Balances(100, 0, 50), ceiling_micro=120) == Balances(120, 0, 30)


@pytest.mark.parametrize("account", ["meter", "reserve", "overflow"])
def test_an_account_that_would_pass_nine_thousand_million_units_is_refused_by_name(account: str) -> None:
    def pool(amount_micro: int) -> Balances:
        amounts = {"meter_micro": 0} | {f"{account}_micro": amount_micro}
        return Balances(**amounts)

    refuse_oversized(pool(CEILING))
    with pytest.raises(Invalid) as refused:
        refuse_oversized(pool(CEILING + 1))
    assert refused.value.field == account


def test_bug_030_a_thousand_contributions_of_a_fraction_are_exact() -> None:
    pool = Balances(0)
    for _ in range(1_000):
        pool = contribute(pool, 50 * 30_000, 0, CEILING)
    assert pool == Balances(1_500 * MICRO)


def test_bug_031_one_per_cent_of_one_minor_unit_is_carried_below_the_unit_and_never_taken_for_nothing() -> None:
    pool = Balances(0)
    for nth in range(1, 101):
        pool = contribute(pool, 1 * 10_000, 0, CEILING)
        assert (pool.meter_micro, pool.meter_micro // MICRO) == (nth * 10_000, nth // 100)
