"""One row, one test: whole spots are voided, with their contribution and award (docs/ledger.md)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyVoided, NotFound, WrongPhase
from domain.money import MICRO
from domain.pools import MultiWinnerPolicy
from domain.seats.events import WagerKind
from domain.wallets.events import VoidPolicy
from tests.domain.showdowns import EURO, LIVE
from tests.ledger.prizes import folding
from tests.support.cards import ACE_KING, FLUSH, HIGH, QUEEN_HIGH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table

ANTE, CALL, SIDE, PROGRESSIVE = WagerKind
CONTRIBUTION = """
    CON/gold    +25
    m/gold      -20
    res/gold     -5
"""


async def opened(casino: Casino, **terms: object) -> None:
    """A euro table with its pool, which gets 40 % to the meter and 10 % to the reserve; three players."""
    await casino.jackpot("gold", EURO, reserve_ppm=100_000, **terms)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob", "cas"):
        await casino.player(player, deposit=10_000)


async def void_spot(casino: Casino, round_id: str, player: str, kind: WagerKind) -> dict[str, object]:
    return await casino.void(round_id, wagers=(casino.wager_id(round_id, player, kind),))


async def test_ante_before_the_decision_goes_with_its_call_reserve_and_the_side_stays(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    answer = await void_spot(casino, round_id, "ann", ANTE)
    assert posted(casino) == [
        table("""
            held/ann    -3_000
            av/ann      +3_000
        """)
    ]
    assert answer["phase"] == "BETTING_CLOSED"
    assert casino.books.balance("held/ann") == 50 * MICRO


@pytest.mark.parametrize("named", [ANTE, CALL])
async def test_ante_of_a_call_goes_with_the_call(casino: Casino, named: WagerKind) -> None:
    await opened(casino)
    round_id = await casino.decided("t", {"ann": Play()})
    await void_spot(casino, round_id, "ann", named)
    assert posted(casino) == [
        table("""
            held/ann    -3_000
            av/ann      +3_000
        """)
    ]
    assert [one.kind for one in casino.seat(round_id, "ann").wagers] == [PROGRESSIVE]


async def test_ante_of_a_fold_comes_back(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.decided("t", {"ann": Play(call=False)})
    await void_spot(casino, round_id, "ann", ANTE)
    assert posted(casino) == [
        table("""
            held/ann    -1_000
            av/ann      +1_000
        """)
    ]


async def test_side_alone_goes_with_its_contribution_and_the_ante_plays_on(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    await void_spot(casino, round_id, "ann", PROGRESSIVE)
    assert posted(casino) == [
        table(f"""
            held/ann    -50
            av/ann      +50
            {CONTRIBUTION}
        """)
    ]
    await casino.deal(round_id, {1: hand(ROYAL)}, QUEEN_HIGH)
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    assert casino.books.balance("m/gold") == 100_000 * MICRO, "no wager, no prize"
    assert casino.books.balance("held/ann") == 0


async def test_side_of_a_voided_ante_settles_on_the_cards(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.bets_closed("t", {"ann": Play(), "bob": Play(2)})
    await void_spot(casino, round_id, "ann", ANTE)
    await casino.deal(round_id, {1: hand(FLUSH, 1), 2: hand(HIGH, 2)})
    await casino.fold(round_id, "bob")
    await casino.settle(round_id)
    assert casino.books.balance("av/ann") == (10_000 - 50 + 1_500) * MICRO
    assert casino.seat(round_id, "ann").results[0].kind is PROGRESSIVE


async def test_5_plus_1_of_a_voided_ante_settles_on_the_cards(casino: Casino) -> None:
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=10_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    await casino.close(round_id)
    await void_spot(casino, round_id, "ann", ANTE)
    await casino.deal(round_id, hand(FLUSH), ACE_KING)
    await casino.settle(round_id)
    assert casino.books.balance("av/ann") == (10_000 + 15 * 100) * MICRO


async def test_ante_after_settlement_goes_with_its_call_and_their_results(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=ACE_KING)
    answer = await void_spot(casino, round_id, "ann", CALL)
    assert posted(casino) == [
        table("""
            av/ann                         -13_000
            REV/euro-progressive-v1/ANTE    +1_000
            REV/euro-progressive-v1/CALL   +12_000
        """)
    ]
    assert answer["phase"] == "SETTLED"


async def test_progressive_after_settlement_goes_with_its_prize_and_contribution(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=ACE_KING)
    await void_spot(casino, round_id, "ann", PROGRESSIVE)
    assert posted(casino) == [
        table(f"""
            av/ann                                -1_450
            REV/euro-progressive-v1/PROGRESSIVE      -50
            FUND/gold/FIXED_PRIZE                 +1_500
            {CONTRIBUTION}
        """)
    ]


async def test_progressive_after_a_jackpot_goes_with_award_and_reset(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await void_spot(casino, round_id, "ann", PROGRESSIVE)
    assert posted(casino) == [
        table("""
            av/ann                                -99_970
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            FUND/gold/RESET                       +99_995
        """)
    ]


async def test_a_lost_wager_after_settlement_comes_back(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))}, dealer=ACE_KING)
    await void_spot(casino, round_id, "ann", ANTE)
    assert posted(casino) == [
        table("""
            av/ann                         +3_000
            REV/euro-progressive-v1/ANTE   -1_000
            REV/euro-progressive-v1/CALL   -2_000
        """)
    ]


async def test_of_k_shared_awards_one_gives_back_what_the_last_cost_and_the_last_the_reset(casino: Casino) -> None:
    """100,060 on the meter and three winners: 33,353 each, one minor unit stays. The reset emptied the reserve, so
    that it cannot bear the mirrored contributions until its own mirror gives that back."""
    await opened(casino, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT)
    round_id = await casino.played("t", folding(ann=ROYAL, bob=ROYAL, cas=ROYAL))
    for player in ("bob", "ann"):
        await void_spot(casino, round_id, player, PROGRESSIVE)
        assert posted(casino) == [
            table(f"""
                av/{player}                           -33_303
                REV/euro-progressive-v1/PROGRESSIVE       -50
                CON/gold                                  +25
                m/gold                                +33_333
                FUND/gold/VOID_SHORTFALL                   -5
            """)
        ]
    await void_spot(casino, round_id, "cas", PROGRESSIVE)
    assert posted(casino) == [
        table("""
            av/cas                                -33_303
            REV/euro-progressive-v1/PROGRESSIVE       -50
            CON/gold                                  +25
            m/gold                                -66_667
            FUND/gold/VOID_SHORTFALL                  +10
            FUND/gold/RESET                       +99_985
        """)
    ]
    assert casino.books.balance("m/gold") == 100_000 * MICRO


async def test_of_full_prizes_the_house_gets_back_what_it_paid_of_the_last(casino: Casino) -> None:
    """The pool bears one full prize and no more: the house paid the second, whichever falls. The reserve is empty."""
    await opened(casino, multi_winner_policy=MultiWinnerPolicy.FULL_TO_EACH)
    round_id = await casino.played("t", folding(ann=ROYAL, bob=ROYAL, cas=HIGH))
    await void_spot(casino, round_id, "ann", PROGRESSIVE)
    assert posted(casino) == [
        table("""
            av/ann                               -100_010
            REV/euro-progressive-v1/PROGRESSIVE       -50
            FUND/gold/TOP_UP                     +100_060
            CON/gold                                  +25
            m/gold                                    -20
            FUND/gold/VOID_SHORTFALL                   -5
        """)
    ]


async def test_with_the_last_wager_the_round_is_voided(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))})
    first = await void_spot(casino, round_id, "ann", PROGRESSIVE)
    last = await void_spot(casino, round_id, "ann", ANTE)
    assert (first["phase"], last["phase"]) == ("SETTLED", "VOIDED")
    with pytest.raises(AlreadyVoided):
        await casino.void(round_id)


async def test_with_the_last_wager_before_settlement_the_table_is_free(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    answer = await casino.void(round_id, wagers=tuple(one.wager for one in casino.seat(round_id, "ann").wagers))
    assert answer["phase"] == "VOIDED"
    assert await casino.round("t") != round_id


async def test_a_wager_is_voided_once_and_only_where_it_stands(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    side = casino.wager_id(round_id, "ann", PROGRESSIVE)
    await casino.void(round_id, wagers=(side,))
    for wager, refusal in ((side, AlreadyVoided), ("nothing", NotFound)):
        with pytest.raises(refusal) as refused:
            await casino.void(round_id, wagers=(wager,))
        assert refused.value.field == "wagers"


async def test_while_betting_is_open_wagers_are_undone_and_not_voided(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    for kind in (ANTE, PROGRESSIVE):
        with pytest.raises(WrongPhase) as refused:
            await void_spot(casino, round_id, "ann", kind)
        assert refused.value.field == "wagers"


async def test_a_dry_run_of_a_partial_void_changes_nothing(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    side = casino.wager_id(round_id, "ann", PROGRESSIVE)
    shown = await casino.void(round_id, VoidPolicy.HOUSE_ABSORBS, wagers=(side,), dry_run=True)
    assert casino.last_news == []
    done = await casino.void(round_id, VoidPolicy.HOUSE_ABSORBS, wagers=(side,))
    same = {"dry_run": None, "position": None}
    assert shown | same == done | same
