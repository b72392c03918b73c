"""Which wagers a table takes: limits of a spot's sum, seats, prices, the order of ante and side wager."""

from __future__ import annotations

import pytest

from domain.errors import (
    AboveMaximum,
    AlreadySeated,
    BelowMinimum,
    CurrencyMismatch,
    InsufficientFunds,
    Invalid,
    Refusal,
    SeatTaken,
)
from domain.seats import decider as seats
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.casino import CURRENCY, Casino
from tests.support.entries import posted, table


async def opened(casino: Casino, ruleset: str, *, deposit: int = 100_000, **terms: object) -> str:
    """A round of a table of the rule set, with its pool where it has one; ann and bob."""
    if ruleset != LIVE:
        await casino.jackpot("gold", ruleset)
    await casino.table("t", ruleset, **{"jackpot": None if ruleset == LIVE else "gold"} | terms)
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=deposit)
    return await casino.round("t")


async def refused(casino: Casino, kind: type[Refusal], field: str | None, round_id: str, **wager: object) -> None:
    """The wager is refused as this, and names the field."""
    with pytest.raises(kind) as raised:
        await casino.wager(round_id, "ann", **wager)
    assert (raised.type, raised.value.field) == (kind, field)


async def test_S2_01_a_seat_that_another_holds_is_taken(casino: Casino) -> None:
    round_id = await opened(casino, EURO)
    await casino.wager(round_id, "bob", seat=2, ante=100)
    await refused(casino, SeatTaken, "seat", round_id, seat=2, ante=100)
    await casino.undo(round_id, "bob")
    await casino.wager(round_id, "ann", seat=2, ante=100)


async def test_S2_01_a_player_has_one_seat_in_a_round(casino: Casino) -> None:
    round_id = await opened(casino, EURO)
    await casino.wager(round_id, "ann", seat=2, ante=100)
    await refused(casino, AlreadySeated, "seat", round_id, seat=1, ante=100)
    await casino.wager(round_id, "ann", seat=2, ante=100)
    await casino.leave(round_id, "ann")
    moved = await casino.wager(round_id, "ann", seat=1, ante=100)
    assert (moved["seat"], moved["total_bet"]) == (1, 100)
    (seat,) = casino.books.of_kind("seat")
    assert isinstance(seat, seats.Seat)
    assert (seat.seat, len(seat.actions)) == (1, 1)


@pytest.mark.parametrize(("ruleset", "last"), [(EURO, 4), (DOLLAR, 5), (LAND, 7)])
async def test_S2_01_S3_02_a_seat_that_the_table_does_not_have_is_refused(
    casino: Casino, ruleset: str, last: int
) -> None:
    round_id = await opened(casino, ruleset)
    for seat in (None, 0, -1, last + 1):
        await refused(casino, Invalid, "seat", round_id, seat=seat, ante=100)
    for player, seat in (("ann", 1), ("bob", last)):
        await casino.wager(round_id, player, seat=seat, ante=100)


async def test_S0_02_a_table_with_one_hand_for_all_has_no_seats(casino: Casino) -> None:
    round_id = await opened(casino, LIVE)
    await refused(casino, Invalid, "seat", round_id, seat=1, ante=100)


async def test_C33_a_wallet_of_another_currency_does_not_play(casino: Casino) -> None:
    await casino.table("t", LIVE)
    await casino.player("ann", "USD", deposit=1_000)
    await refused(casino, CurrencyMismatch, "player", await casino.round("t"), ante=100)


async def test_S0_24_a_spot_takes_no_more_than_its_maximum(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, ante_max_minor=500, side_max_minor=50, side_min_minor=10)
    await refused(casino, AboveMaximum, "ante", round_id, ante=501)
    await casino.wager(round_id, "ann", ante=400)
    await refused(casino, AboveMaximum, "ante", round_id, ante=101)
    await casino.wager(round_id, "ann", ante=100)
    await refused(casino, AboveMaximum, "side.five_plus_one", round_id, five_plus_one=51)
    await casino.wager(round_id, "ann", five_plus_one=40)
    await refused(casino, AboveMaximum, "side.five_plus_one", round_id, five_plus_one=11)
    await casino.wager(round_id, "ann", five_plus_one=10)


async def test_S0_24_a_side_spot_takes_no_less_than_its_minimum_in_sum(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, side_max_minor=50, side_min_minor=10)
    await refused(casino, BelowMinimum, "side.five_plus_one", round_id, ante=100, five_plus_one=9)
    await casino.wager(round_id, "ann", ante=100, five_plus_one=10)
    await casino.wager(round_id, "ann", five_plus_one=1)


