"""One row, one test: prizes of a pool (spec ledger, Postings: fixed prize, 10 % and 100 %, shared, reset, hand-pay).

Z is a prize, p what the pool pays of it, M the whole minor units on the meter, f a floor. Pools open at 1,000.00.
Each round gives 40 % of its stakes first: 0.20 a seat at the euro table, 0.40 at the dollar tables.
"""

from __future__ import annotations

import pytest

from domain.pools import MultiWinnerPolicy, PrizeFunding
from tests.domain.showdowns import DOLLAR, EURO, LAND
from tests.support.cards import FLUSH, HIGH, ROYAL, STRAIGHT_FLUSH, hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.entries import posted, table


async def opened(casino: Casino, ruleset: str, **terms: object) -> None:
    """A table of the rule set with its pool, and three players in its currency."""
    await casino.jackpot("gold", ruleset, **terms)
    await casino.table("t", ruleset, jackpot="gold")
    for player in ("ann", "bob", "cas"):
        await casino.player(player, CURRENCY[ruleset], deposit=10_000)


def folding(**kinds: str) -> dict[str, Play]:
    """Who holds which hand, on seats 1, 2 and 3; all fold, so that prizes alone are paid."""
    return {player: Play(nth, hand(kind, nth), call=False) for nth, (player, kind) in enumerate(kinds.items(), 1)}


async def awards(casino: Casino, plays: dict[str, Play]) -> list[list[str]]:
    """What the settlement posted at the pool: the entries before those of the seats."""
    await casino.played("t", plays)
    return posted(casino)[: -len(plays)]


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


async def test_sequential_winners_each_find_what_their_turn_leaves(casino: Casino) -> None:
    await opened(casino, EURO, reset_minor=50_000)
    assert await awards(casino, folding(ann=ROYAL, bob=ROYAL)) == [
        table("""
            m/gold    -100_040
            av/bob    +100_040
        """),
        table("""
            FUND/gold/RESET    -50_000
            m/gold             +50_000
        """),
        table("""
            m/gold    -50_000
            av/ann    +50_000
        """),
        table("""
            FUND/gold/RESET    -50_000
            m/gold             +50_000
        """),
    ]


async def test_full_to_each_of_100_percent_shared_by_3_winners(casino: Casino) -> None:
    await opened(casino, LAND, multi_winner_policy=MultiWinnerPolicy.FULL_TO_EACH)
    house = "\n".join(["FUND/gold/TOP_UP -100_120", "av/{} +100_120"])
    assert await awards(casino, folding(ann=ROYAL, bob=ROYAL, cas=ROYAL)) == [
        table("""
            m/gold    -100_120
            av/ann    +100_120
        """),
        table(house.format("bob")),
        table(house.format("cas")),
        table("""
            FUND/gold/RESET    -100_000
            m/gold             +100_000
        """),
    ]


async def test_full_to_each_of_10_percent_shared_by_3_winners(casino: Casino) -> None:
    await opened(casino, LAND, multi_winner_policy=MultiWinnerPolicy.FULL_TO_EACH)
    assert await awards(casino, folding(ann=STRAIGHT_FLUSH, bob=STRAIGHT_FLUSH, cas=STRAIGHT_FLUSH)) == [
        table(f"""
            m/gold      -10_012
            av/{player} +10_012
        """)
        for player in ("ann", "bob", "cas")
    ]


async def test_equal_split_of_100_percent_shared_by_3_winners_leaves_the_rest_on_the_meter(casino: Casino) -> None:
    await opened(casino, LAND, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT, seed_minor=100_001)
    share = "\n".join(["m/gold -33_373", "av/{} +33_373"])
    assert await awards(casino, folding(ann=ROYAL, bob=ROYAL, cas=ROYAL)) == [
        *(table(share.format(player)) for player in ("ann", "bob", "cas")),
        table("""
            FUND/gold/RESET    -100_000
            m/gold             +100_000
        """),
    ]
    assert casino.books.balance("m/gold") == 100_002_000_000


async def test_equal_split_of_a_floor_takes_the_pools_part_first_and_the_house_pays_the_rest(casino: Casino) -> None:
    await opened(casino, DOLLAR, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT)
    assert await awards(casino, folding(ann=STRAIGHT_FLUSH, bob=STRAIGHT_FLUSH)) == [
        table("""
            m/gold               -10_008
            FUND/gold/TOP_UP    -489_992
            av/ann              +500_000
        """),
        table("""
            FUND/gold/TOP_UP    -500_000
            av/bob              +500_000
        """),
    ]


async def test_a_shared_category_is_paid_whole_at_its_first_winners_turn(casino: Casino) -> None:
    await opened(casino, LAND, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT)
    assert await awards(casino, folding(ann=STRAIGHT_FLUSH, bob=ROYAL, cas=STRAIGHT_FLUSH)) == [
        table("""
            m/gold    -5_006
            av/ann    +5_006
        """),
        table("""
            m/gold    -5_006
            av/cas    +5_006
        """),
        table("""
            m/gold    -90_108
            av/bob    +90_108
        """),
        table("""
            FUND/gold/RESET    -100_000
            m/gold             +100_000
        """),
    ]


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
