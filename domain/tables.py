"""A table: its terms, and the one round that may be open on it."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from domain.changing import replace
from domain.errors import AlreadyExists, NotFound, SeatTaken, WrongPhase
from domain.frozen import dataclass
from domain.table_events import (
    CallReserve,
    CardSource,
    Pace,
    PlayedAlone,
    RoundEnded,
    RoundStarted,
    SeatFreed,
    SeatReserved,
    TableCarried,
    TableDisabled,
    TableEnabled,
    TableEvent,
    TableOpened,
    TableTerms,
)


@dataclass(frozen=True, slots=True)
class Table:
    """State: terms, the incomplete round if any, and the second of the last game number."""

    terms: TableTerms
    open_round: str | None = None
    last_second: str = ""
    nth_in_second: int = 0
    disabled: bool = False
    last_ended_at: datetime | None = None
    last_round: str | None = None
    sitting: tuple[tuple[int, str], ...] = ()
    alone: bool = False

    def sits_on(self, seat: int) -> str | None:
        """The player who has reserved the seat, None when it is free."""
        return dict(self.sitting).get(seat) if self.sitting else None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Put a table into the lobby; `alone`: nobody plays it beside others."""

    terms: TableTerms
    alone: bool = False


@dataclass(frozen=True, slots=True)
class StartRound:
    """Begin the table's next round."""

    round: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EndRound:
    """Say that the table's round is over; nothing happens when it is not the open one."""

    round: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DisableTable:
    """Open no more rounds."""

    reason: str


@dataclass(frozen=True, slots=True)
class EnableTable:
    """Open rounds again."""

    reason: str


@dataclass(frozen=True, slots=True)
class SitDown:
    """Reserve a seat; another that the player had here is freed."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class StandUp:
    """Free the player's seat, if there is one."""

    player: str


TableCommand = OpenTable | StartRound | EndRound | DisableTable | EnableTable | SitDown | StandUp


def decide(command: TableCommand, state: Table | None) -> tuple[TableEvent, ...]:
    """The events that `command` causes at the table, or a Refusal."""
    if isinstance(command, OpenTable):
        if state is not None:
            raise AlreadyExists("a table of this id exists", field="table")
        opened = TableOpened(command.terms)
        return (opened, PlayedAlone(command.terms.table)) if command.alone else (opened,)
    if state is None:
        raise NotFound("no such table", field="table")
    match command:
        case StartRound(round_id, at):
            return (_start(state, round_id, at),)
        case EndRound(round_id, at):
            return (RoundEnded(state.terms.table, round_id, at),) if state.open_round == round_id else ()
        case SitDown(player, seat):
            return _sit_down(state, player, seat)
        case StandUp(player):
            return _stand_up(state, player)
        case DisableTable(reason):
            if state.disabled:
                raise WrongPhase("the table is disabled already", field="id")
            return (TableDisabled(state.terms.table, reason),)
        case EnableTable(reason):
            if not state.disabled:
                raise WrongPhase("the table is not disabled", field="id")
            return (TableEnabled(state.terms.table, reason),)
        case _:
            assert_never(command)


def _sit_down(state: Table, player: str, seat: int) -> tuple[TableEvent, ...]:
    by = state.sits_on(seat)
    if by == player:
        return ()
    if by is not None:
        raise SeatTaken(f"seat {seat} is taken at this table", field="seat")
    return (*_stand_up(state, player), SeatReserved(state.terms.table, seat, player))


def _stand_up(state: Table, player: str) -> tuple[TableEvent, ...]:
    return tuple(SeatFreed(state.terms.table, seat, who) for seat, who in state.sitting if who == player)


def _start(state: Table, round_id: str, at: datetime) -> RoundStarted:
    """One incomplete round per table; the game number is the start in UTC and the table (S0-40, C26)."""
    if state.disabled:
        raise WrongPhase("the table is disabled", field="table")
    if state.open_round is not None:
        raise WrongPhase("the table's last round is not over", field="table")
    second = at.strftime("%Y%m%d-%H%M%S")
    nth = state.nth_in_second + 1 if second == state.last_second else 1
    suffix = "" if nth == 1 else f"-{nth}"
    return RoundStarted(state.terms.table, round_id, f"{second}-{state.terms.table}{suffix}", second, nth)


def evolve(state: Table | None, event: TableEvent) -> Table:
    """The table after `event`; no rule is looked at."""
    if isinstance(event, TableOpened):
        return Table(event.terms)
    if isinstance(event, TableCarried):
        return _carried_on(event)
    if state is None:
        raise ValueError("a table's first event opens it")
    match event:
        case RoundStarted():
            return replace(state, open_round=event.round, last_second=event.second, nth_in_second=event.nth_in_second)
        case RoundEnded():
            return replace(state, open_round=None, last_ended_at=event.at, last_round=event.round)
        case SeatReserved():
            return replace(state, sitting=(*state.sitting, (event.seat, event.player)))
        case SeatFreed():
            left = tuple(one for one in state.sitting if one != (event.seat, event.player))
            return replace(state, sitting=left)
        case TableDisabled():
            return replace(state, disabled=True)
        case TableEnabled():
            return replace(state, disabled=False)
        case PlayedAlone():
            return replace(state, alone=True)
        case _:
            assert_never(event)


def _carried_on(event: TableCarried) -> Table:
    return Table(
        event.terms,
        event.open_round,
        event.last_second,
        event.nth_in_second,
        event.disabled,
        event.last_ended_at,
        event.last_round,
        event.sitting,
        event.alone,
    )


__all__ = [
    "CallReserve",
    "CardSource",
    "DisableTable",
    "EnableTable",
    "EndRound",
    "OpenTable",
    "Pace",
    "PlayedAlone",
    "RoundEnded",
    "RoundStarted",
    "SeatFreed",
    "SeatReserved",
    "SitDown",
    "StandUp",
    "StartRound",
    "Table",
    "TableCarried",
    "TableCommand",
    "TableDisabled",
    "TableEnabled",
    "TableEvent",
    "TableOpened",
    "TableTerms",
    "decide",
    "evolve",
]
