"""Spots: bets are added, doubled and undone; a player passes or leaves (S0-30 to S0-35, S3-06 to S3-09)."""

from __future__ import annotations

import pytest

from domain.errors import (
    AboveMaximum,
    BelowMinimum,
    InsufficientFunds,
    Invalid,
    NotFound,
    TableLimit,
    WrongPhase,
)
from domain.seats.events import WagerKind
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.support.casino import Casino
from tests.support.counter import Body

MICRO = 10**6


async def live(casino: Casino, deposit: int = 100_000, **terms: int) -> str:
    """An open round of 000 and ann with money."""
    await casino.table("t", LIVE, **terms)
    await casino.player("ann", deposit=deposit)
    return await casino.round("t")


async def double(casino: Casino, round_id: str, player: str = "ann") -> Body:
    return await casino.submit(c.DoubleWagers(round_id, player))


def lying(casino: Casino, round_id: str, player: str = "ann") -> tuple[int, int]:
    """Ante and side wager on the spots."""
    seat = casino.seat(round_id, player)
    return seat.stake_minor(WagerKind.ANTE), seat.stake_minor(WagerKind.SIDE, WagerKind.PROGRESSIVE)


async def test_S0_30_every_bet_adds_to_its_spot_and_S0_35_the_total_is_their_sum(casino: Casino) -> None:
    round_id = await live(casino)
    totals = [
        (await casino.wager(round_id, "ann", ante=1_000))["total_bet"],
        (await casino.wager(round_id, "ann", five_plus_one=300))["total_bet"],
        (await casino.wager(round_id, "ann", ante=200, five_plus_one=100))["total_bet"],
    ]
    assert totals == [1_000, 1_300, 1_600]
    assert lying(casino, round_id) == (1_200, 400)


async def test_S0_32_double_doubles_ante_and_bonus_and_holds_the_money_for_them(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=300)
    doubled = await double(casino, round_id)
    assert [(one["kind"], one["stake"]) for one in doubled["wagers"]] == [("ANTE", 1_000), ("SIDE", 300)]
    assert doubled["total_bet"] == 2_600
    assert casino.books.balance("held/ann") == 6_600 * MICRO


async def test_C28_double_is_clipped_at_the_maximum_of_each_spot(casino: Casino) -> None:
    round_id = await live(casino, ante_max_minor=1_500, side_max_minor=400)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=300)
    await double(casino, round_id)
    assert lying(casino, round_id) == (1_500, 400)


async def test_C28_double_is_clipped_at_the_maximum_of_the_table(casino: Casino) -> None:
    round_id = await live(casino, total_max_minor=2_500)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=800)
    await double(casino, round_id)
    assert lying(casino, round_id) == (1_700, 800)


async def test_C28_double_is_once_in_a_round_even_when_it_was_undone(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000)
    await double(casino, round_id)
    with pytest.raises(WrongPhase, match="once"):
        await double(casino, round_id)
    await casino.undo(round_id, "ann")
    with pytest.raises(WrongPhase, match="once"):
        await double(casino, round_id)
    await casino.undo(round_id, "ann")  # nothing lies there any more
    await casino.wager(round_id, "ann", ante=700)
    with pytest.raises(WrongPhase, match="once"):
        await double(casino, round_id)
    assert lying(casino, round_id) == (700, 0)


async def test_S0_32_double_without_a_bet_or_at_the_maximum_is_refused_and_is_not_used_up(casino: Casino) -> None:
    round_id = await live(casino, ante_max_minor=1_000)
    with pytest.raises(NotFound):
        await double(casino, round_id)
    await casino.wager(round_id, "ann", ante=1_000)
    with pytest.raises(AboveMaximum):
        await double(casino, round_id)
    await casino.undo(round_id, "ann")
    await casino.wager(round_id, "ann", ante=400)
    await double(casino, round_id)
    assert lying(casino, round_id) == (800, 0)


async def test_S0_32_double_that_the_balance_does_not_cover_is_refused_whole(casino: Casino) -> None:
    round_id = await live(casino, deposit=4_000)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=300)
    with pytest.raises(InsufficientFunds):
        await double(casino, round_id)
    assert lying(casino, round_id) == (1_000, 300)


async def test_S0_32_double_on_002_leaves_the_progressive_single(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=2, ante=1_000, progressive=50)
    doubled = await double(casino, round_id)
    assert [one["kind"] for one in doubled["wagers"]] == ["ANTE"]
    assert lying(casino, round_id) == (2_000, 50)


