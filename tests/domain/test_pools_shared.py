"""Awards shared by winners of one category, and the laws of every pool entry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.pools import (
    Balances,
    MultiWinnerPolicy,
    PrizeFunding,
    SharedPolicy,
    fixed_prize,
    percentage_prize,
    reset,
    shared_awards,
    shared_pool_part_minor,
    split,
)
from domain.rules import MeterPrize

FULL: SharedPolicy = MultiWinnerPolicy.FULL_TO_EACH
EQUAL: SharedPolicy = MultiWinnerPolicy.EQUAL_SPLIT
CEILING = POOL_MINOR_LIMIT * MICRO
WHOLE = MeterPrize(MICRO)
TENTH = MeterPrize(100_000)


def paid(
    meter_minor: int, prize: MeterPrize, policy: SharedPolicy, winners: int
) -> tuple[list[tuple[int, int]], Balances]:
    """Each award's prize and pool part, and the pool after the last."""
    awards = shared_awards(Balances(meter_minor * MICRO + 5), prize, policy, winners, CEILING)
    return [(award.prize_minor, award.pool_minor) for award in awards], awards[-1].after


def test_R11_full_to_each_pays_the_meter_to_each_and_the_pool_only_while_it_can() -> None:
    assert paid(1_000, WHOLE, FULL, 3) == ([(1_000, 1_000), (1_000, 0), (1_000, 0)], Balances(5))


def test_full_to_each_of_ten_percent_costs_the_pool_ten_percent_each() -> None:
    assert paid(1_000, TENTH, FULL, 3) == ([(100, 100)] * 3, Balances(700 * MICRO + 5))


def test_the_eleventh_full_tenth_is_paid_by_the_house() -> None:
    awards, after = paid(1_000, TENTH, FULL, 11)
    assert awards == [(100, 100)] * 10 + [(100, 0)]
    assert after == Balances(5)


def test_equal_split_gives_equal_whole_units_and_leaves_the_rest() -> None:
    assert paid(1_000, WHOLE, EQUAL, 3) == ([(333, 333)] * 3, Balances(1 * MICRO + 5))


def test_equal_split_of_a_floor_is_topped_up_by_the_house_at_the_end() -> None:
    awards, after = paid(1_000, MeterPrize(100_000, floor_minor=250), EQUAL, 2)
    assert awards == [(125, 100), (125, 0)]
    assert after == Balances(900 * MICRO + 5)


def test_full_to_each_below_the_floor_pays_the_floor_to_each() -> None:
    awards, after = paid(1_000, MeterPrize(100_000, floor_minor=250), FULL, 2)
    assert awards == [(250, 100), (250, 100)]
    assert after == Balances(800 * MICRO + 5)


def test_overflow_that_flows_in_between_shared_awards_raises_none_of_them() -> None:
    ceiling = 1_000 * MICRO
    awards = shared_awards(Balances(ceiling, 0, 400 * MICRO), TENTH, FULL, 2, ceiling)
    assert [award.prize_minor for award in awards] == [100, 100]
    assert [award.after for award in awards] == [Balances(ceiling, 0, 300 * MICRO), Balances(ceiling, 0, 200 * MICRO)]


policies = st.sampled_from([FULL, EQUAL])
prizes = st.builds(MeterPrize, st.integers(0, MICRO), st.integers(0, 10**8))
amounts = st.integers(0, CEILING)


@st.composite
def pools_below_ceilings(draw: st.DrawFn) -> tuple[Balances, int]:
    """A pool as its last entry left it, and its ceiling in micro-units."""
    ceiling = draw(amounts)
    return split(Balances(draw(amounts), draw(amounts), draw(amounts)), ceiling), ceiling


@given(amounts, prizes, policies)
def test_one_winner_alone_is_paid_as_in_turn(meter: int, prize: MeterPrize, policy: SharedPolicy) -> None:
    assert shared_awards(Balances(meter), prize, policy, 1, CEILING) == (
        percentage_prize(Balances(meter), prize, CEILING),
    )


@given(pools_below_ceilings(), prizes, policies, st.integers(1, 7))
def test_shared_awards_never_overdraw_the_pool_nor_pay_one_winner_less(
    pool: tuple[Balances, int], prize: MeterPrize, policy: SharedPolicy, winners: int
) -> None:
    before, ceiling = pool
    awards = shared_awards(before, prize, policy, winners, ceiling)
    last = awards[-1].after
    assert len({award.prize_minor for award in awards}) == 1
    assert all(0 <= award.pool_minor <= award.prize_minor for award in awards)
    assert min(last.meter_micro, last.overflow_micro) >= 0
    taken = before.meter_micro + before.overflow_micro - last.meter_micro - last.overflow_micro
    assert taken == sum(award.pool_minor for award in awards) * MICRO
    if policy is EQUAL:
        assert sum(award.pool_minor for award in awards) <= before.meter_micro // MICRO


@given(policies, st.integers(1, 7), amounts, amounts, st.integers(0, 10**10))
def test_what_the_pool_pays_grows_with_each_award_that_stands(
    policy: SharedPolicy, standing: int, share: int, rest: int, prize: int
) -> None:
    parts = [shared_pool_part_minor(policy, k, prize, share, share + rest) for k in (standing - 1, standing)]
    assert 0 <= parts[0] <= parts[1]


@given(pools_below_ceilings(), prizes, st.integers(0, 10**8), st.sampled_from(PrizeFunding))
def test_every_entry_keeps_the_sum_the_ceiling_and_the_fraction(
    pool: tuple[Balances, int], prize: MeterPrize, amount: int, funding: PrizeFunding
) -> None:
    before, ceiling = pool
    entries = [
        (award.after, -award.pool_minor)
        for award in (percentage_prize(before, prize, ceiling), fixed_prize(before, amount, funding, ceiling))
    ]
    restart = reset(before, amount, ceiling)
    entries.append((restart.after, restart.house_minor))
    for after, change_minor in entries:
        assert total(after) - total(before) == change_minor * MICRO
        assert after == split(after, ceiling)
        assert min(after.meter_micro, after.reserve_micro, after.overflow_micro) >= 0


def total(pool: Balances) -> int:
    return pool.meter_micro + pool.reserve_micro + pool.overflow_micro


@pytest.mark.parametrize("winners", [1, 2, 3, 7])
def test_a_void_of_each_shared_award_gives_the_pool_back_all_that_it_paid(winners: int) -> None:
    awards = shared_awards(Balances(1_000 * MICRO), MeterPrize(MICRO, 5_000), EQUAL, winners, CEILING)
    share, meter, each = 1_000, 1_000, awards[0].prize_minor
    given_back = [
        shared_pool_part_minor(EQUAL, left, each, share, meter)
        - shared_pool_part_minor(EQUAL, left - 1, each, share, meter)
        for left in range(winners, 0, -1)
    ]
    assert sum(given_back) == sum(award.pool_minor for award in awards)
