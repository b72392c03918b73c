"""Repeat: all bets of the table's previous round, as far as they fit (S0-33, S3-05, S3-21)."""

from __future__ import annotations

import pytest

from domain.errors import AboveMaximum, InsufficientFunds, LimitReached, NotFound
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.services.test_rows_spots import double, live, lying
from tests.support.cards import PAIR, hand
from tests.support.casino import Casino, Play
from tests.support.counter import Body


async def repeat(casino: Casino, round_id: str, player: str = "ann") -> Body:
    return await casino.submit(c.RepeatWagers(round_id, player))


async def test_S0_33_repeat_places_all_bets_of_the_tables_previous_round(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(seat=3, ante=1_200)})
    round_id = await casino.round("t")
    repeated = await repeat(casino, round_id)
    assert (repeated["seat"], repeated["total_bet"]) == (3, 1_250)
    assert [(one["kind"], one["stake"]) for one in repeated["wagers"]] == [("ANTE", 1_200), ("PROGRESSIVE", 50)]


@pytest.mark.parametrize("other", ["empty", "taken"])
async def test_S0_33_S3_02_repeat_places_the_bets_where_the_player_sits_now(casino: Casino, other: str) -> None:
    await casino.table("t", EURO)
    for player in ("ann", "bob"):
        await casino.player(player, deposit=100_000)
    await casino.submit(c.JoinTable("t", "ann", 2, "phone", None))
    await casino.played("t", {"ann": Play(seat=2, ante=1_200)})
    await casino.submit(c.JoinTable("t", "ann", 3, "phone", None))
    if other == "taken":
        await casino.submit(c.JoinTable("t", "bob", 2, "phone", None))
    repeated = await repeat(casino, await casino.round("t"))
    assert (repeated["seat"], repeated["total_bet"]) == (3, 1_200)


async def test_S3_05_repeat_includes_what_was_doubled_and_the_bonus_and_is_clipped(casino: Casino) -> None:
    round_id = await live(casino, total_max_minor=3_000)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=300)
    await double(casino, round_id)
    await casino.close(round_id)
    await casino.deal(round_id, "Ac Ad 9c 7d 6h")
    await casino.call(round_id, "ann")  # the call is no bet of the betting time
    await casino.settle(round_id)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=700)
    await repeat(casino, round_id)
    assert lying(casino, round_id) == (2_700, 300)


async def test_S0_33_repeat_leaves_room_for_the_fixed_price_below_the_tables_total(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j", total_max_minor=1_050)
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(ante=1_000)})
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=400)
    await repeat(casino, round_id)
    assert lying(casino, round_id) == (1_000, 50)


async def test_S0_33_repeat_where_no_ante_fits_leaves_the_progressive_of_002_out(casino: Casino) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j", ante_max_minor=1_000)
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(ante=1_000)})
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    with pytest.raises(AboveMaximum):
        await repeat(casino, round_id)


async def test_S0_33_repeat_without_a_bet_in_the_previous_round_is_NOT_FOUND(casino: Casino) -> None:
    round_id = await live(casino)
    with pytest.raises(NotFound):
        await repeat(casino, round_id)
    await casino.wager(round_id, "ann", ante=1_000)
    await casino.leave(round_id, "ann")
    await casino.close(round_id)
    await casino.void(round_id)
    with pytest.raises(NotFound):
        await repeat(casino, await casino.round("t"))


@pytest.mark.parametrize("phase", ["betting", "closed", "deciding", "settled", "cancelled"])
async def test_S0_33_S0_52_the_bets_of_a_round_that_was_voided_are_repeated_as_any_others(
    casino: Casino, phase: str
) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=300)
    if phase in {"closed", "deciding", "settled"}:
        await casino.close(round_id)
    if phase in {"deciding", "settled"}:
        await casino.deal(round_id, hand(PAIR))
        await casino.call(round_id, "ann")
    if phase == "settled":
        await casino.settle(round_id)
    if phase == "cancelled":
        casino.clock.forward(3_600)
        await casino.submit(c.CancelAbandoned(round_id))
    else:
        await casino.void(round_id)
    again = await casino.round("t")
    await repeat(casino, again)
    assert lying(casino, again) == (1_000, 300)


async def test_S0_33_bets_that_a_part_void_took_are_repeated_with_the_rest(casino: Casino) -> None:
    round_id = await live(casino)
    await casino.wager(round_id, "ann", ante=1_000)
    side = await casino.wager(round_id, "ann", five_plus_one=300)
    await casino.close(round_id)
    await casino.void(round_id, wagers=(side["wagers"][0]["wager"],))
    await casino.deal(round_id, hand(PAIR))
    await casino.settle(round_id)
    again = await casino.round("t")
    await repeat(casino, again)
    assert lying(casino, again) == (1_000, 300)


async def test_S0_33_repeat_that_the_balance_does_not_cover_is_refused_whole(casino: Casino) -> None:
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=5_000)
    await casino.played("t", {"ann": Play(ante=1_000)}, "Qs Js 4c 3d 2h")
    await casino.withdraw("ann", 4_000)
    round_id = await casino.round("t")
    with pytest.raises(InsufficientFunds):
        await repeat(casino, round_id)
    assert casino.books.balance("held/ann") == 0


async def test_S3_21_double_and_repeat_are_clipped_at_the_players_own_limit(casino: Casino) -> None:
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=100_000)
    await casino.played("t", {"ann": Play(ante=2_000)})
    await casino.submit(c.SetLimit("ann", 1_500))
    round_id = await casino.round("t")
    await repeat(casino, round_id)
    assert lying(casino, round_id) == (1_500, 0)
    await casino.undo(round_id, "ann")
    await casino.wager(round_id, "ann", ante=1_000)
    await double(casino, round_id)
    assert lying(casino, round_id) == (1_500, 0)
    with pytest.raises(LimitReached):
        await casino.wager(round_id, "ann", ante=1)


async def test_S3_21_an_ante_that_the_table_raises_counts_against_the_own_limit_as_raised(casino: Casino) -> None:
    await casino.table("t", DOLLAR, ante_min_minor=500)
    await casino.player("ann", "USD", deposit=100_000)
    await casino.submit(c.SetLimit("ann", 499))
    round_id = await casino.round("t")
    with pytest.raises(LimitReached):
        await casino.wager(round_id, "ann", seat=1, ante=100)
    assert casino.books.balance("held/ann") == 0
