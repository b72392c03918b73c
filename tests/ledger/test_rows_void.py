"""One row, one test: what a void posts, before and after the settlement (docs/ledger.md, Postings and Void)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from domain.money import MICRO
from domain.wallets.events import BalanceWentNegative, VoidPolicy
from tests.domain.showdowns import EURO, LAND
from tests.support.cards import ACE_KING, FLUSH, HIGH, QUEEN_HIGH, ROYAL, hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.entries import events_of, posted, table

ABSORB = VoidPolicy.HOUSE_ABSORBS


async def opened(casino: Casino, ruleset: str, **terms: object) -> None:
    """A table with its pool of 1,000.00, which gets 40 % to the meter and 10 % to the reserve; two players."""
    await casino.jackpot("gold", ruleset, reserve_ppm=100_000, **terms)
    await casino.table("t", ruleset, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=10_000)


async def betting(casino: Casino) -> str:
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    return round_id


async def closed(casino: Casino) -> str:
    return await casino.bets_closed("t", {"ann": Play()})


async def deciding(casino: Casino) -> str:
    round_id = await closed(casino)
    await casino.deal(round_id, {1: hand(HIGH)})
    return round_id


async def called(casino: Casino) -> str:
    return await casino.decided("t", {"ann": Play()})


async def folded(casino: Casino) -> str:
    return await casino.decided("t", {"ann": Play(call=False)})


HELD = """
    held/ann    -3_050
    av/ann      +3_050
"""
FOLDED = """
    held/ann    -1_050
    av/ann      +1_050
"""
CONTRIBUTED = """
    CON/gold    +25
    m/gold      -20
    res/gold    -5
"""


@pytest.mark.parametrize(
    ("played_to", "lines"),
    [
        (betting, HELD),
        (closed, HELD + CONTRIBUTED),
        (deciding, HELD + CONTRIBUTED),
        (called, HELD + CONTRIBUTED),
        (folded, FOLDED + CONTRIBUTED),
    ],
)
async def test_void_before_settlement_gives_back_what_is_held_and_the_contribution(
    casino: Casino, played_to: Callable[[Casino], Awaitable[str]], lines: str
) -> None:
    await opened(casino, EURO)
    round_id = await played_to(casino)
    await casino.void(round_id, None, approver=None)
    assert posted(casino) == [table(lines)]
    assert casino.books.balance("av/ann") == 10_000 * MICRO


async def test_void_before_settlement_of_nobodys_round_posts_nothing(casino: Casino) -> None:
    await opened(casino, EURO)
    await casino.void(await casino.round("t"))
    assert posted(casino) == []


async def test_void_after_settlement_claw_back_of_a_lost_round(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))}, dealer=ACE_KING)
    await casino.void(round_id)
    assert posted(casino) == [
        table("""
            av/ann                                 +3_050
            REV/euro-progressive-v1/ANTE           -1_000
            REV/euro-progressive-v1/CALL           -2_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            m/gold                                    -20
            res/gold                                   -5
        """)
    ]


async def test_void_after_settlement_claw_back_of_a_won_round_takes_winnings_and_prize_back(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.void(round_id)
    assert posted(casino) == [
        table("""
            av/ann                                 -2_450
            REV/euro-progressive-v1/ANTE           +1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            FUND/gold/FIXED_PRIZE                  +1_500
            CON/gold                                  +25
            m/gold                                    -20
            res/gold                                   -5
        """)
    ]


async def test_void_after_settlement_claw_back_of_a_jackpot_mirrors_award_and_reset(casino: Casino) -> None:
    await opened(casino, EURO, reset_minor=50_000)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.void(round_id)
    assert posted(casino) == [
        table("""
            av/ann                                -98_970
            REV/euro-progressive-v1/ANTE           -1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            FUND/gold/RESET                       +49_995
            m/gold                                +50_000
        """)
    ]
    assert casino.books.balance("m/gold") == 100_000 * MICRO
    assert casino.books.balance("res/gold") == 0


async def test_void_after_settlement_claw_back_of_spent_winnings_leaves_a_debt_and_says_so(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.withdraw("ann", 12_450)
    answer = await casino.void(round_id)
    assert answer["players"][0]["balance"]["available"] == -2_450
    assert events_of(casino, BalanceWentNegative) == [BalanceWentNegative("ann", "EUR", round_id, -2_450)]


async def test_void_after_settlement_house_absorbs_what_is_not_available(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.withdraw("ann", 12_000)
    answer = await casino.void(round_id, ABSORB)
    assert posted(casino) == [
        table("""
            av/ann                                   -450
            LOSS/FINAL                             -2_000
            REV/euro-progressive-v1/ANTE           +1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            FUND/gold/FIXED_PRIZE                  +1_500
            CON/gold                                  +25
            m/gold                                    -20
            res/gold                                   -5
        """)
    ]
    assert answer["players"][0] | {"balance": None} == {
        "player": "ann", "refund": 0, "owed": 2_450, "taken": 450, "loss": 2_000, "balance": None,
    }  # fmt: skip
    assert events_of(casino, BalanceWentNegative) == []


async def test_house_absorbs_takes_nothing_of_a_debt_and_refunds_in_full(casino: Casino) -> None:
    await opened(casino, EURO)
    lost = await casino.played("t", {"ann": Play(cards=hand(HIGH))}, dealer=ACE_KING)
    first = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    second = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.withdraw("ann", casino.books.balance("av/ann") // MICRO)
    await casino.void(first)
    assert casino.books.balance("av/ann") == -2_450 * MICRO
    await casino.void(second, ABSORB)
    assert casino.books.balance("av/ann") == -2_450 * MICRO
    assert casino.books.balance("LOSS/FINAL") == -2_450 * MICRO
    await casino.void(lost, ABSORB)
    assert casino.books.balance("av/ann") == 600 * MICRO


async def test_void_with_a_pending_prize_cancels_it_and_the_player_never_owes_it(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=0)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.void(round_id)
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1             -100_040
            av/ann                                  +1_100
            REV/land-progressive-v1/ANTE            -1_000
            REV/land-progressive-v1/PROGRESSIVE       -100
            CON/gold                                   +50
            FUND/gold/RESET                        +99_990
        """)
    ]


