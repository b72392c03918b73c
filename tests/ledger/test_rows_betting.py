"""One row, one test: postings of money at the cashier and of betting (docs/ledger.md, Postings).

A is an ante, S a side stake, a and s what is taken back of them. Entries are written in minor units.
"""

from __future__ import annotations

import pytest

from domain.errors import InsufficientFunds
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.entries import entry, posted, table


@pytest.fixture
async def live(casino: Casino) -> Casino:
    """Alice at a live table, 100.00 in her wallet."""
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE)
    return casino


@pytest.fixture
async def euro(casino: Casino) -> Casino:
    """Alice at a euro table whose pool takes 40 % of each progressive stake to the meter and 10 % to the reserve."""
    await casino.player("alice", deposit=10_000)
    await casino.jackpot("gold", EURO, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    return casino


async def test_deposit(casino: Casino) -> None:
    await casino.player("alice")
    await casino.deposit("alice", 10_000)
    assert posted(casino) == [
        table("""
            cash        -10_000
            av/alice    +10_000
        """)
    ]


async def test_withdrawal(live: Casino) -> None:
    await live.withdraw("alice", 2_500)
    assert posted(live) == [
        table("""
            av/alice    -2_500
            cash        +2_500
        """)
    ]


async def test_wager_accepted_holds_three_antes_and_the_side_stake(euro: Casino) -> None:
    round_id = await euro.round("t")
    await euro.wager(round_id, "alice", seat=1, ante=1_000, progressive=50)
    assert posted(euro) == [
        table("""
            av/alice      -3_050
            held/alice    +3_050
        """)
    ]


async def test_wager_accepted_without_a_call_reserve_holds_one_ante_and_the_side_stake(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE, call_reserve="NONE")
    round_id = await casino.round("t")
    await casino.wager(round_id, "alice", ante=1_000, five_plus_one=200)
    assert posted(casino) == [
        table("""
            av/alice      -1_200
            held/alice    +1_200
        """)
    ]


async def test_raise_to_minimum_holds_the_raised_ante(casino: Casino) -> None:
    await casino.player("alice", "USD", deposit=10_000)
    await casino.table("t", DOLLAR, ante_min_minor=500)
    round_id = await casino.round("t")
    answer = await casino.wager(round_id, "alice", seat=1, ante=200)
    assert answer["raised"] == {"asked": 200, "used": 500}
    assert posted(casino) == [
        table("""
            av/alice      -1_500
            held/alice    +1_500
        """)
    ]


async def test_raise_to_minimum_is_refused_when_the_raised_ante_is_not_covered(casino: Casino) -> None:
    await casino.player("alice", "USD", deposit=1_499)
    await casino.table("t", DOLLAR, ante_min_minor=500)
    round_id = await casino.round("t")
    with pytest.raises(InsufficientFunds):
        await casino.wager(round_id, "alice", seat=1, ante=200)


async def test_undo_releases_what_the_last_action_held(live: Casino) -> None:
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000)
    await live.wager(round_id, "alice", ante=500, five_plus_one=100)
    await live.undo(round_id, "alice")
    assert posted(live) == [
        table("""
            held/alice    -1_600
            av/alice      +1_600
        """)
    ]
    await live.undo(round_id, "alice")
    assert posted(live) == [
        table("""
            held/alice    -3_000
            av/alice      +3_000
        """)
    ]


async def test_undo_without_a_call_reserve_releases_one_ante(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE, call_reserve="NONE")
    round_id = await casino.round("t")
    await casino.wager(round_id, "alice", ante=1_000)
    await casino.undo(round_id, "alice")
    assert posted(casino) == [
        table("""
            held/alice    -1_000
            av/alice      +1_000
        """)
    ]


async def test_reject_at_close_releases_ante_reserve_and_side_stake(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.jackpot("gold", EURO)
    await casino.table("t", EURO, jackpot="gold", ante_min_minor=500)
    round_id = await casino.round("t")
    await casino.wager(round_id, "alice", seat=1, ante=400, progressive=50)
    answer = await casino.close(round_id)
    assert answer["contribution_micro"] == "0"
    assert posted(casino) == [
        table("""
            held/alice    -1_250
            av/alice      +1_250
        """)
    ]


async def test_leave_releases_everything(live: Casino) -> None:
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000)
    await live.wager(round_id, "alice", five_plus_one=100)
    await live.leave(round_id, "alice")
    assert posted(live) == [
        table("""
            held/alice    -3_100
            av/alice      +3_100
        """)
    ]


async def test_betting_closed_leaves_the_stakes_and_contributes(euro: Casino) -> None:
    await euro.bets_closed("t", {"alice": Play(ante=1_000)})
    assert posted(euro) == [
        table("""
            CON/gold    -25
            m/gold      +20
            res/gold    +5
        """)
    ]


async def test_betting_closed_at_the_ceiling_lets_the_rest_flow_over(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.jackpot("gold", EURO, ceiling_minor=100_010, increment_ppm=300_001)
    await casino.table("t", EURO, jackpot="gold")
    await casino.bets_closed("t", {"alice": Play(ante=1_000)})
    assert posted(casino) == [
        table("""
            CON/gold    -15.00005
            m/gold      +10
            ovf/gold     +5.00005
        """)
    ]


async def test_fold_releases_the_reserve(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000)})
    await live.deal(round_id, hand(HIGH))
    await live.fold(round_id, "alice")
    assert posted(live) == [
        table("""
            held/alice    -2_000
            av/alice      +2_000
        """)
    ]


async def test_fold_without_a_call_reserve_posts_nothing_and_the_settlement_takes_the_ante(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE, call_reserve="NONE")
    round_id = await casino.decided("t", {"alice": Play(ante=1_000, call=False)})
    assert posted(casino) == []
    await casino.settle(round_id)
    assert posted(casino) == [
        table("""
            held/alice                  -1_000
            REV/live-5plus1-v1/ANTE     +1_000
        """)
    ]


async def test_call_turns_the_reserve_into_a_stake_without_a_posting(live: Casino) -> None:
    await live.decided("t", {"alice": Play(ante=1_000)})
    assert posted(live) == []
    assert live.body["wagers"] == [{"wager": f"{live.last_order.meta.causation}:call", "kind": "CALL", "stake": 2_000}]


async def test_call_without_a_call_reserve_holds_two_antes(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE, call_reserve="NONE")
    await casino.decided("t", {"alice": Play(ante=1_000)})
    assert posted(casino) == [
        table("""
            av/alice      -2_000
            held/alice    +2_000
        """)
    ]


async def test_call_without_a_call_reserve_that_is_not_covered_is_refused_and_the_player_may_fold(
    casino: Casino,
) -> None:
    await casino.player("alice", deposit=2_999)
    await casino.table("t", LIVE, call_reserve="NONE")
    round_id = await casino.bets_closed("t", {"alice": Play(ante=1_000)})
    await casino.deal(round_id, hand(HIGH))
    with pytest.raises(InsufficientFunds):
        await casino.call(round_id, "alice")
    await casino.fold(round_id, "alice")
    await casino.settle(round_id)
    assert entry(casino) == table("""
            held/alice                  -1_000
            REV/live-5plus1-v1/ANTE     +1_000
        """)
