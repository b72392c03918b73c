"""A process that was away for longer than rounds are left alone: what is due is done, the rest given up (F29)."""

from __future__ import annotations

import pytest

from domain.errors import Invalid, Unavailable
from domain.rounds.events import Phase, RoundCancelled
from domain.seats.events import SeatDecided
from domain.settlement import DecidedBy, Decision
from services import commands as c
from services.batch import Order, Result
from services.timers import Timers
from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, deck, hand
from tests.support.casino import Casino
from tests.support.hall import Hall

BETTING, DECISION, ABANDON = 10, 20, 60


async def hall_of(casino: Casino, source: str = "SHOE") -> Hall:
    """A table of 002 where ann has a pair and bob a high card, and both have bet."""
    casino.shoe.decks = [deck(4, {1: hand(PAIR, 1), 2: hand(HIGH, 2)}, ACE_KING)]
    await casino.table(
        "t", EURO, pace="AUTO", card_source=source, betting_seconds=BETTING, decision_seconds=DECISION,
        abandon_seconds=ABANDON,
    )  # fmt: skip
    hall = Hall(casino)
    await hall.look()
    for seat, player in enumerate(("ann", "bob"), 1):
        await casino.player(player, deposit=100_000)
        await casino.wager(hall.round_of("t").round, player, seat=seat, ante=1_000)
    return hall


async def test_F29_R19_C14_after_a_long_absence_the_absent_are_decided_for_and_the_round_is_settled(
    casino: Casino,
) -> None:
    hall = await hall_of(casino)
    await hall.look(BETTING)
    assert hall.phase("t") is Phase.DECIDING
    hall = await hall.restarted()
    assert await hall.look(10 * ABANDON) == 1
    assert hall.phase("t") is Phase.SETTLED
    found = [one.event for one in await casino.everything() if isinstance(one.event, SeatDecided)]
    assert {one.player: (one.decision, one.decided_by) for one in found} == {
        "ann": (Decision.CALL, DecidedBy.SYSTEM),
        "bob": (Decision.FOLD, DecidedBy.SYSTEM),
    }


async def test_F29_after_a_long_absence_in_the_betting_the_players_get_their_time_to_decide(casino: Casino) -> None:
    hall = await hall_of(casino)
    hall = await hall.restarted()
    assert await hall.look(10 * ABANDON) == 1
    assert hall.phase("t") is Phase.DECIDING
    assert await hall.look(DECISION - 1) == 0
    await casino.fold(hall.round_of("t").round, "ann")
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.SETTLED


async def test_F29_what_no_timer_can_move_is_given_up_and_every_stake_comes_back(casino: Casino) -> None:
    hall = await hall_of(casino, "FEED")
    await hall.look(BETTING)
    hands = [(1, cards(hand(PAIR, 1))), (2, cards(hand(HIGH, 2)))]
    up = cards(ACE_KING)[-1]
    await casino.submit(c.Deal(hall.round_of("t").round, None, tuple(hands), (up,)))  # the studio kept the others
    assert await hall.look(ABANDON - 1) == 0
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.CANCELLED
    assert casino.books.balance("held/ann") == casino.books.balance("held/bob") == 0


async def test_F29_a_store_that_is_away_for_a_moment_makes_no_round_be_given_up(casino: Casino) -> None:
    hall = await hall_of(casino)
    await hall.look(BETTING)
    away = [c.TimeOut]

    class Shaky:
        async def submit(self, order: Order) -> Result:
            if type(order.command) in away:
                away.clear()
                raise Unavailable("the store cannot be written now")
            return await casino.house.submit(order)

    hall.timers = Timers(Shaky(), hall.seen, casino.clock, casino.ids)  # type: ignore[arg-type]  # a house in all that timers ask of one
    assert await hall.look(10 * ABANDON) == 0
    assert await hall.look() == 1
    assert hall.phase("t") is Phase.SETTLED
    assert [one for one in await casino.everything() if isinstance(one.event, RoundCancelled)] == []


@pytest.mark.parametrize(
    ("terms", "is_taken"),
    [
        ({"pace": "AUTO", "betting_seconds": 30, "decision_seconds": 20, "abandon_seconds": 30}, False),
        ({"pace": "AUTO", "betting_seconds": 30, "decision_seconds": 20, "abandon_seconds": 31}, True),
        ({"pace": "AUTO", "betting_seconds": 20, "decision_seconds": 30, "abandon_seconds": 30}, False),
        ({"pace": "AUTO", "betting_seconds": 20, "decision_seconds": 30, "abandon_seconds": 31}, True),
        ({"pace": "AUTO", "abandon_seconds": 15}, False),  # both windows have 15 seconds by themselves
        ({"betting_seconds": 30, "decision_seconds": 30, "abandon_seconds": 3}, True),  # calls end the windows
        ({"abandon_seconds": 1}, True),
    ],
)
async def test_C16_a_table_gives_no_round_up_before_its_longest_window_ends(
    casino: Casino, terms: dict[str, int | str], is_taken: bool
) -> None:
    if is_taken:
        await casino.table("t", LIVE, **terms)
        return
    with pytest.raises(Invalid) as found:
        await casino.table("t", LIVE, **terms)
    assert found.value.field == "abandon_seconds"