async def test_S3_03_double_on_003_is_clipped_at_a_third_of_the_balance(casino: Casino) -> None:
    await casino.table("t", DOLLAR)
    await casino.player("ann", "USD", deposit=5_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await double(casino, round_id)
    assert lying(casino, round_id) == (1_666, 0)


async def test_S0_34_undo_takes_actions_back_in_reverse_order_each_whole(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000)
    await casino.wager(round_id, "ann", ante=200, five_plus_one=100)
    await double(casino, round_id)
    found = []
    for _ in range(3):
        found.append(lying(casino, round_id))
        await casino.undo(round_id, "ann")
    assert found == [(2_400, 200), (1_200, 100), (1_000, 0)]
    assert casino.books.balance("av/ann") == 100_000 * MICRO
    with pytest.raises(WrongPhase):
        await casino.undo(round_id, "ann")


async def test_S3_07_pass_lets_bets_go_and_takes_none_after(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    passed = await casino.submit(c.PassRound(round_id, "ann"))
    assert (passed["total_bet"], passed["balance"]["held"]) == (0, 0)
    for command in (c.PlaceWager(round_id, "ann", None, 500, 0, 0), c.RepeatWagers(round_id, "ann")):
        with pytest.raises((WrongPhase, NotFound)):
            await casino.submit(command)
    await casino.close(round_id)
    with pytest.raises(Exception, match="betting is over"):
        await casino.submit(c.PassRound(round_id, "ann"))


async def test_S3_06_who_neither_bets_nor_passes_is_not_in_the_hand_and_plays_the_next(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.player("bob", deposit=10_000)
    await casino.wager(round_id, "bob", ante=500)
    closed = await casino.close(round_id)
    assert closed["seats"] == 1
    await casino.void(round_id)
    await casino.wager(await casino.round("t"), "ann", ante=500)


async def test_S0_31_who_leaves_while_betting_is_open_has_bets_declined_and_later_has_them_stand(
    casino: Casino,
) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    assert (await casino.leave(round_id, "ann"))["total_bet"] == 0
    await casino.wager(round_id, "ann", ante=700)
    await casino.close(round_id)
    assert (await casino.leave(round_id, "ann"))["total_bet"] == 700
    assert casino.books.balance("held/ann") == 2_100 * MICRO


async def test_S0_49_bug_016_the_fifth_table_is_TABLE_LIMIT_and_free_again_after_a_settlement(casino: Casino) -> None:
    await casino.player("ann", deposit=100_000)
    rounds = []
    for nth in range(5):
        await casino.table(f"t{nth}", LIVE)
        rounds.append(await casino.round(f"t{nth}"))
    for round_id in rounds[:4]:
        await casino.wager(round_id, "ann", ante=500)
    with pytest.raises(TableLimit):
        await casino.wager(rounds[4], "ann", ante=500)
    await casino.wager(rounds[0], "ann", ante=500)  # more at a table of the four
    await casino.close(rounds[0])
    await casino.deal(rounds[0], "Ac Ad 9c 7d 6h")
    await casino.fold(rounds[0], "ann")
    with pytest.raises(TableLimit):
        await casino.wager(rounds[4], "ann", ante=500)
    await casino.settle(rounds[0])
    await casino.wager(rounds[4], "ann", ante=500)
    await casino.undo(rounds[4], "ann")
    await casino.wager(await casino.round("t0"), "ann", ante=500)
    assert len(casino.books.state("wallet", "ann").on_game) == 4


async def test_S3_09_the_bonus_of_003_may_come_before_the_ante_and_S2_05_that_of_002_only_with_it(
    casino: Casino,
) -> None:
    for ruleset, currency in ((DOLLAR, "USD"), (EURO, "EUR")):
        await casino.jackpot(currency, ruleset)
        await casino.table(ruleset, ruleset, jackpot=currency)
        await casino.player(currency, currency, deposit=100_000)
    dollar, euro = await casino.round(DOLLAR), await casino.round(EURO)
    await casino.wager(dollar, "USD", seat=1, progressive=100)
    await casino.wager(dollar, "USD", seat=1, ante=1_000)
    assert lying(casino, dollar, "USD") == (1_000, 100)
    with pytest.raises(Invalid):
        await casino.wager(euro, "EUR", seat=1, progressive=50)
    await casino.wager(euro, "EUR", seat=1, ante=1_000)
    with pytest.raises(Invalid):
        await casino.wager(euro, "EUR", seat=1, progressive=50)


async def test_S0_09_a_bonus_of_000_needs_an_ante_of_the_minimum_on_the_spot(casino: Casino) -> None:
    round_id = await live(casino, ante_min_minor=500)
    with pytest.raises(BelowMinimum):
        await casino.wager(round_id, "ann", five_plus_one=100)
    await casino.wager(round_id, "ann", ante=500)
    await casino.wager(round_id, "ann", five_plus_one=100)
    assert lying(casino, round_id) == (500, 100)
