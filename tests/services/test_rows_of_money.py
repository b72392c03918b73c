"""What of a round is money: what is held for it, what a void gives back, and what the cashier moves."""

from __future__ import annotations

import pytest

from domain.errors import BettingClosed, InsufficientFunds
from domain.settlement import Decision
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import CURRENCY, Casino, Play

MICRO = 10**6


@pytest.mark.parametrize("ruleset", [DOLLAR, EURO])
async def test_C17_C18_a_void_returns_ante_call_and_bonus_and_takes_the_contribution_back(
    casino: Casino, ruleset: str
) -> None:
    await casino.jackpot("j", ruleset)
    await casino.table("t", ruleset, jackpot="j")
    await casino.player("ann", CURRENCY[ruleset], deposit=100_000)
    round_id = await casino.decided("t", {"ann": Play(1, hand(HIGH, 1))})
    seat = casino.seat(round_id, "ann")
    assert (seat.decision, {one.kind.value for one in seat.wagers}) == (
        Decision.CALL, {"ANTE", "CALL", "PROGRESSIVE"}
    )  # fmt: skip
    assert casino.books.balance("m/j") > 100_000 * MICRO
    await casino.void(round_id)
    assert casino.books.balance("av/ann") == 100_000 * MICRO
    assert casino.books.balance("m/j") == 100_000 * MICRO


async def test_C13_without_a_reserve_a_call_that_is_not_funded_is_refused_and_the_player_may_fold(
    casino: Casino,
) -> None:
    await casino.table("t", LIVE, call_reserve="NONE")
    await casino.player("ann", deposit=2_999)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    assert casino.books.balance("held/ann") == 1_000 * MICRO
    await casino.close(round_id)
    await casino.deal(round_id, hand(HIGH))
    with pytest.raises(InsufficientFunds):
        await casino.call(round_id, "ann")
    await casino.fold(round_id, "ann")
    await casino.settle(round_id)
    assert casino.books.balance("av/ann") == 1_999 * MICRO


async def test_S2_06_no_progressive_wager_once_betting_is_over(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    round_id = await casino.bets_closed("t", {"ann": Play(1, progressive=False)})
    for player, seat in (("ann", 1), ("bob", 2)):
        with pytest.raises(BettingClosed):
            await casino.submit(c.PlaceWager(round_id, player, seat, 1_000, 0, 50))


async def test_S0_45_the_cashier_pays_in_and_out_what_is_available(casino: Casino) -> None:
    await casino.player("ann", deposit=5_000)
    await casino.table("t", LIVE)
    await casino.wager(await casino.round("t"), "ann", ante=1_000)
    with pytest.raises(InsufficientFunds):
        await casino.withdraw("ann", 2_001)
    await casino.withdraw("ann", 2_000)
    assert (casino.books.balance("av/ann"), casino.books.balance("held/ann")) == (0, 3_000 * MICRO)
