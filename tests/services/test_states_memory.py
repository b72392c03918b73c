"""What a house keeps in memory is bounded by bytes (F23: memory stays flat however long it runs)."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import SeatTaken
from domain.ids import round_stream, seat_stream, wallet_stream
from domain.seats.decider import Seat
from domain.wallets.decider import Wallet
from services.ports import Loaded
from services.states import NAME, States, Versioned
from services.weights import weight_of
from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.memory_log import MemoryLog


def deep_size(thing: Any, seen: set[int]) -> int:
    """Bytes of an object and all that it holds and that is not counted yet."""
    if id(thing) in seen or thing is None or isinstance(thing, bool | Enum | type):
        return 0
    seen.add(id(thing))
    below: list[Any] = []
    if is_dataclass(thing):
        below = [getattr(thing, one.name) for one in fields(thing)]
    elif isinstance(thing, tuple | list | set | frozenset):
        below = list(thing)
    elif isinstance(thing, dict):
        below = [*thing.keys(), *thing.values()]
    return sys.getsizeof(thing) + sum(deep_size(one, seen) for one in below)


async def test_F23_the_weight_of_a_state_is_its_memory_within_a_factor_of_four(casino: Casino) -> None:
    for nth in range(40):
        await casino.player(f"p{nth}", deposit=10_000)
    await casino.table("t", LIVE)
    await casino.decided("t", {f"p{nth}": Play(cards=hand(HIGH)) for nth in range(40)})
    cached = casino.house._states
    for stream, known in cached._states.items():
        true = deep_size(known, set()) + deep_size(stream, set()) + 150
        assert true / 4 <= weight_of(known.state) <= true * 4, (stream, true, weight_of(known.state))
    total = sum(deep_size((stream, known), set()) + 150 for stream, known in cached._states.items())
    assert total / 3 <= cached.bytes <= total * 3


def recounted(states: States) -> int:
    names = sum(NAME * (1 + len(names)) for names in states._seats.values())
    return names + sum(weight_of(one.state) for one in states._states.values())


PLAYERS = st.sampled_from(["ann", "bob", "cyd"])
ROUNDS = st.sampled_from(["r1", "r2"])
STEPS = st.one_of(
    st.tuples(st.just("wallet"), PLAYERS, ROUNDS),
    st.tuples(st.just("seat"), PLAYERS, ROUNDS),
    st.tuples(st.just("round"), PLAYERS, ROUNDS),
    st.tuples(st.just("nothing"), PLAYERS, ROUNDS),
    st.tuples(st.just("load"), PLAYERS, ROUNDS),
    st.tuples(st.just("trim"), PLAYERS, ROUNDS),
)


@given(st.lists(STEPS, max_size=40), st.sampled_from([1, 4_000, 1_000_000]))
def test_F23_the_count_of_bytes_is_right_whatever_comes_and_goes(
    steps: list[tuple[str, str, str]], bytes_max: int
) -> None:
    states = States(bytes_max)
    for what, player, round_id in steps:
        match what:
            case "wallet":
                on_game = ((round_id, 5),)
                states.put(wallet_stream("o", player), Versioned(Wallet(player, "EUR", on_game=on_game), 1, None))
            case "seat":
                states.put(seat_stream("o", round_id, player), Versioned(Seat(round_id, player, None), 1, None))
            case "round":
                states.put(round_stream("o", round_id), Versioned(None, 1, None), is_first=True)
            case "nothing":
                states.put(seat_stream("o", round_id, player), Versioned(None, 0, None))
            case "load":
                states.absorb([wallet_stream("o", player)], [f"o/seat/{round_id}."], Loaded([], {}))
            case _:
                states.trim()
                assert states.bytes <= bytes_max or not states._states
        assert states.bytes == recounted(states)


def test_F23_after_many_rounds_the_latest_are_in_memory_and_no_list_of_seats_of_an_old_one() -> None:
    players = [f"p{nth}" for nth in range(50)]
    states = States(bytes_max=300_000)
    for nth in range(200):
        states.put(round_stream("o", f"r{nth}"), Versioned(None, 1, None), is_first=True)
        for player in players:
            states.put(seat_stream("o", f"r{nth}", player), Versioned(Seat(f"r{nth}", player, None), 1, None))
            states.get(round_stream("o", f"r{nth}"))
        states.trim()
    kept = {stream.split("/")[2].split(".")[0] for stream in states._states}
    lists = {prefix.split("/")[2].rstrip(".") for prefix in states._seats}
    assert lists <= kept == {f"r{nth}" for nth in range(200 - len(kept), 200)}
    assert len(states._states) > 100, "the memory is for states"


async def test_F23_a_house_that_may_keep_nothing_answers_the_same(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(casino.house, "_states", States(bytes_max=0))
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await casino.round("t")
    for _ in range(3):
        await casino.wager(round_id, "ann", ante=1_000)
    assert casino.house._states._states == {}
    assert casino.books.balance("av/ann") == 1_000_000_000
    casino.compare()


async def test_the_seats_of_a_round_that_was_opened_here_need_no_look_at_the_log(casino: Casino) -> None:
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    await casino.table("t", EURO)
    round_id = await casino.round("t")
    assert isinstance(casino.log, MemoryLog)
    before = casino.log.loads
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    assert casino.log.loads == before, "not even her own seat: it is none of the round's"
    await casino.throw_away()
    with pytest.raises(SeatTaken):
        await casino.wager(round_id, "bob", seat=1, ante=1_000)


async def test_a_seat_that_was_let_go_is_read_again_and_not_taken_for_none(casino: Casino) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    casino.house._states._states.clear()  # the list of the round's seats stays
    assert isinstance(casino.log, MemoryLog)
    before = casino.log.loads
    again = await casino.wager(round_id, "ann", ante=500)
    assert casino.log.loads > before
    assert again["total_bet"] == 1_500
    casino.compare()
