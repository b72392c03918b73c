"""A table that timers drive: they open, close, deal and settle, each when its time has come (C16, S0-10, S0-28)."""

from __future__ import annotations

import pytest

from domain.errors import BettingClosed, Refusal, WrongPhase
from domain.rounds.events import BettingClosed as BettingWasClosed
from domain.rounds.events import Phase, RoundCancelled
from domain.seats.events import SeatDecided, WagerKind
from domain.settlement import DecidedBy, Decision
from services import commands as c
from services.batch import Order, Result
from services.timers import Timers
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, deck, hand
from tests.support.casino import Casino
from tests.support.hall import Hall

BETTING, DECISION, PAUSE = 10, 20, 5


@pytest.fixture
async def hall(casino: Casino) -> Hall:
    """A table from a shoe that deals a high card against an ace-king, and a player."""
    casino.shoe.decks = [deck(1, {1: hand(HIGH)}, ACE_KING) for _ in range(3)]
    await casino.table(
        "t", LIVE, pace="AUTO", card_source="SHOE", betting_seconds=BETTING, decision_seconds=DECISION,
        pause_seconds=PAUSE,
    )  # fmt: skip
    await casino.player("ann", deposit=100_000)
    return Hall(casino)


async def bet(hall: Hall, ante: int = 1_000) -> str:
    """The first round is open and ann has a bet in it."""
    await hall.look()
    round_id = hall.round_of("t").round
    await hall.casino.wager(round_id, "ann", ante=ante)
    return round_id


async def test_C16_timers_open_the_first_round_and_the_next_a_pause_after_the_last(hall: Hall) -> None:
    assert await hall.look() == 1
    first = hall.round_of("t")
    assert (first.phase, first.closes_at) == (Phase.BETTING_OPEN, hall.casino.clock.now().replace(second=15))
    assert await hall.look() == 0
    await hall.look(BETTING)
    assert await hall.look() == 1
    assert hall.phase("t") is Phase.SETTLED
    assert await hall.look(PAUSE - 1) == 0
    assert hall.round_of("t").round == first.round
    assert await hall.look(1) == 1
    assert hall.round_of("t").round != first.round
    assert hall.phase("t") is Phase.BETTING_OPEN


async def test_S0_28_betting_closes_at_its_end_and_the_shoe_deals_at_once(hall: Hall) -> None:
    await bet(hall)
    assert await hall.look(BETTING - 1) == 0
    assert hall.phase("t") is Phase.BETTING_OPEN
    assert await hall.look(1) == 1
    dealt = hall.round_of("t")
    assert (dealt.phase, dealt.dealt and dealt.dealt.shared_cards) == (Phase.DECIDING, cards(hand(HIGH)))
    assert (dealt.deadline and (dealt.deadline - hall.casino.clock.now()).total_seconds()) == DECISION
    closed = [one.event for one in await hall.casino.everything() if isinstance(one.event, BettingWasClosed)]
    assert [one.decided_by for one in closed] == [DecidedBy.SYSTEM]


