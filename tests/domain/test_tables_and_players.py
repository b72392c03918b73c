"""A table has one round at a time; a player is registered once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain import players, tables
from domain.errors import AlreadyExists, NotFound, WrongPhase
from domain.tables import EndRound, OpenTable, RoundEnded, RoundStarted, StartRound, Table, TableCommand
from tests.domain.test_seats import TERMS

NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)


def table(*commands: TableCommand) -> Table:
    state: Table | None = None
    for command in (OpenTable(TERMS), *commands):
        for event in tables.decide(command, state):
            state = tables.evolve(state, event)
    assert state is not None
    return state


def number(state: Table, at: datetime) -> str:
    (event,) = tables.decide(StartRound("next", at), state)
    assert isinstance(event, RoundStarted)
    return event.game_number


def test_a_table_opens_once_and_is_found_afterwards() -> None:
    assert table() == Table(TERMS)
    with pytest.raises(AlreadyExists):
        tables.decide(OpenTable(TERMS), table())
    for command in (StartRound("r", NOON), EndRound("r", NOON)):
        with pytest.raises(NotFound):
            tables.decide(command, None)


def test_S0_40_C26_the_game_number_is_the_start_in_utc_and_the_table() -> None:
    assert number(table(), NOON) == "20260102-120000-t"


def test_C26_rounds_of_one_second_are_told_apart_and_the_next_second_begins_anew() -> None:
    one = table(StartRound("r1", NOON), EndRound("r1", NOON))
    assert number(one, NOON + timedelta(milliseconds=999)) == "20260102-120000-t-2"
    two = table(StartRound("r1", NOON), EndRound("r1", NOON), StartRound("r2", NOON), EndRound("r2", NOON))
    assert number(two, NOON) == "20260102-120000-t-3"
    assert number(two, NOON + timedelta(seconds=1)) == "20260102-120001-t"


def test_a_table_with_an_open_round_starts_no_other() -> None:
    with pytest.raises(WrongPhase):
        tables.decide(StartRound("r2", NOON), table(StartRound("r1", NOON)))


def test_only_the_open_round_ends_so_that_a_late_void_leaves_the_next_one_alone() -> None:
    state = table(StartRound("r1", NOON), EndRound("r1", NOON), StartRound("r2", NOON))
    assert tables.decide(EndRound("r1", NOON), state) == ()
    assert tables.decide(EndRound("r2", NOON), state) == (RoundEnded("t", "r2", NOON),)


def test_no_event_of_a_table_comes_before_its_opening() -> None:
    with pytest.raises(ValueError, match="opens it"):
        tables.evolve(None, RoundEnded("t", "r", NOON))


def test_a_player_is_registered_once_whatever_the_currency() -> None:
    (event,) = players.decide(players.Register("ann", "EUR"), None)
    known = players.evolve(None, event)
    assert known == players.Player("ann", "EUR")
    for currency in ("EUR", "USD"):
        with pytest.raises(AlreadyExists):
            players.decide(players.Register("ann", currency), known)
