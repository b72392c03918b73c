"""One row, one test: prizes of several winners in one round (docs/ledger.md, Postings; C23, R11)."""

from __future__ import annotations

from domain.pools import MultiWinnerPolicy
from tests.domain.showdowns import DOLLAR, EURO, LAND
from tests.ledger.prizes import awards, folding, opened
from tests.support.cards import ROYAL, STRAIGHT_FLUSH
from tests.support.casino import Casino
from tests.support.entries import table


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
