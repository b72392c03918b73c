"""One connection of a player at a table, the newest, for every act of the player (S0-50, C29)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.errors import Forbidden
from domain.settlement import Decision
from services import commands as c
from tests.domain.showdowns import LIVE
from tests.support.cards import PAIR, hand
from tests.support.casino import Casino

ACTS: dict[str, Callable[[str, str | None], c.Command]] = {
    "wager": lambda round_id, session: c.PlaceWager(round_id, "ann", None, 100, 0, 0, session),
    "double": lambda round_id, session: c.DoubleWagers(round_id, "ann", session),
    "repeat": lambda round_id, session: c.RepeatWagers(round_id, "ann", session),
    "undo": lambda round_id, session: c.UndoWager(round_id, "ann", session),
    "pass": lambda round_id, session: c.PassRound(round_id, "ann", session),
    "leave": lambda round_id, session: c.LeaveRound(round_id, "ann", session),
}
"""What a player does while betting is open."""


async def replaced(casino: Casino) -> str:
    """ann has bet in the last round and in this one; her desk has replaced her phone at the table."""
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=100_000)
    await casino.submit(c.JoinTable("t", "ann", None, "phone", None))
    first = await casino.round("t")
    await casino.wager(first, "ann", ante=1_000)
    await casino.void(first)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    await casino.submit(c.JoinTable("t", "ann", None, "desk", None))
    return round_id


@pytest.mark.parametrize("act", ACTS)
async def test_S0_50_C29_no_act_of_a_replaced_session_is_taken_and_every_one_of_the_newest_is(
    casino: Casino, act: str
) -> None:
    round_id = await replaced(casino)
    before = await casino.everything()
    with pytest.raises(Forbidden) as found:
        await casino.submit(ACTS[act](round_id, "phone"))
    assert found.value.field == "session"
    assert await casino.everything() == before
    answer = ACTS[act](round_id, "desk")
    await casino.submit(answer, status=201 if act == "wager" else 200)
    assert len(await casino.everything()) > len(before)


@pytest.mark.parametrize("act", ACTS)
async def test_C29_an_operator_that_keeps_sessions_itself_names_none(casino: Casino, act: str) -> None:
    round_id = await replaced(casino)
    await casino.submit(ACTS[act](round_id, None), status=201 if act == "wager" else 200)


async def test_S0_50_C29_a_replaced_session_decides_nothing(casino: Casino) -> None:
    round_id = await replaced(casino)
    await casino.close(round_id)
    await casino.deal(round_id, hand(PAIR))
    with pytest.raises(Forbidden) as found:
        await casino.submit(c.Decide(round_id, "ann", Decision.FOLD, "phone"))
    assert found.value.field == "session"
    await casino.submit(c.Decide(round_id, "ann", Decision.CALL, "desk"))
    assert casino.seat(round_id, "ann").decision is Decision.CALL
