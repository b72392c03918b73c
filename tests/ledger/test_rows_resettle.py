"""One row, one test: a round is settled again on corrected cards, and the difference moves (docs/ledger.md)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyVoided, DuplicateCard, Forbidden, Invalid, WrongPhase
from domain.money import MICRO
from domain.wallets.events import BalanceWentNegative, VoidPolicy
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, QUEEN_HIGH, ROYAL, STRAIGHT_FLUSH, cards, hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.entries import events_of, posted, table

CLAW, ABSORB, HOLD = VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS, VoidPolicy.HOLD_FOR_REVIEW


async def opened(casino: Casino, ruleset: str = EURO, **terms: object) -> None:
    """A table with its pool of 1,000.00, which gets 40 % to the meter and 10 % to the reserve; two players."""
    await casino.jackpot("gold", ruleset, reserve_ppm=100_000, **terms)
    await casino.table("t", ruleset, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=10_000)


async def test_win_to_lose(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    answer = await casino.resettle(round_id, {1: hand(HIGH)})
    assert posted(casino) == [
        table("""
            av/ann                         -17_500
            REV/euro-progressive-v1/ANTE    +2_000
            REV/euro-progressive-v1/CALL   +14_000
            FUND/gold/FIXED_PRIZE           +1_500
        """)
    ]
    (ann,) = answer["players"]
    assert (ann["outcome"], ann["owed"], ann["taken"], ann["loss"]) == ("LOSE", 17_500, 17_500, 0)
    assert casino.books.balance("av/ann") == (10_000 - 3_050) * MICRO


async def test_lose_to_win(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))})
    await casino.resettle(round_id, {1: hand(FLUSH)}, QUEEN_HIGH)
    assert posted(casino) == [
        table("""
            av/ann                         +5_500
            REV/euro-progressive-v1/ANTE   -2_000
            REV/euro-progressive-v1/CALL   -2_000
            FUND/gold/FIXED_PRIZE          -1_500
        """)
    ]


async def test_the_same_result_posts_nothing(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))})
    await casino.resettle(round_id, {1: hand(HIGH)})
    assert posted(casino) == []


async def test_a_fold_stands_and_wins_a_prize_alone(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH), call=False)})
    await casino.resettle(round_id, {1: hand(FLUSH)})
    assert posted(casino) == [
        table("""
            av/ann                  +1_500
            FUND/gold/FIXED_PRIZE   -1_500
        """)
    ]


async def test_the_jackpot_has_another_winner(casino: Casino) -> None:
    await opened(casino)
    plays = {"ann": Play(1, hand(ROYAL, 1), call=False), "bob": Play(2, hand(HIGH, 2), call=False)}
    round_id = await casino.played("t", plays)
    await casino.resettle(round_id, {1: hand(HIGH, 1), 2: hand(ROYAL, 2)})
    assert posted(casino) == [
        table("""
            av/ann   -100_040
            av/bob   +100_040
        """)
    ]


async def test_royal_to_nothing_with_its_reset(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.resettle(round_id, {1: hand(HIGH)})
    assert posted(casino) == [
        table("""
            av/ann            -100_020
            m/gold                 +20
            res/gold                +5
            FUND/gold/RESET    +99_995
        """)
    ]
    assert (casino.books.balance("m/gold"), casino.books.balance("res/gold")) == (100_020 * MICRO, 5 * MICRO)


async def test_another_category(casino: Casino) -> None:
    """The whole meter becomes a fixed prize of the house; the reset that was made is taken back."""
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.resettle(round_id, {1: hand(STRAIGHT_FLUSH)})
    assert posted(casino) == [
        table("""
            av/ann                   +24_980
            m/gold                       +20
            res/gold                      +5
            FUND/gold/RESET          +99_995
            FUND/gold/FIXED_PRIZE   -125_000
        """)
    ]


async def test_a_pending_prize_changes_in_pay(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=0)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.resettle(round_id, {1: hand(STRAIGHT_FLUSH)})
    assert posted(casino) == [
        table(f"""
            pay/gold/ann/{round_id}:1     -100_040
            pay/gold/ann/{round_id}:1r1    +10_004
            m/gold                          -9_964
            res/gold                           +10
            FUND/gold/RESET                +99_990
        """)
    ]
    await casino.verify("gold", f"{round_id}:1r1")
    assert casino.books.balance("av/ann") == (10_000 - 1_100 + 10_004) * MICRO


@pytest.mark.parametrize(
    ("policy", "lines"),
    [
        (CLAW, "av/ann -17_500"),
        (ABSORB, "av/ann -450 \n LOSS/FINAL -17_050"),
        (HOLD, "av/ann -450 \n review/ann +450 \n LOSS/REVIEW -17_500"),
    ],
)
async def test_what_is_owed_is_borne_by_the_policy(casino: Casino, policy: VoidPolicy, lines: str) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    await casino.withdraw("ann", 24_000)
    await casino.resettle(round_id, {1: hand(HIGH)}, policy=policy)
    assert posted(casino) == [
        table(f"""
            {lines}
            REV/euro-progressive-v1/ANTE    +2_000
            REV/euro-progressive-v1/CALL   +14_000
            FUND/gold/FIXED_PRIZE           +1_500
        """)
    ]
    negative = [BalanceWentNegative("ann", "EUR", round_id, -17_050)] if policy is CLAW else []
    assert events_of(casino, BalanceWentNegative) == negative


@pytest.mark.parametrize("policy", [CLAW, ABSORB])
async def test_a_review_of_a_resettlement_ends_as_its_policy_at_once(casino: Casino, policy: VoidPolicy) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    await casino.withdraw("ann", 24_000)
    async with Casino() as other:
        await opened(other)
        await other.played("t", {"ann": Play(cards=hand(FLUSH))})
        await other.withdraw("ann", 24_000)
        await other.resettle(round_id, {1: hand(HIGH)}, policy=policy)
        await casino.resettle(round_id, {1: hand(HIGH)}, policy=HOLD)
        await casino.resolve(round_id, policy)
        assert casino.books.standing() == other.books.standing()


async def test_resettled_again_the_last_cards_count(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL))})
    settled = casino.books.standing()
    for kind in (HIGH, STRAIGHT_FLUSH, FLUSH, ROYAL):
        await casino.resettle(round_id, {1: hand(kind)})
    assert casino.books.standing() == settled


@pytest.mark.parametrize("policy", [CLAW, ABSORB])
async def test_voided_after_it_was_resettled_nothing_is_left(casino: Casino, policy: VoidPolicy) -> None:
    await opened(casino)
    untouched = casino.books.standing()
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH)), "bob": Play(2, hand(ROYAL, 2))})
    await casino.resettle(round_id, {1: hand(ROYAL, 1), 2: hand(HIGH, 2)})
    await casino.void(round_id, policy)
    assert casino.books.standing() == untouched


async def test_a_voided_round_is_not_resettled_nor_one_that_is_not_settled(casino: Casino) -> None:
    await opened(casino)
    open_round = await casino.decided("t", {"ann": Play()})
    with pytest.raises(WrongPhase):
        await casino.resettle(open_round, {1: hand(HIGH)})
    await casino.void(open_round)
    with pytest.raises(AlreadyVoided) as refused:
        await casino.resettle(open_round, {1: hand(HIGH)})
    assert refused.value.field == "round"


async def test_a_wager_that_is_void_has_no_part_in_a_resettlement(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH))})
    await casino.void(round_id, wagers=(casino.seat(round_id, "ann").wagers[0].wager,))
    await casino.resettle(round_id, {1: hand(ROYAL)}, QUEEN_HIGH)
    assert posted(casino) == [
        table("""
            av/ann            +100_020
            m/gold                 -20
            res/gold                -5
            FUND/gold/RESET    -99_995
        """)
    ]


@pytest.mark.parametrize(
    ("hands", "dealer", "field"),
    [
        ({}, ACE_KING, "seats"),
        ({1: hand(HIGH, 1), 2: hand(HIGH, 2)}, ACE_KING, "seats"),
        ({2: hand(HIGH, 2)}, ACE_KING, "seats"),
        ("Ac Kc 2d 3d 4d", ACE_KING, "seats"),
        ({1: "Ac Kc 2d 3d"}, ACE_KING, "seats.1"),
        ({1: hand(HIGH)}, "As Ks 4c 3d", "dealer"),
    ],
)
async def test_the_corrected_cards_are_those_of_all_who_were_dealt(
    casino: Casino, hands: dict[int, str] | str, dealer: str, field: str
) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play()})
    with pytest.raises(Invalid) as refused:
        await casino.resettle(round_id, hands, dealer)
    assert refused.value.field == field


async def test_no_card_is_twice_among_the_corrected_ones(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play()})
    with pytest.raises(DuplicateCard):
        await casino.resettle(round_id, {1: "As Kc 2c 3c 5d"}, ACE_KING)


async def test_a_resettlement_takes_two_persons(casino: Casino) -> None:
    await opened(casino)
    round_id = await casino.played("t", {"ann": Play()})
    order = c.Resettle(round_id, None, ((1, cards(hand(HIGH))),), cards(ACE_KING), CLAW, "misread", "pit")
    with pytest.raises(Forbidden) as refused:
        await casino.submit(order)
    assert refused.value.field == "approver"


@pytest.mark.parametrize("ruleset", [EURO, DOLLAR, LAND, LIVE])
async def test_each_game_can_be_resettled(casino: Casino, ruleset: str) -> None:
    if ruleset == LIVE:
        await casino.table("t", LIVE)
        await casino.player("ann", deposit=10_000)
    else:
        await opened(casino, ruleset)
    round_id = await casino.played("t", {"ann": Play(cards=hand(HIGH), progressive=False)})
    await casino.resettle(round_id, hand(FLUSH) if ruleset == LIVE else {1: hand(FLUSH)}, QUEEN_HIGH)
    assert casino.books.balance("av/ann") == (10_000 + 1_000) * MICRO