async def test_void_with_a_pending_prize_topped_up_gives_the_house_its_part_back(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=0)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH), call=False)})
    await casino.void(round_id)
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1               -5_000
            FUND/gold/FIXED_PRIZE                   +5_000
            av/ann                                  +1_100
            REV/land-progressive-v1/ANTE            -1_000
            REV/land-progressive-v1/PROGRESSIVE       -100
            CON/gold                                   +50
            m/gold                                     -40
            res/gold                                   -10
        """)
    ]


async def test_a_mirror_that_a_pool_cannot_bear_is_borne_by_the_house(casino: Casino) -> None:
    await opened(casino, EURO, seed_minor=0, reset_minor=0)
    first = await closed(casino)
    await casino.deal(first, {1: hand(HIGH)})
    await casino.settle(first)
    await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    assert casino.books.balance("m/gold") == 0
    await casino.void(first)
    assert posted(casino) == [
        table("""
            av/ann                                 +1_050
            REV/euro-progressive-v1/ANTE           -1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            FUND/gold/VOID_SHORTFALL                  -20
            res/gold                                   -5
        """)
    ]


async def test_a_later_mirror_of_an_older_award_gives_the_shortfall_back_first(casino: Casino) -> None:
    await opened(casino, EURO, seed_minor=0, reset_minor=0)
    first = await casino.played("t", {"ann": Play(call=False)})
    second = await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.void(first)
    answer = await casino.void(second)
    assert posted(casino) == [
        table("""
            av/bob                                 +1_010
            REV/euro-progressive-v1/ANTE           -1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            FUND/gold/VOID_SHORTFALL                  +20
            res/gold                                   -5
        """)
    ]
    assert answer["jackpots"][0]["shortfall_micro"] == str(-20 * MICRO)
    assert casino.books.balance("m/gold") == 0
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == 0


async def test_a_later_mirror_of_a_newer_award_gives_nothing_back(casino: Casino) -> None:
    await opened(casino, EURO, seed_minor=0, reset_minor=0)
    first = await casino.played("t", {"ann": Play(call=False)})
    await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.void(first)
    third = await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.void(third)
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -20 * MICRO
    assert casino.books.balance("m/gold") == 0


async def test_a_reserve_that_cannot_bear_its_mirror_is_filled_by_the_house_and_gives_it_back(casino: Casino) -> None:
    await opened(casino, EURO, seed_minor=0, reset_minor=10)
    first = await casino.played("t", {"ann": Play(call=False)})
    second = await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    assert casino.books.balance("res/gold") == 0
    await casino.void(first)
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -15 * MICRO
    assert (casino.books.balance("m/gold"), casino.books.balance("res/gold")) == (0, 0)
    await casino.void(second)
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == 0
    assert (casino.books.balance("m/gold"), casino.books.balance("res/gold")) == (0, 0)