async def test_S0_38_who_has_not_decided_at_the_deadline_is_auto_folded(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.look(BETTING)
    assert await hall.look(DECISION - 1) == 0
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.SETTLED
    decided = [one.event for one in await hall.casino.everything() if isinstance(one.event, SeatDecided)]
    assert [(one.round, one.decision, one.decided_by) for one in decided] == [
        (round_id, Decision.FOLD, DecidedBy.SYSTEM)
    ]


async def test_S0_07_the_dealer_shows_as_soon_as_everybody_has_decided(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.casino.player("bob", deposit=100_000)
    await hall.casino.wager(round_id, "bob", ante=500)
    await hall.look(BETTING)
    await hall.casino.call(round_id, "ann")
    assert await hall.look(1) == 0
    await hall.casino.fold(round_id, "bob")
    assert await hall.look() == 1
    assert hall.phase("t") is Phase.SETTLED


@pytest.mark.parametrize(
    "command",
    [c.PlaceWager("", "ann", None, 500, 0, 0), c.UndoWager("", "ann"), c.DoubleWagers("", "ann"),
     c.RepeatWagers("", "ann"), c.PassRound("", "ann")],
    ids=lambda command: type(command).__name__,
)  # fmt: skip
async def test_S0_10_at_the_end_of_betting_bets_are_fixed_though_the_timer_has_not_come(
    hall: Hall, command: c.Command
) -> None:
    round_id = await bet(hall)
    hall.casino.clock.forward(BETTING)
    with pytest.raises(BettingClosed):
        await hall.casino.submit(
            type(command)(round_id, *[getattr(command, name) for name in command.__match_args__[1:]])
        )
    assert hall.casino.seat(round_id, "ann").stake_minor(WagerKind.ANTE) == 1_000


async def test_S0_10_a_wager_in_the_last_moment_of_betting_counts(hall: Hall) -> None:
    round_id = await bet(hall)
    hall.casino.clock.forward(BETTING - 0.000_001)
    await hall.casino.wager(round_id, "ann", ante=500)
    await hall.look(0.000_001)
    assert hall.casino.seat(round_id, "ann").stake_minor(WagerKind.ANTE) == 1_500


async def test_S0_31_who_leaves_after_the_end_of_betting_has_the_bets_stand(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.casino.submit(c.JoinTable("t", "ann", None, "phone", None))
    hall.casino.clock.forward(BETTING)
    await hall.casino.leave(round_id, "ann")
    left = await hall.casino.submit(c.LeaveTable("t", "ann"))
    assert left["declined"] == 0
    assert hall.casino.seat(round_id, "ann").held_minor == 3_000


async def test_C16_a_decision_at_or_after_the_deadline_is_refused(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.look(BETTING)
    hall.casino.clock.forward(DECISION)
    with pytest.raises(WrongPhase, match="decision time is over"):
        await hall.casino.call(round_id, "ann")
    assert await hall.look() == 1
    assert hall.casino.seat(round_id, "ann").decision is Decision.FOLD


async def test_S0_46_a_pause_stops_the_clock_and_the_window_goes_on_for_what_was_left(hall: Hall) -> None:
    round_id = await bet(hall)
    hall.casino.clock.forward(BETTING - 3)
    await hall.casino.submit(c.Pause(round_id, "camera"))
    assert await hall.look(500) == 0
    await hall.casino.submit(c.Resume(round_id, "seen"))
    assert await hall.look(2) == 0
    await hall.casino.wager(round_id, "ann", ante=500)
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.DECIDING
    hall.casino.clock.forward(DECISION - 4)
    await hall.casino.submit(c.Pause(round_id, "card"))
    assert await hall.look(500) == 0
    await hall.casino.submit(c.Resume(round_id, "seen"))
    hall.casino.clock.forward(3)
    await hall.casino.call(round_id, "ann")
    assert await hall.look() == 1
    assert hall.casino.seat(round_id, "ann").decision is Decision.CALL


async def test_S0_47_a_round_paused_for_too_long_is_cancelled_and_the_next_opens_after_the_pause(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.casino.submit(c.Pause(round_id, "camera"))
    assert await hall.look(3_599) == 0
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.CANCELLED
    assert hall.casino.books.balance("av/ann") == 100_000 * 10**6
    assert await hall.look(PAUSE - 1) == 0
    assert await hall.look(1) == 1
    cancelled = [one.event for one in await hall.casino.everything() if isinstance(one.event, RoundCancelled)]
    assert len(cancelled) == 1


async def test_R22_a_table_out_of_service_finishes_its_round_and_opens_no_other(hall: Hall) -> None:
    await bet(hall)
    await hall.casino.disable(c.Scope.TABLE, "t")
    assert await hall.look(BETTING) == 1
    assert await hall.look(DECISION) == 1
    assert hall.phase("t") is Phase.SETTLED
    assert await hall.look(1_000) == 0
    await hall.casino.enable(c.Scope.TABLE, "t")
    assert await hall.look() == 1


@pytest.mark.parametrize(("scope", "name"), [(c.Scope.ALL, ""), (c.Scope.RULESET, LIVE)])
async def test_R22_where_gaming_is_off_no_round_opens(hall: Hall, scope: c.Scope, name: str) -> None:
    await hall.casino.disable(scope, name)
    assert await hall.look(1_000) == 0
    await hall.casino.enable(scope, name)
    assert await hall.look() == 1


async def test_staff_closes_and_settles_earlier_than_the_timers(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.casino.close(round_id)
    assert hall.phase("t") is Phase.BETTING_CLOSED
    assert await hall.look() == 1  # the shoe deals
    with pytest.raises(WrongPhase):
        await hall.casino.settle(round_id)
    await hall.casino.call(round_id, "ann")
    await hall.casino.settle(round_id)
    assert await hall.look(PAUSE) == 1


async def test_a_round_that_staff_voids_is_followed_by_the_next(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.look(BETTING)
    await hall.casino.void(round_id)
    assert await hall.look(PAUSE) == 1
    assert hall.phase("t") is Phase.BETTING_OPEN


async def test_one_round_that_fails_stops_none_of_the_others(hall: Hall) -> None:
    await hall.casino.table("u", LIVE, pace="AUTO", card_source="SHOE", betting_seconds=BETTING)
    await hall.look()
    broken = hall.round_of("t").round

    class Cracked:
        async def submit(self, order: Order) -> Result:
            if getattr(order.command, "round", "") == broken:
                raise RuntimeError("a fault of ours")
            return await hall.casino.house.submit(order)

    hall.timers = Timers(Cracked(), hall.seen, hall.casino.clock, hall.casino.ids)  # type: ignore[arg-type]  # a house in all that timers ask of one
    assert await hall.look(BETTING) == 1
    assert (hall.phase("t"), hall.phase("u")) == (Phase.BETTING_OPEN, Phase.DECIDING)


async def test_S3_13_a_decision_need_not_wait_for_the_players_before(hall: Hall) -> None:
    round_id = await bet(hall)
    await hall.casino.player("bob", deposit=100_000)
    await hall.casino.wager(round_id, "bob", ante=500)
    await hall.look(BETTING)
    await hall.casino.fold(round_id, "bob")
    await hall.casino.call(round_id, "ann")
    with pytest.raises(Refusal):
        await hall.casino.call(round_id, "bob")


async def test_a_feed_table_waits_for_the_studios_deal_however_late(casino: Casino) -> None:
    await casino.table("t", LIVE, pace="AUTO", betting_seconds=BETTING, decision_seconds=DECISION)
    await casino.player("ann", deposit=100_000)
    hall = Hall(casino)
    round_id = await bet(hall)
    assert await hall.look(BETTING) == 1
    assert hall.phase("t") is Phase.BETTING_CLOSED
    assert await hall.look(1_000) == 0
    await casino.deal(round_id, hand(PAIR))
    assert await hall.look(DECISION - 1) == 0
    assert await hall.look(1) == 1
    assert hall.phase("t") is Phase.SETTLED


async def test_a_feed_table_whose_studio_keeps_the_dealers_cards_is_settled_by_the_studio(casino: Casino) -> None:
    await casino.table("t", LIVE, pace="AUTO", betting_seconds=BETTING, decision_seconds=DECISION)
    await casino.player("ann", deposit=100_000)
    hall = Hall(casino)
    round_id = await bet(hall)
    await hall.look(BETTING)
    up, *others = cards(ACE_KING)
    await casino.submit(c.Deal(round_id, cards(hand(PAIR)), None, (up,)))
    assert await hall.look(DECISION) == 0
    assert hall.phase("t") is Phase.DECIDING
    await casino.submit(c.Settle(round_id, tuple(others)))
    assert casino.seat(round_id, "ann").decision is Decision.FOLD
