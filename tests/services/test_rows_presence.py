"""Players at tables: seats, sessions, four tables, who joins late and who leaves (S0-48 to S0-51, S3-02, S3-08)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.errors import AlreadySeated, CurrencyMismatch, Forbidden, Invalid, NotFound, Refusal, SeatTaken, TableLimit
from domain.players import Player
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino
from tests.support.counter import Body

MICRO = 10**6


async def join(
    casino: Casino, table: str, player: str = "ann", seat: int | None = None, *, session: str = "phone",
    instead_of: str | None = None,
) -> Body:  # fmt: skip
    return await casino.submit(c.JoinTable(table, player, seat, session, instead_of))


async def leave(casino: Casino, table: str, player: str = "ann", session: str | None = None) -> Body:
    return await casino.submit(c.LeaveTable(table, player, session))


async def furnish(casino: Casino, *tables: str, ruleset: str = EURO, players: str = "ann bob") -> None:
    for table in tables:
        await casino.table(table, ruleset)
    for player in players.split():
        await casino.player(player, "USD" if ruleset == DOLLAR else "EUR", deposit=100_000)


def at(casino: Casino, player: str = "ann") -> dict[str, int | None]:
    """Tables and seats of a player."""
    found = casino.books.state("player", player)
    assert isinstance(found, Player)
    return {one.table: one.seat for one in found.tables}


async def test_S0_48_the_seat_is_kept_until_the_other_table_is_joined(casino: Casino) -> None:
    await furnish(casino, "a", "b")
    await join(casino, "a", seat=2)
    await join(casino, "b", "bob", 3)
    with pytest.raises(SeatTaken):
        await join(casino, "b", seat=3, instead_of="a")
    assert at(casino) == {"a": 2}
    with pytest.raises(SeatTaken):
        await join(casino, "a", "bob", 2, session="desk")
    await join(casino, "b", seat=1, instead_of="a")
    assert at(casino) == {"b": 1}
    await join(casino, "a", "bob", 2)


async def test_S0_51_plus_joins_as_well_and_the_icon_switches(casino: Casino) -> None:
    await furnish(casino, "a", "b", "c", ruleset=LIVE)
    await join(casino, "a")
    await join(casino, "b")
    assert at(casino) == {"a": None, "b": None}
    await join(casino, "c", instead_of="b")
    assert at(casino) == {"a": None, "c": None}


async def test_S0_51_who_switches_leaves_the_bets_of_an_open_table_declined(casino: Casino) -> None:
    await furnish(casino, "a", "b")
    await join(casino, "a", seat=1)
    round_id = await casino.round("a")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await join(casino, "b", seat=1, instead_of="a")
    assert casino.books.balance("held/ann") == 0
    with pytest.raises(NotFound):
        await join(casino, "b", seat=1, instead_of="no-table")


async def test_S0_49_four_tables_at_most_and_leaving_one_leaves_the_others_alone(casino: Casino) -> None:
    await furnish(casino, "a", "b", "c", "d", "e", ruleset=LIVE)
    rounds = {table: await casino.round(table) for table in "abcd"}
    for table, round_id in rounds.items():
        await join(casino, table)
        await casino.wager(round_id, "ann", ante=500)
    with pytest.raises(TableLimit):
        await join(casino, "e")
    await join(casino, "a", session="tablet")  # one of the four
    await leave(casino, "a")
    assert list(at(casino)) == ["b", "c", "d"]
    assert casino.books.balance("held/ann") == 3 * 1_500 * MICRO
    await join(casino, "e")
    await join(casino, "a", instead_of="e")
    assert list(at(casino)) == ["b", "c", "d", "a"]


async def test_S0_50_C29_the_newest_session_wins_and_a_replaced_one_bets_no_more(casino: Casino) -> None:
    await furnish(casino, "t", ruleset=LIVE)
    round_id = await casino.round("t")
    assert (await join(casino, "t", session="phone"))["replaced"] is False
    assert (await join(casino, "t", session="phone"))["replaced"] is False
    assert (await join(casino, "t", session="desk"))["replaced"] is True

    async def bet(session: str | None) -> None:
        await casino.submit(c.PlaceWager(round_id, "ann", None, 500, 0, 0, session))

    with pytest.raises(Forbidden):
        await bet("phone")
    await bet("desk")
    await bet(None)  # an operator that keeps sessions itself names none
    with pytest.raises(Forbidden):  # the replaced device does not throw the new one out
        await leave(casino, "t", session="phone")
    await leave(casino, "t", session="desk")
    with pytest.raises(Forbidden):
        await bet("desk")


async def test_S0_50_a_session_is_of_one_table(casino: Casino) -> None:
    await furnish(casino, "a", "b", ruleset=LIVE)
    await join(casino, "a", session="phone")
    await join(casino, "b", session="desk")
    round_id = await casino.round("a")
    await casino.submit(c.PlaceWager(round_id, "ann", None, 500, 0, 0, "phone"))
    with pytest.raises(Forbidden):
        await casino.submit(c.PlaceWager(round_id, "ann", None, 500, 0, 0, "desk"))


async def test_S0_02_one_seat_per_player_and_a_reserved_seat_is_nobody_elses(casino: Casino) -> None:
    await furnish(casino, "t")
    await join(casino, "t", seat=2)
    round_id = await casino.round("t")
    with pytest.raises(SeatTaken):
        await casino.wager(round_id, "bob", seat=2, ante=500)
    with pytest.raises(AlreadySeated):
        await casino.wager(round_id, "ann", seat=3, ante=500)
    await casino.wager(round_id, "ann", seat=2, ante=500)
    await leave(casino, "t")
    await casino.wager(round_id, "bob", seat=2, ante=500)


async def test_S2_01_nobody_joins_onto_the_seat_of_open_bets(casino: Casino) -> None:
    await furnish(casino, "t")
    round_id = await casino.round("t")
    await casino.wager(round_id, "bob", seat=2, ante=500)
    with pytest.raises(SeatTaken):
        await join(casino, "t", seat=2)
    await casino.wager(round_id, "bob", seat=2, ante=500)
    await casino.close(round_id)
    await join(casino, "t", seat=2)  # for the next round


async def test_S3_02_a_seat_is_changed_between_hands_only(casino: Casino) -> None:
    await furnish(casino, "t", ruleset=DOLLAR)
    await join(casino, "t", seat=1)
    await join(casino, "t", seat=4)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=4, ante=500)
    with pytest.raises(AlreadySeated):
        await join(casino, "t", seat=1)
    await casino.close(round_id)
    await casino.deal(round_id, {4: hand(HIGH)})
    await leave(casino, "t")
    with pytest.raises(AlreadySeated):  # the hand under way is on seat 4
        await join(casino, "t", seat=1)
    await casino.fold(round_id, "ann")
    await casino.settle(round_id)
    await join(casino, "t", seat=1)
    assert at(casino) == {"t": 1}


async def test_S3_08_who_joins_during_a_hand_waits_until_it_is_over(casino: Casino) -> None:
    await furnish(casino, "t")
    assert (await join(casino, "t", seat=1))["waits"] is False
    round_id = await casino.round("t")
    assert (await join(casino, "t", "bob", 2))["waits"] is False
    await casino.wager(round_id, "ann", seat=1, ante=500)
    await casino.close(round_id)
    await leave(casino, "t", "bob")
    assert (await join(casino, "t", "bob", 2))["waits"] is True
    with pytest.raises(Refusal, match="betting is over"):
        await casino.wager(round_id, "bob", seat=2, ante=500)
    await casino.void(round_id)
    await casino.wager(await casino.round("t"), "bob", seat=2, ante=500)


async def test_S3_08_at_a_timed_table_the_window_decides_though_the_timer_has_not_come(casino: Casino) -> None:
    await casino.table("t", LIVE, pace="AUTO", betting_seconds=10)
    await casino.player("ann", deposit=10_000)
    await casino.round("t")
    casino.clock.forward(10)
    assert (await join(casino, "t"))["waits"] is True


async def test_S0_31_leaving_the_table_declines_open_bets_and_lets_later_ones_stand(casino: Casino) -> None:
    await furnish(casino, "t", ruleset=LIVE)
    round_id = await casino.round("t")
    await join(casino, "t")
    await casino.wager(round_id, "ann", ante=1_000)
    assert (await leave(casino, "t"))["declined"] == 3_000
    assert casino.books.balance("held/ann") == 0
    await casino.wager(round_id, "ann", ante=1_000)
    await casino.close(round_id)
    await join(casino, "t")
    assert (await leave(casino, "t"))["declined"] == 0
    assert casino.books.balance("held/ann") == 3_000 * MICRO
    await leave(casino, "t")  # once more, without effect
    assert casino.last_news == []


@pytest.mark.parametrize(
    ("command", "refusal", "field"),
    [
        (lambda: c.JoinTable("no", "ann", 1, "s", None), NotFound, "table"),
        (lambda: c.JoinTable("t", "nobody", 1, "s", None), NotFound, "player"),
        (lambda: c.JoinTable("t", "ann", None, "s", None), Invalid, "seat"),
        (lambda: c.JoinTable("t", "ann", 5, "s", None), Invalid, "seat"),
        (lambda: c.JoinTable("live", "ann", 1, "s", None), Invalid, "seat"),
        (lambda: c.JoinTable("dollar", "ann", 1, "s", None), CurrencyMismatch, "player"),
        (lambda: c.LeaveTable("no", "ann"), NotFound, "table"),
        (lambda: c.LeaveTable("t", "nobody"), NotFound, "player"),
        (lambda: c.LeaveTable("t", "ann", None, 2), Invalid, "seat"),
    ],
)
async def test_joining_what_is_not_there_or_does_not_fit_names_the_field(
    casino: Casino, command: Callable[[], c.Command], refusal: type[Refusal], field: str
) -> None:
    await furnish(casino, "t", players="ann")
    await casino.table("live", LIVE)
    await casino.table("dollar", DOLLAR)
    with pytest.raises(refusal) as found:
        await casino.submit(command())
    assert found.value.field == field


async def test_R22_a_disabled_player_joins_no_table_and_may_leave(casino: Casino) -> None:
    await furnish(casino, "t", "u", ruleset=LIVE)
    await join(casino, "t")
    await casino.disable(c.Scope.PLAYER, "ann")
    with pytest.raises(Forbidden):
        await join(casino, "u")
    await leave(casino, "t")
    assert at(casino) == {}


async def test_S0_43_settings_lie_with_the_player_and_change_one_by_one(casino: Casino) -> None:
    await casino.player("ann", "EUR")
    first = await casino.submit(c.SetSettings("ann", True, None, "HD", None, 40))
    assert (first["hide_chat"], first["side_bets"], first["video"], first["game_volume"]) == (True, True, "HD", 40)
    await casino.throw_away()
    again = await casino.submit(c.SetSettings("ann", None, None, None, 0, None))
    assert again["hide_chat"] is True
    assert (again["video"], again["dealer_volume"], again["game_volume"]) == ("HD", 0, 40)
    with pytest.raises(NotFound):
        await casino.submit(c.SetSettings("nobody", True, None, None, None, None))


async def test_S0_44_with_side_bets_off_the_house_takes_none_and_repeats_none(casino: Casino) -> None:
    await furnish(casino, "t", ruleset=LIVE)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=500, five_plus_one=100)
    await casino.submit(c.SetSettings("ann", None, False, None, None, None))
    with pytest.raises(Forbidden):
        await casino.wager(round_id, "ann", five_plus_one=100)
    doubled = await casino.submit(c.DoubleWagers(round_id, "ann"))
    assert doubled["total_bet"] == 1_100
    await casino.submit(c.SetSettings("ann", None, True, None, None, None))
    await casino.wager(round_id, "ann", five_plus_one=100)
