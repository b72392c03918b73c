"""Which seats a round has, as a house has it in memory: whatever was loaded when, and whatever was let go since."""

from __future__ import annotations

import pytest

from domain.errors import NotFound, WrongPhase
from domain.ids import seat_prefix
from domain.seats.decider import Seat
from domain.settlement import Decision
from domain.streams import State
from services.commands import CancelAbandoned, JoinTable, PassRound
from services.states import Missing, States, Versioned
from tests.domain.showdowns import EURO, LIVE
from tests.services.crowd import SEATS, betted, memory
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino
from tests.support.counter import OPERATOR


async def test_a_player_who_passes_while_the_rounds_seats_are_read_counts_as_a_touch_of_the_round(
    casino: Casino,
) -> None:
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    await casino.table("t", EURO, abandon_seconds=3_600)
    round_id = await casino.round("t")
    await casino.throw_away()
    casino.clock.forward(3_000)
    orders = [casino.order(PassRound(round_id, "ann")), casino.order(JoinTable("t", "bob", 2, "s1", None))]
    await casino.send_all(orders)  # the first makes a seat, the second asks the log for all seats, in one turn
    casino.clock.forward(1_000)
    with pytest.raises(WrongPhase, match="a moment ago"):
        await casino.submit(CancelAbandoned(round_id))


async def test_a_large_round_that_is_given_up_is_read_in_a_few_loads_though_its_seats_were_let_go(
    crowd: Casino,
) -> None:
    round_id = await betted(crowd)
    crowd.house._states._states.clear()  # the list of the round's seats stays
    crowd.clock.forward(4_000)
    before = memory(crowd).loads
    body = await crowd.submit(CancelAbandoned(round_id))
    assert (body["phase"], body["players_count"]) == ("CANCELLED", SEATS)
    assert memory(crowd).loads - before < 20


async def test_who_never_sat_in_a_round_is_not_kept_among_its_seats(casino: Casino) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    await casino.close(round_id)
    await casino.deal(round_id, hand(HIGH))
    for nth in range(5):
        with pytest.raises(NotFound):
            await casino.decide(round_id, f"nobody{nth}", Decision.CALL)
    assert len(casino.house._states.under(seat_prefix(OPERATOR, round_id))) == 1


def with_seats(*players: str) -> States:
    states = States()
    states.put("op/round/r", Versioned(None, 1, None), is_first=True)
    for player in players:
        states.put(f"op/seat/r.{player}", Versioned(Seat("r", player, None), 1, None))
    return states


def test_the_next_seats_are_looked_for_behind_those_that_were_done_before() -> None:
    states, looked, paid = with_seats("ann", "bob", "cyd", "dee", "eve"), list[str](), {"ann", "cyd"}

    def is_paid(state: State | None) -> bool:
        assert isinstance(state, Seat)
        looked.append(state.player)
        return state.player in paid

    def the_next_two() -> list[str]:
        looked.clear()
        found = (one.state for one in states.next_under("op/seat/r.", 2, is_paid))
        return [one.player for one in found if isinstance(one, Seat)]

    assert (the_next_two(), looked) == (["bob", "dee"], ["ann", "bob", "cyd", "dee"])
    paid |= {"bob", "dee"}
    assert (the_next_two(), looked) == (["eve"], ["bob", "cyd", "dee", "eve"])
    paid.add("eve")
    assert (the_next_two(), looked) == ([], ["eve"])
    assert (the_next_two(), looked) == ([], [])
    states.put("op/seat/r.amy", Versioned(Seat("r", "amy", None), 1, None))
    assert the_next_two() == ["amy"]


def test_seats_that_were_let_go_are_asked_for_all_at_once_from_the_next_one_on() -> None:
    states = with_seats("ann", "bob", "cyd", "dee")
    assert len(states.next_under("op/seat/r.", 1, lambda _: True)) == 0
    for player in ("ann", "cyd", "dee"):
        del states._states[f"op/seat/r.{player}"]
    with pytest.raises(Missing) as missing:
        states.next_under("op/seat/r.", 9, lambda one: isinstance(one, Seat) and one.player == "ann")
    assert missing.value.streams == ("op/seat/r.ann", "op/seat/r.cyd", "op/seat/r.dee")
