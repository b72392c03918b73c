"""Which awards give the house back what it put into a pool for a void: those older than the shortfall, no others."""

from __future__ import annotations

from domain.money import MICRO
from tests.domain.showdowns import EURO
from tests.support.cards import ROYAL, hand
from tests.support.casino import Casino, Play


def royal(seat: int) -> Play:
    """A folded royal: the meter is paid, and nothing else is won."""
    return Play(seat, hand(ROYAL, seat), call=False)


async def test_an_award_newer_than_a_shortfall_brings_back_the_whole_meter_that_it_took(casino: Casino) -> None:
    """The third round fills the meter, the fourth takes it with its own part: what its void brings back is theirs."""
    await casino.jackpot("gold", EURO, seed_minor=0, reset_minor=0)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    first = await casino.played("t", {"ann": Play(call=False)})
    await casino.played("t", {"bob": royal(2)})
    await casino.void(first)
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -20 * MICRO
    await casino.played("t", {"ann": Play(call=False)})
    fourth = await casino.played("t", {"bob": royal(2)})
    answer = await casino.void(fourth)
    assert answer["jackpots"][0]["shortfall_micro"] == "0"
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -20 * MICRO
    assert casino.books.balance("m/gold") == 20 * MICRO


async def test_the_answer_of_a_void_names_what_the_house_put_into_meter_and_reserve_together(casino: Casino) -> None:
    """The royal took all but the reset of 10; the first round gave 20 to the meter and 5 to a reserve that is spent."""
    await casino.jackpot("gold", EURO, seed_minor=0, reset_minor=10, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    first = await casino.played("t", {"ann": Play(call=False)})
    await casino.played("t", {"bob": royal(2)})
    answer = await casino.void(first)
    assert answer["jackpots"] == [
        {
            "jackpot": "gold",
            "meter_change_micro": str(-10 * MICRO),
            "reserve_change_micro": "0",
            "overflow_change_micro": "0",
            "shortfall_micro": str(15 * MICRO),
            "meter_after_micro": "0",
        }
    ]
