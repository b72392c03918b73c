"""One row, one test: prizes of a pool (docs/ledger.md, Postings: fixed prize, 10 % and 100 %, shared, reset, hand-pay).

Z is a prize, p what the pool pays of it, M the whole minor units on the meter, f a floor. Pools open at 1,000.00.
Each round gives 40 % of its stakes first: 0.20 a seat at the euro table, 0.40 at the dollar tables.
"""

from __future__ import annotations

import pytest

from domain.pools import PrizeFunding
from tests.domain.showdowns import DOLLAR, EURO, LAND
from tests.ledger.prizes import awards, folding, opened
from tests.support.cards import FLUSH, HIGH, ROYAL, STRAIGHT_FLUSH
from tests.support.casino import Casino
from tests.support.entries import posted, table


async def test_seed(casino: Casino) -> None:
    await casino.jackpot("gold", EURO, seed_minor=25_000)
    assert posted(casino) == [
        table("""
            FUND/gold/SEED    -25_000
            m/gold            +25_000
        """)
    ]


async def test_fixed_prize_by_the_house(casino: Casino) -> None:
    await opened(casino, EURO)
    assert await awards(casino, folding(ann=FLUSH)) == [
        table("""
            FUND/gold/FIXED_PRIZE    -1_500
            av/ann                   +1_500
        """)
    ]


async def test_fixed_prize_by_the_pool(casino: Casino) -> None:
    await opened(casino, EURO, fixed_prize_funding=PrizeFunding.POOL)
    assert await awards(casino, folding(ann=FLUSH)) == [
        table("""
            m/gold    -1_500
            av/ann    +1_500
        """)
    ]


async def test_fixed_prize_by_the_pool_pays_the_whole_units_on_the_meter_and_the_house_the_rest(casino: Casino) -> None:
    await opened(casino, EURO, fixed_prize_funding=PrizeFunding.POOL, seed_minor=999, increment_ppm=410_000)
    assert await awards(casino, folding(ann=FLUSH)) == [
        table("""
            m/gold                   -1_019
            FUND/gold/FIXED_PRIZE      -481
            av/ann                   +1_500
        """)
    ]
    assert casino.books.balance("m/gold") == 500_000


async def test_10_percent_takes_whole_units_and_leaves_the_fraction(casino: Casino) -> None:
    await opened(casino, LAND, seed_minor=100_009, increment_ppm=405_000)
    assert await awards(casino, folding(ann=STRAIGHT_FLUSH)) == [
        table("""
            m/gold    -10_004
            av/ann    +10_004
        """)
    ]
    assert casino.books.balance("m/gold") == 90_045_500_000


async def test_10_percent_below_the_floor_is_topped_up_by_the_house(casino: Casino) -> None:
    await opened(casino, DOLLAR)
    assert await awards(casino, folding(ann=STRAIGHT_FLUSH)) == [
        table("""
            m/gold                 -10_004
            FUND/gold/TOP_UP      -989_996
            av/ann              +1_000_000
        """)
    ]


async def test_100_percent_takes_the_whole_units_and_the_pool_restarts(casino: Casino) -> None:
    await opened(casino, EURO, increment_ppm=410_000, reset_minor=50_000)
    assert await awards(casino, folding(ann=ROYAL)) == [
        table("""
            m/gold    -100_020
            av/ann    +100_020
        """),
        table("""
            FUND/gold/RESET    -50_000
            m/gold             +50_000
        """),
    ]
    assert casino.books.balance("m/gold") == 50_000_500_000


async def test_100_percent_below_the_floor_is_topped_up_by_the_house(casino: Casino) -> None:
    await opened(casino, DOLLAR)
    assert await awards(casino, folding(ann=ROYAL)) == [
        table("""
            m/gold                 -100_040
            FUND/gold/TOP_UP     -9_899_960
            av/ann              +10_000_000
        """),
        table("""
            FUND/gold/RESET    -100_000
            m/gold             +100_000
        """),
    ]


async def test_reset_takes_the_whole_units_of_the_reserve_first(casino: Casino) -> None:
    await opened(casino, EURO, reset_minor=100, reserve_ppm=110_000)
    assert (await awards(casino, folding(ann=ROYAL)))[1] == table("""
        res/gold            -5
        FUND/gold/RESET    -95
        m/gold            +100
    """)
    assert casino.books.balance("res/gold") == 500_000


async def test_reset_by_the_reserve_alone_costs_the_house_nothing(casino: Casino) -> None:
    await opened(casino, EURO, reset_minor=3, reserve_ppm=110_000)
    assert (await awards(casino, folding(ann=ROYAL)))[1] == table("""
        res/gold    -3
        m/gold      +3
    """)


async def test_every_entry_splits_meter_and_overflow_anew_at_the_ceiling(casino: Casino) -> None:
    await opened(casino, LAND, ceiling_minor=100_010, reset_minor=100_010)
    plays = folding(ann=STRAIGHT_FLUSH)
    await casino.bets_closed("t", plays)
    assert posted(casino) == [
        table("""
            CON/gold    -40
            m/gold      +10
            ovf/gold    +30
        """)
    ]
    await casino.void(str(casino.body["round"]))
    assert await awards(casino, plays) == [
        table("""
            m/gold       -9_971
            ovf/gold        -30
            av/ann      +10_001
        """)
    ]
    assert await awards(casino, folding(ann=ROYAL)) == [
        table("""
            m/gold    -90_079
            av/ann    +90_079
        """),
        table("""
            FUND/gold/RESET    -100_010
            m/gold             +100_010
        """),
    ]


async def test_the_overflow_fills_the_meter_after_an_award_and_the_reset_flows_over(casino: Casino) -> None:
    await opened(casino, EURO, ceiling_minor=100_005, reset_minor=100_000)
    assert await awards(casino, folding(ann=ROYAL)) == [
        table("""
            m/gold      -99_990
            ovf/gold        -15
            av/ann     +100_005
        """),
        table("""
            FUND/gold/RESET    -100_000
            m/gold              +99_990
            ovf/gold                +10
        """),
    ]


@pytest.mark.parametrize("kind", [ROYAL, FLUSH])
async def test_hand_pay_pending_posts_pay_in_place_of_available(casino: Casino, kind: str) -> None:
    await opened(casino, LAND, handpay_threshold_minor=4_999)
    royal = table("""
        m/gold                         -100_040
        pay/gold/ann/{round}:1         +100_040
    """)
    flush = table("""
        FUND/gold/FIXED_PRIZE            -5_000
        pay/gold/ann/{round}:1           +5_000
    """)
    found = await awards(casino, folding(ann=kind))
    round_id = str(casino.body["round"])
    wanted = royal if kind == ROYAL else flush
    assert [" ".join(line.replace(round_id, "{round}").split()) for line in found[0]] == [
        " ".join(line.split()) for line in wanted
    ]


async def test_hand_pay_at_the_threshold_is_paid_at_once(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=5_000)
    assert await awards(casino, folding(ann=FLUSH, bob=HIGH)) == [
        table("""
            FUND/gold/FIXED_PRIZE    -5_000
            av/ann                   +5_000
        """)
    ]