async def test_S0_25_the_table_has_a_limit_for_all_spots_together(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, total_max_minor=600)
    await casino.wager(round_id, "ann", ante=300, five_plus_one=100)
    await refused(casino, AboveMaximum, "ante", round_id, ante=201)
    await refused(casino, AboveMaximum, "ante", round_id, ante=150, five_plus_one=51)
    await casino.wager(round_id, "ann", ante=150, five_plus_one=50)
    assert casino.body["total_bet"] == 600


async def test_S0_09_the_bonus_needs_the_minimum_ante_on_the_spot(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, ante_min_minor=200)
    await refused(casino, BelowMinimum, "side.five_plus_one", round_id, five_plus_one=10)
    await refused(casino, BelowMinimum, "side.five_plus_one", round_id, ante=199, five_plus_one=10)
    await casino.wager(round_id, "ann", ante=150)
    await refused(casino, BelowMinimum, "side.five_plus_one", round_id, five_plus_one=10)
    await casino.wager(round_id, "ann", ante=50, five_plus_one=10)
    await casino.wager(round_id, "ann", five_plus_one=10)


async def test_S0_34_undo_takes_whole_actions_from_the_last_on(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, ante_min_minor=200)
    await casino.wager(round_id, "ann", ante=200)
    await casino.wager(round_id, "ann", ante=100, five_plus_one=10)
    await casino.undo(round_id, "ann")
    assert [one["kind"] for one in casino.body["wagers"]] == ["ANTE"]
    assert casino.body["total_bet"] == 200
    await casino.undo(round_id, "ann")
    assert (casino.body["wagers"], casino.body["total_bet"]) == ([], 0)


@pytest.mark.parametrize(("ruleset", "price"), [(EURO, 50), (LAND, 100)])
async def test_S2_05_S4_06_the_progressive_wager_comes_with_the_ante_once_at_its_price(
    casino: Casino, ruleset: str, price: int
) -> None:
    round_id = await opened(casino, ruleset)
    field = "side.progressive"
    await refused(casino, Invalid, field, round_id, seat=1, progressive=price)
    await refused(casino, BelowMinimum, field, round_id, seat=1, ante=100, progressive=price - 1)
    await refused(casino, AboveMaximum, field, round_id, seat=1, ante=100, progressive=price + 1)
    await casino.wager(round_id, "ann", seat=1, ante=100)
    await refused(casino, Invalid, field, round_id, seat=1, progressive=price)
    await casino.wager(round_id, "ann", seat=1, ante=100, progressive=price)
    await refused(casino, AboveMaximum, field, round_id, seat=1, ante=100, progressive=price)


async def test_S3_09_the_dollar_tables_side_wager_may_come_first_and_goes_at_the_close_without_an_ante(
    casino: Casino,
) -> None:
    round_id = await opened(casino, DOLLAR)
    await casino.wager(round_id, "ann", seat=1, progressive=100)
    await casino.wager(round_id, "bob", seat=2, progressive=100)
    await casino.wager(round_id, "bob", seat=2, ante=500)
    answer = await casino.close(round_id)
    (gone,) = answer["rejected"]
    assert (gone["player"], gone["reason"], gone["released"], answer["seats"]) == ("ann", "NO_ANTE", 100, 1)
    assert len(gone["wagers"]) == 1
    assert answer["rejected_count"] == 1
    assert answer["contribution_micro"] == "40000000"
    assert posted(casino)[0] == table("""
        held/ann    -100
        av/ann      +100
    """)


async def test_a_table_without_a_pool_takes_no_progressive_wager(casino: Casino) -> None:
    round_id = await opened(casino, EURO, jackpot=None)
    await refused(casino, Invalid, "side.progressive", round_id, seat=1, ante=100, progressive=50)


async def test_a_side_wager_of_another_game_is_refused(casino: Casino) -> None:
    round_id = await opened(casino, LIVE)
    await refused(casino, Invalid, "side.progressive", round_id, ante=100, progressive=50)
    await casino.table("u", DOLLAR, jackpot=None)
    await casino.player("cas", "USD", deposit=1_000)
    other = await casino.round("u")
    with pytest.raises(Invalid) as raised:
        await casino.wager(other, "cas", seat=1, ante=100, five_plus_one=50)
    assert raised.value.field == "side.five_plus_one"


