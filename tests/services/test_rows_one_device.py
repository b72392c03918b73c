"""One device of a player overall, where the operator says so (C29)."""

from __future__ import annotations

import pytest

from domain.errors import Forbidden, SeatTaken, TableLimit, WrongPhase
from domain.players import Player
from domain.rules import ChatPolicy
from domain.seats.events import SeatDecided
from domain.settlement import DecidedBy, Decision
from services import commands as c
from tests.domain.showdowns import EURO
from tests.services.test_rows_presence import at, furnish, join, leave
from tests.support.cards import PAIR, hand
from tests.support.casino import Casino
from tests.support.counter import Body


async def one_device(casino: Casino, on: bool = True) -> Body:
    return await casino.submit(c.SetOneDevice(on, "one terminal for each patron"))


async def by_phone(casino: Casino, tables: str) -> None:
    """ann is at these tables by phone, on seat 1 of each, and her operator allows one device."""
    await furnish(casino, *"abcde")
    await one_device(casino)
    for table in tables:
        await join(casino, table, seat=1)


def sessions(casino: Casino) -> dict[str, str]:
    found = casino.books.state("player", "ann")
    assert isinstance(found, Player)
    return {one.table: one.session for one in found.tables}


async def test_C29_with_one_device_a_join_by_another_ends_the_older_sessions_at_all_tables(casino: Casino) -> None:
    await by_phone(casino, "abc")
    await join(casino, "c", seat=1, session="desk")
    assert sessions(casino) == {"c": "desk"}
    for table in "ab":  # the seats are free
        await join(casino, table, "bob", seat=1)
    with pytest.raises(SeatTaken):
        await join(casino, "c", "bob", seat=1)


async def test_C29_with_one_device_a_player_is_at_many_tables_by_that_one(casino: Casino) -> None:
    await by_phone(casino, "abcd")
    assert at(casino) == dict.fromkeys("abcd", 1)
    with pytest.raises(TableLimit):
        await join(casino, "e", seat=1)
    await join(casino, "e", seat=1, session="desk")  # the four of the phone are left for it
    assert sessions(casino) == {"e": "desk"}


async def test_C29_with_one_device_nobody_elses_device_is_put_out(casino: Casino) -> None:
    await by_phone(casino, "a")
    await join(casino, "a", "bob", seat=2, session="desk")
    await join(casino, "b", "bob", seat=2, session="tablet")
    assert sessions(casino) == {"a": "phone"}
    assert at(casino, "bob") == {"b": 2}


async def test_C29_with_one_device_bets_are_declined_while_betting_is_open_and_stand_later(casino: Casino) -> None:
    await by_phone(casino, "ab")
    early, late = await casino.round("a"), await casino.round("b")
    for round_id in (early, late):
        await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.close(late)
    await casino.deal(late, {1: hand(PAIR)})
    await join(casino, "c", seat=1, session="desk")
    assert sessions(casino) == {"c": "desk"}
    assert casino.seat(early, "ann").wagers == ()
    assert casino.books.balance("held/ann") == 3_000 * 10**6  # the ante that stands, and what its call would take
    await casino.settle(late)
    decided = [one.event for one in await casino.everything() if isinstance(one.event, SeatDecided)]
    assert [(one.decision, one.decided_by) for one in decided] == [(Decision.CALL, DecidedBy.SYSTEM)]


async def test_C29_with_one_device_an_act_of_an_older_session_is_forbidden_at_every_table(casino: Casino) -> None:
    await by_phone(casino, "ab")
    round_id = await casino.round("a")
    await join(casino, "c", seat=1, session="desk")
    acts = (
        c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "phone"),
        c.PassRound(round_id, "ann", "phone"),
        c.LeaveRound(round_id, "ann", "phone"),
        c.LeaveTable("b", "ann", "phone"),
    )
    for act in acts:
        with pytest.raises(Forbidden) as found:
            await casino.submit(act)
        assert found.value.field == "session"
    await join(casino, "a", seat=1, session="desk")
    await casino.submit(c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "desk"), status=201)


async def test_C29_with_one_device_an_older_session_decides_and_writes_nothing(casino: Casino) -> None:
    await by_phone(casino, "ab")
    await casino.submit(c.SetChat("a", ChatPolicy.ON, "a friendly table"))
    round_id = await casino.round("b")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.close(round_id)
    await casino.deal(round_id, {1: hand(PAIR)})
    await join(casino, "c", seat=1, session="desk")
    for act in (c.Decide(round_id, "ann", Decision.CALL, "phone"), c.PostMessage("a", "ann", "hi", "5a" * 16, "phone")):
        with pytest.raises(Forbidden):
            await casino.submit(act)
    await join(casino, "b", seat=1, session="desk")
    await casino.submit(c.Decide(round_id, "ann", Decision.CALL, "desk"))


async def test_C29_a_session_that_was_there_before_the_operator_said_so_acts_no_more_once_it_is_not_the_newest(
    casino: Casino,
) -> None:
    await furnish(casino, "a", "b")
    await join(casino, "a", seat=1)
    await join(casino, "b", seat=1, session="desk")
    round_id = await casino.round("a")
    await casino.submit(c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "phone"), status=201)
    await one_device(casino)
    assert sessions(casino) == {"a": "phone", "b": "desk"}  # nobody is put out before somebody joins
    with pytest.raises(Forbidden):
        await casino.submit(c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "phone"), status=201)
    with pytest.raises(Forbidden):
        await leave(casino, "a", session="phone")
    await leave(casino, "b", session="desk")
    await casino.submit(c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "phone"), status=201)


async def test_C29_a_join_that_is_refused_puts_no_older_session_out(casino: Casino) -> None:
    await by_phone(casino, "ab")
    await join(casino, "c", "bob", seat=1)
    before = await casino.everything()
    with pytest.raises(SeatTaken):
        await join(casino, "c", seat=1, session="desk")
    assert await casino.everything() == before
    assert sessions(casino) == {"a": "phone", "b": "phone"}


async def test_C29_with_one_device_a_table_played_alone_is_joined_by_the_next_device(casino: Casino) -> None:
    await by_phone(casino, "ab")
    await casino.table("alone", EURO, multi_game=False)
    with pytest.raises(TableLimit):
        await join(casino, "alone", seat=1)
    await join(casino, "alone", seat=1, session="desk")
    assert sessions(casino) == {"alone": "desk"}


async def test_C29_off_again_each_table_has_its_own_newest_session(casino: Casino) -> None:
    await by_phone(casino, "a")
    await one_device(casino, False)
    await join(casino, "b", seat=1, session="desk")
    assert sessions(casino) == {"a": "phone", "b": "desk"}
    round_id = await casino.round("a")
    await casino.submit(c.PlaceWager(round_id, "ann", 1, 500, 0, 0, "phone"), status=201)


async def test_C29_what_is_on_already_is_not_set_on_and_stays_on_after_a_restart(casino: Casino) -> None:
    await furnish(casino, "a", "b")
    with pytest.raises(WrongPhase) as found:
        await one_device(casino, False)
    assert found.value.field == "one_device"
    assert (await one_device(casino))["one_device"] is True
    await casino.disable(c.Scope.ALL)
    await casino.enable(c.Scope.ALL)
    with pytest.raises(WrongPhase):
        await one_device(casino)
    await casino.throw_away()
    await join(casino, "a", seat=1)
    await join(casino, "b", seat=1, session="desk")
    assert sessions(casino) == {"b": "desk"}
    assert (await one_device(casino, False))["one_device"] is False
