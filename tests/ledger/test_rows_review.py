"""One row, one test: a void that holds what players owe for review, and how the review ends (docs/ledger.md)."""

from __future__ import annotations

import pytest

from domain.errors import InsufficientFunds, NotFound, WrongPhase
from domain.money import MICRO
from domain.seats.events import WagerKind
from domain.wallets.events import BalanceWentNegative, VoidPolicy
from tests.domain.showdowns import EURO
from tests.support.cards import FLUSH, HIGH, QUEEN_HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.entries import events_of, posted, table

CLAW, ABSORB, HOLD = VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS, VoidPolicy.HOLD_FOR_REVIEW
ENDS = pytest.mark.parametrize("policy", [CLAW, ABSORB])


async def won(casino: Casino, spent: int = 0) -> str:
    """Ann won 24.50 with a flush, and took some of her money away; the round's id."""
    await casino.jackpot("gold", EURO, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    if spent:
        await casino.withdraw("ann", spent)
    return round_id


async def test_hold_for_review_keeps_what_is_there_and_bears_all_that_is_owed(casino: Casino) -> None:
    round_id = await won(casino, spent=12_000)
    answer = await casino.void(round_id, HOLD)
    assert posted(casino) == [
        table("""
            av/ann                                   -450
            review/ann                               +450
            LOSS/REVIEW                            -2_450
            REV/euro-progressive-v1/ANTE           +1_000
            REV/euro-progressive-v1/PROGRESSIVE       -50
            FUND/gold/FIXED_PRIZE                  +1_500
            CON/gold                                  +25
            m/gold                                    -20
            res/gold                                   -5
        """)
    ]
    assert answer["players"][0] | {"balance": None} == {
        "player": "ann", "refund": 0, "owed": 2_450, "taken": 450, "loss": 2_450, "balance": None,
    }  # fmt: skip


async def test_resolve_claw_back(casino: Casino) -> None:
    round_id = await won(casino, spent=12_000)
    await casino.void(round_id, HOLD)
    answer = await casino.resolve(round_id, CLAW)
    assert posted(casino) == [
        table("""
            review/ann      -450
            av/ann        -2_000
            LOSS/REVIEW   +2_450
        """)
    ]
    assert events_of(casino, BalanceWentNegative) == [BalanceWentNegative("ann", "EUR", round_id, -2_000)]
    assert (answer["policy"], answer["players_count"]) == ("CLAW_BACK", 1)
    (ann,) = answer["players"]
    assert (ann["player"], ann["owed"], ann["taken"]) == ("ann", 2_450, 450)
    assert ann["balance"]["available"] == -2_000


async def test_resolve_house_absorbs(casino: Casino) -> None:
    round_id = await won(casino, spent=12_000)
    await casino.void(round_id, HOLD)
    await casino.resolve(round_id, ABSORB)
    assert posted(casino) == [
        table("""
            review/ann      -450
            LOSS/REVIEW   +2_450
            LOSS/FINAL    -2_000
        """)
    ]
    assert casino.books.balance("av/ann") == 0


@ENDS
@pytest.mark.parametrize("spent", [0, 12_000, 12_450])
async def test_hold_and_then_a_policy_ends_as_that_policy_at_once(
    casino: Casino, policy: VoidPolicy, spent: int
) -> None:
    round_id = await won(casino, spent)
    async with Casino() as other:
        await other.void(await won(other, spent), policy)
        await casino.void(round_id, HOLD)
        await casino.resolve(round_id, policy)
        assert casino.books.standing() == other.books.standing()


async def test_what_is_held_for_review_is_nobodys_to_spend(casino: Casino) -> None:
    round_id = await won(casino)
    await casino.void(round_id, HOLD)
    assert casino.books.balance("review/ann") == 2_450 * MICRO
    with pytest.raises(InsufficientFunds):
        await casino.withdraw("ann", 10_001)
    await casino.withdraw("ann", 10_000)


async def test_a_debt_is_not_held_and_a_deposit_does_not_feed_a_review(casino: Casino) -> None:
    round_id = await won(casino, spent=12_450)
    await casino.adjust("ann", -100)
    await casino.void(round_id, HOLD)
    assert casino.books.balance("review/ann") == 0
    await casino.deposit("ann", 1_100)
    assert casino.books.balance("av/ann") == 1_000 * MICRO
    await casino.resolve(round_id, CLAW)
    assert casino.books.balance("av/ann") == -1_450 * MICRO


async def test_seats_that_a_void_favours_are_refunded_at_once(casino: Casino) -> None:
    await won(casino)
    lost = await casino.played("t", {"bob": Play(2, hand(HIGH, 2), call=False)})
    await casino.void(lost, HOLD)
    assert casino.books.balance("av/bob") == 10_000 * MICRO
    with pytest.raises(WrongPhase) as refused:
        await casino.resolve(lost, CLAW)
    assert refused.value.field == "round"


@ENDS
async def test_two_reviews_on_a_round_add_up_and_resolve_ends_both(casino: Casino, policy: VoidPolicy) -> None:
    """The progressive wager owes 14.50, the ante with its call 10.00; 20.00 are there."""
    round_id = await won(casino, spent=10_450)
    side = casino.wager_id(round_id, "ann", WagerKind.PROGRESSIVE)
    await casino.void(round_id, HOLD, wagers=(side,))
    await casino.void(round_id, HOLD)
    assert casino.seat(round_id, "ann").reviews == ((1_450, 1_450), (1_000, 550))
    assert casino.books.balance("review/ann") == 2_000 * MICRO
    await casino.resolve(round_id, policy)
    assert posted(casino) == [
        table(
            """
            review/ann    -2_000
            av/ann          -450
            LOSS/REVIEW   +2_450
            """
            if policy is CLAW
            else """
            review/ann    -2_000
            LOSS/REVIEW   +2_450
            LOSS/FINAL      -450
            """
        )
    ]
    with pytest.raises(WrongPhase):
        await casino.resolve(round_id, policy)


async def test_a_review_of_one_seat_ends_with_that_of_another(casino: Casino) -> None:
    await won(casino)
    plays = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(FLUSH, 2))}
    round_id = await casino.played("t", plays, dealer=QUEEN_HIGH)
    await casino.void(round_id, HOLD)
    answer = await casino.resolve(round_id, CLAW)
    assert [one["player"] for one in answer["players"]] == ["ann", "bob"]
    assert casino.books.balance("LOSS/REVIEW") == 0


async def test_a_round_that_nobody_opened_has_no_review(casino: Casino) -> None:
    with pytest.raises(NotFound):
        await casino.resolve("nothing", CLAW)