async def test_a_wager_of_nothing_is_refused(casino: Casino) -> None:
    await refused(casino, Invalid, "ante", await opened(casino, LIVE))


async def test_C13_the_hold_is_covered_or_the_wager_refused(casino: Casino) -> None:
    round_id = await opened(casino, LIVE, deposit=3_010)
    await refused(casino, InsufficientFunds, None, round_id, ante=1_000, five_plus_one=11)
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=10)
    assert casino.body["balance"]["available"] == 0


async def test_S3_03_an_ante_is_at_most_a_third_of_the_balance_with_what_the_seat_holds(casino: Casino) -> None:
    round_id = await opened(casino, DOLLAR, deposit=3_002)
    await refused(casino, AboveMaximum, "ante", round_id, seat=1, ante=1_001)
    await casino.wager(round_id, "ann", seat=1, ante=600)
    await refused(casino, AboveMaximum, "ante", round_id, seat=1, ante=401)
    await casino.wager(round_id, "ann", seat=1, ante=400)
    assert (casino.body["total_bet"], casino.body["balance"]["held"]) == (1_000, 3_000)


async def test_S3_04_C10_the_dollar_table_raises_a_short_ante_to_the_minimum_of_the_spot(casino: Casino) -> None:
    round_id = await opened(casino, DOLLAR, ante_min_minor=500)
    await casino.wager(round_id, "ann", seat=1, ante=499, progressive=100)
    assert casino.body["raised"] == {"asked": 499, "used": 500}
    await casino.wager(round_id, "ann", seat=1, ante=1)
    assert (casino.body["raised"], casino.body["total_bet"]) == (None, 601)
    await casino.wager(round_id, "bob", seat=2, ante=500)
    assert casino.body["raised"] is None


async def test_C10_a_raise_that_is_just_covered_is_made(casino: Casino) -> None:
    round_id = await opened(casino, DOLLAR, deposit=1_600, ante_min_minor=500)
    await casino.wager(round_id, "ann", seat=1, ante=1, progressive=100)
    assert casino.body["balance"]["available"] == 0
    assert casino.body["raised"] == {"asked": 1, "used": 500}


async def test_S0_26_a_short_ante_goes_at_the_close_and_the_minimum_stays(casino: Casino) -> None:
    round_id = await opened(casino, EURO, ante_min_minor=200)
    await casino.wager(round_id, "ann", seat=1, ante=199, progressive=50)
    await casino.wager(round_id, "bob", seat=2, ante=150)
    await casino.wager(round_id, "bob", seat=2, ante=50)
    answer = await casino.close(round_id)
    (gone,) = answer["rejected"]
    assert (gone["player"], gone["reason"], gone["released"]) == ("ann", "BELOW_MINIMUM", 647)
    assert (answer["seats"], answer["contribution_micro"], len(gone["wagers"])) == (1, "0", 2)


async def test_S0_34_an_ante_that_comes_back_below_the_minimum_is_let_be_until_the_close(casino: Casino) -> None:
    round_id = await opened(casino, EURO, ante_min_minor=200)
    await casino.wager(round_id, "ann", seat=1, ante=150, progressive=50)
    await casino.wager(round_id, "ann", seat=1, ante=50)
    answer = await casino.undo(round_id, "ann")
    assert ([one["stake"] for one in answer["wagers"]], answer["seat"], answer["total_bet"]) == ([150, 50], 1, 200)


async def test_S3_03_a_side_wager_is_not_asked_for_a_third_of_the_balance(casino: Casino) -> None:
    round_id = await opened(casino, DOLLAR, deposit=3_000, call_reserve="NONE")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.withdraw("ann", 1_900, "USD")
    answer = await casino.wager(round_id, "ann", seat=1, progressive=100)
    assert (answer["total_bet"], answer["balance"]["available"]) == (1_100, 0)


async def test_a_seat_that_was_left_begins_anew(casino: Casino) -> None:
    round_id = await opened(casino, LIVE)
    await casino.wager(round_id, "ann", ante=300, five_plus_one=10)
    answer = await casino.leave(round_id, "ann")
    assert (answer["wagers"], answer["total_bet"], answer["balance"]["available"]) == ([], 0, 100_000)
    await casino.wager(round_id, "ann", ante=100)
    await casino.undo(round_id, "ann")
    (seat,) = casino.books.of_kind("seat")
    assert isinstance(seat, seats.Seat)
    assert (seat.wagers, seat.actions, seat.held_minor) == ((), (), 0)
