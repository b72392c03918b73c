"""Which seats a round has, as a house has it in memory: whatever was loaded when, and whatever was let go since."""

from __future__ import annotations

import pytest

from domain.errors import NotFound, WrongPhase
from domain.ids import seat_prefix
from domain.settlement import Decision
from services.commands import CancelAbandoned, JoinTable, PassRound
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
