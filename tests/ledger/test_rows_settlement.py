"""One row, one test: settled stakes (docs/ledger.md, Postings: lose, win, push, progressive stake)."""

from __future__ import annotations

import pytest

from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import ACE_KING, FLUSH, FOURS, HIGH, PAIR, QUEEN_HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.entries import entry, posted, table


@pytest.fixture
async def live(casino: Casino) -> Casino:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE)
    return casino


async def test_lose_takes_ante_and_call_into_revenue(live: Casino) -> None:
    await live.played("t", {"alice": Play(ante=1_000, cards=hand(HIGH))}, dealer=ACE_KING)
    assert posted(live) == [
        table("""
            held/alice                  -3_000
            REV/live-5plus1-v1/ANTE     +1_000
            REV/live-5plus1-v1/CALL     +2_000
        """)
    ]
    assert live.books.balance("av/alice") == 7_000_000_000


async def test_lose_by_a_fold_takes_the_ante_alone(live: Casino) -> None:
    await live.played("t", {"alice": Play(ante=1_000, call=False)})
    assert posted(live) == [
        table("""
            held/alice                  -1_000
            REV/live-5plus1-v1/ANTE     +1_000
        """)
    ]


async def test_win_pays_the_stake_and_the_winnings_out_of_revenue(live: Casino) -> None:
    await live.played("t", {"alice": Play(ante=1_000, cards=hand(FLUSH))}, dealer=ACE_KING)
    assert posted(live) == [
        table("""
            held/alice                   -3_000
            av/alice                    +18_000
            REV/live-5plus1-v1/ANTE      -1_000
            REV/live-5plus1-v1/CALL     -14_000
        """)
    ]


async def test_win_against_a_dealer_who_does_not_play_pays_the_ante_and_returns_the_call(live: Casino) -> None:
    await live.played("t", {"alice": Play(ante=1_000, cards=hand(PAIR))}, dealer=QUEEN_HIGH)
    assert posted(live) == [
        table("""
            held/alice                  -3_000
            av/alice                    +4_000
            REV/live-5plus1-v1/ANTE     -1_000
        """)
    ]


async def test_push_returns_the_stakes(live: Casino) -> None:
    await live.played("t", {"alice": Play(ante=1_000, cards="Ac Kc 4d 3h 2c")}, dealer="As Ks 4c 3d 2h")
    assert posted(live) == [
        table("""
            held/alice    -3_000
            av/alice      +3_000
        """)
    ]


async def test_win_and_lose_of_the_side_wager_stand_by_themselves(live: Casino) -> None:
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000, five_plus_one=100)
    await live.close(round_id)
    await live.deal(round_id, hand(FLUSH), FOURS)
    await live.call(round_id, "alice")
    await live.settle(round_id)
    assert posted(live) == [
        table("""
            held/alice                  -3_100
            av/alice                    +1_600
            REV/live-5plus1-v1/ANTE     +1_000
            REV/live-5plus1-v1/CALL     +2_000
            REV/live-5plus1-v1/SIDE     -1_500
        """)
    ]


async def test_each_wager_of_a_spot_posts_its_own_revenue(live: Casino) -> None:
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000)
    await live.wager(round_id, "alice", ante=500)
    await live.close(round_id)
    await live.deal(round_id, hand(HIGH), ACE_KING)
    await live.fold(round_id, "alice")
    await live.settle(round_id)
    assert posted(live) == [
        table("""
            held/alice                  -1_500
            REV/live-5plus1-v1/ANTE     +1_000
            REV/live-5plus1-v1/ANTE       +500
        """)
    ]


@pytest.mark.parametrize("call", [True, False])
async def test_progressive_stake_always_goes_to_revenue(casino: Casino, call: bool) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.jackpot("gold", EURO)
    await casino.table("t", EURO, jackpot="gold")
    await casino.played("t", {"alice": Play(ante=1_000, cards=hand(FLUSH), call=call)}, dealer=QUEEN_HIGH)
    called = table("""
        held/alice                              -3_050
        av/alice                                +4_000
        REV/euro-progressive-v1/ANTE            -1_000
        REV/euro-progressive-v1/PROGRESSIVE        +50
    """)
    folded = table("""
        held/alice                              -1_050
        REV/euro-progressive-v1/ANTE            +1_000
        REV/euro-progressive-v1/PROGRESSIVE        +50
    """)
    assert entry(casino) == (called if call else folded)


async def test_a_system_decision_posts_as_the_players_own(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000)})
    await live.deal(round_id, hand(HIGH))
    await live.settle(round_id)
    assert posted(live) == [
        table("""
            held/alice    -2_000
            av/alice      +2_000
        """),
        table("""
            held/alice                  -1_000
            REV/live-5plus1-v1/ANTE     +1_000
        """),
    ]
