"""The lobby: tables with their limits, the open round and the seats taken in it (S0-24, S0-48, S2-03).

table           {table}    the table
seat/{round}    {player}   who sits in a round whose seats are not all paid or gone
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, assert_never

from domain.changing import replace
from domain.frozen import dataclass
from domain.rounds.events import Phase, RoundEvent, RoundOpened, RoundResumed
from domain.seats.events import (
    ActionUndone,
    PrizeDecided,
    ReviewResolved,
    SeatDecided,
    SeatEvent,
    SeatPassed,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    WagerPlaced,
    WagersRejected,
)
from domain.tables import (
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
from domain.views.model import Fact, Model, RowKey, optional_text
from domain.views.phases import ROUND_EVENTS, phases_after

_SITTING: Final = (WagerPlaced, ActionUndone, SeatPassed, WagersRejected, SeatSettled, SeatVoided)
_OF_A_TABLE: Final = (RoundStarted, RoundEnded, TableDisabled, TableEnabled, SeatReserved, SeatFreed, PlayedAlone)
_TABLE_EVENTS: Final = (TableOpened, *_OF_A_TABLE)


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table. `seats` are the numbers taken in the open round, empty where all play one hand; `players` counts."""

    terms: TableTerms
    opened_at: str
    open_round: str | None
    game_number: str | None
    phase: Phase | None
    paused_from: Phase | None
    round_opened_at: str | None
    players: int
    seats: tuple[int, ...]
    last_ended_at: str | None
    position: int
    disabled: bool = False
    closes_at: str | None = None
    reserved: tuple[int, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """Who sits: the seat (None where all play one hand) and the wagers that hold it."""

    seat: int | None
    wagers: tuple[str, ...]


LobbyRow = LobbyTable | LobbySeat
_Rows = Mapping[RowKey, LobbyRow | None]


@lru_cache(4_096)
def table_key(table: str) -> RowKey:
    """Where a table lies; the group holds every table of the operator."""
    return RowKey("table", table)


def _seat_key(event: SeatEvent) -> RowKey:
    return RowKey(f"seat/{event.round}", event.player)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    """The table, and the seat where it is an event of one."""
    look = _LOOKS.get(type(fact.event))
    return () if look is None else look(fact, fact.event)


def _sitting_keys(fact: Fact, event: SeatEvent) -> tuple[RowKey, ...]:
    return table_key(fact.round_opened.terms.table), _seat_key(event)


def _table_keys(_: Fact, event: Any) -> tuple[RowKey, ...]:
    return (table_key(event.table),)


def _terms_keys(_: Fact, event: TableOpened | RoundOpened) -> tuple[RowKey, ...]:
    return (table_key(event.terms.table),)


def _round_keys(fact: Fact, _: RoundEvent) -> tuple[RowKey, ...]:
    return (table_key(fact.round_opened.terms.table),)


_LOOKS: Final[dict[type[Any], Callable[[Fact, Any], tuple[RowKey, ...]]]] = {
    **dict.fromkeys(ROUND_EVENTS, _round_keys),
    **dict.fromkeys(_OF_A_TABLE, _table_keys),
    **dict.fromkeys(_SITTING, _sitting_keys),
    **dict.fromkeys((TableOpened, RoundOpened), _terms_keys),
}


def _fold(rows: _Rows, fact: Fact) -> _Rows:
    event = fact.event
    keys = tuple(rows)
    if not keys:
        return {}
    known = rows[keys[0]]
    if isinstance(event, TableOpened):
        return {keys[0]: _opened(fact, event.terms)}
    if not isinstance(known, LobbyTable):
        raise LookupError("a table's first event opens it")
    if isinstance(event, _SITTING):
        seat = rows[keys[1]]
        return _sitting(known, keys, seat if isinstance(seat, LobbySeat) else None, event)
    if isinstance(event, ROUND_EVENTS):
        return {keys[0]: replace(_round(known, fact, event), position=fact.position)}
    if isinstance(event, _TABLE_EVENTS):
        return {keys[0]: replace(_table(known, fact, event), position=fact.position)}
    return {}


def _opened(fact: Fact, terms: TableTerms) -> LobbyTable:
    return LobbyTable(terms, fact.at, None, None, None, None, None, 0, (), None, fact.position)


def _table(table: LobbyTable, fact: Fact, event: TableEvent) -> LobbyTable:
    match event:
        case RoundStarted():
            return _begun(table, event.round, event.game_number, fact.at)
        case RoundEnded():
            if table.open_round != event.round:
                return table
            return replace(_begun(table, None, None, None), phase=None, last_ended_at=fact.at)
        case SeatReserved() | SeatFreed():
            return replace(table, reserved=_reserved(table.reserved, event))
        case TableDisabled() | TableEnabled():
            return replace(table, disabled=isinstance(event, TableDisabled))
        case PlayedAlone():
            return replace(table, alone=True)
        case TableOpened() | TableCarried():
            return table
        case _:
            assert_never(event)


def _reserved(seats: tuple[int, ...], event: SeatReserved | SeatFreed) -> tuple[int, ...]:
    left = {one for one in seats if one != event.seat}
    return tuple(sorted(left | {event.seat} if isinstance(event, SeatReserved) else left))


def _begun(table: LobbyTable, round_id: str | None, game_number: str | None, at: str | None) -> LobbyTable:
    return replace(
        table,
        open_round=round_id,
        game_number=game_number,
        phase=Phase.BETTING_OPEN,
        paused_from=None,
        round_opened_at=at,
        players=0,
        seats=(),
    )


def _round(table: LobbyTable, fact: Fact, event: RoundEvent) -> LobbyTable:
    """Only the open round shows; what is told of an earlier one, such as a void, does not."""
    if isinstance(event, RoundOpened):
        begun = _begun(table, event.round, event.game_number, fact.at)
        return replace(begun, closes_at=optional_text(event.closes_at))
    if isinstance(event, RoundResumed) and table.open_round == event.round:
        table = replace(table, closes_at=optional_text(event.closes_at))
    if table.open_round != event.round or table.phase is None:
        return table
    phase, paused_from = phases_after(event, table.phase, table.paused_from)
    return replace(table, phase=phase, paused_from=paused_from)


def _sitting(
    table: LobbyTable, keys: tuple[RowKey, ...], seat: LobbySeat | None, event: SeatEvent
) -> Mapping[RowKey, LobbyRow | None]:
    """A seat is taken by its first wager, free again without any, and of no interest once it is settled."""
    table_at, seat_at = keys
    match event:
        case WagerPlaced():
            held = () if seat is None else seat.wagers
            new = LobbySeat(event.seat, held + tuple([one.wager for one in event.wagers]))
            return {seat_at: new} if held else {seat_at: new, table_at: _taken(table, event.round, event.seat)}
        case ActionUndone() | WagersRejected() | SeatPassed():
            if seat is None:
                return {}
            left = tuple(one for one in seat.wagers if one not in event.wagers)
            if left:
                return {seat_at: replace(seat, wagers=left)}
            return {seat_at: None, table_at: _freed(table, event.round, seat.seat)}
        case SeatSettled() | SeatVoided():
            return {seat_at: None}
        case SeatDecided() | PrizeDecided() | SeatResettled() | ReviewResolved():
            return {}
        case _:
            assert_never(event)


def _taken(table: LobbyTable, round_id: str, seat: int | None) -> LobbyTable:
    if table.open_round != round_id:
        return table
    seats = table.seats if seat is None else tuple(sorted({*table.seats, seat}))
    return replace(table, players=table.players + 1, seats=seats)


def _freed(table: LobbyTable, round_id: str, seat: int | None) -> LobbyTable:
    if table.open_round != round_id:
        return table
    return replace(table, players=table.players - 1, seats=tuple(one for one in table.seats if one != seat))


LOBBY: Final[Model[LobbyRow]] = Model(
    name="tables",
    kinds={"table": LobbyTable, "seat": LobbySeat},
    reads=frozenset({*_TABLE_EVENTS, *ROUND_EVENTS, *_SITTING}),
    keys=_keys,
    fold=_fold,
)
