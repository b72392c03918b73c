"""Tables that the operator lets nobody play beside others (S0-49)."""

from __future__ import annotations

import pytest

from domain.errors import TableLimit
from services import commands as c
from tests.domain.showdowns import LIVE
from tests.services.test_rows_presence import at, join, leave
from tests.support.cards import PAIR, hand
from tests.support.casino import Casino


async def furnish(casino: Casino) -> None:
    """Tables a and b as usual, one that is played alone, and ann with money."""
    for table in ("a", "b"):
        assert (await casino.table(table, LIVE))["multi_game"] is True
    assert (await casino.table("alone", LIVE, multi_game=False))["multi_game"] is False
    await casino.player("ann", deposit=100_000)


async def test_S0_49_a_table_played_alone_is_not_joined_beside_others_nor_others_beside_it(casino: Casino) -> None:
    await furnish(casino)
    await join(casino, "a")
    with pytest.raises(TableLimit) as found:
        await join(casino, "alone")
    assert found.value.field == "table"
    await leave(casino, "a")
    await join(casino, "alone")
    await join(casino, "alone", session="desk")
    with pytest.raises(TableLimit):
        await join(casino, "a")
    assert at(casino) == {"alone": None}


async def test_S0_49_a_player_switches_to_a_table_played_alone_and_back(casino: Casino) -> None:
    await furnish(casino)
    await join(casino, "a")
    await join(casino, "alone", instead_of="a")
    await join(casino, "b", instead_of="alone")
    await join(casino, "a")
    with pytest.raises(TableLimit):  # one of the two would stay
        await join(casino, "alone", instead_of="a")
    assert at(casino) == {"a": None, "b": None}


@pytest.mark.parametrize(("first", "then"), [("a", "alone"), ("alone", "a")])
async def test_S0_49_with_bets_elsewhere_nobody_bets_at_a_table_played_alone_whoever_joined(
    casino: Casino, first: str, then: str
) -> None:
    await furnish(casino)
    rounds = {table: await casino.round(table) for table in (first, then)}
    await casino.wager(rounds[first], "ann", ante=500)
    await casino.wager(rounds[first], "ann", ante=500)
    with pytest.raises(TableLimit) as found:
        await casino.wager(rounds[then], "ann", ante=500)
    assert found.value.field == "player"
    await casino.close(rounds[first])
    await casino.deal(rounds[first], hand(PAIR))
    await casino.settle(rounds[first])
    await casino.wager(rounds[then], "ann", ante=500)


async def test_S0_49_who_is_at_another_table_bets_nothing_at_one_played_alone(casino: Casino) -> None:
    await furnish(casino)
    round_id, other = await casino.round("alone"), await casino.round("b")
    await join(casino, "a")
    with pytest.raises(TableLimit):
        await casino.wager(round_id, "ann", ante=500)
    await casino.wager(other, "ann", ante=500)
    await casino.undo(other, "ann")
    await leave(casino, "a")
    await casino.wager(round_id, "ann", ante=500)


async def test_S0_49_the_flag_is_the_tables_after_a_restart(casino: Casino) -> None:
    await furnish(casino)
    await casino.throw_away()
    await casino.submit(c.JoinTable("alone", "ann", None, "phone", None))
    with pytest.raises(TableLimit):
        await join(casino, "a")
