"""Players: where they are, what they set, the limits they set themselves (S0-43, S0-49, S3-21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from domain.players import (
    LimitChanged,
    PlayerDisabled,
    PlayerEnabled,
    PlayerRegistered,
    Settings,
    SettingsChanged,
    TableJoined,
    TableLeft,
)
from domain.views.model import Fact, Model, RowKey, time_text

_EVENTS: Final = (
    PlayerRegistered, PlayerDisabled, PlayerEnabled, TableJoined, TableLeft, SettingsChanged, LimitChanged,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sitting:
    """Where a player is at one table."""

    table: str
    seat: int | None
    session: str


@dataclass(frozen=True, slots=True)
class Limit:
    """An own limit and the time from which it holds."""

    ante_max_minor: int | None
    effective_at: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player. `limit_before` is what held before `limit`."""

    player: str
    currency: str
    disabled: bool
    tables: tuple[Sitting, ...]
    settings: Settings
    limit: Limit | None
    limit_before: Limit | None
    position: int


def player_key(player: str) -> RowKey:
    """Where a player lies."""
    return RowKey("player", player)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    return (player_key(fact.event.player),) if isinstance(fact.event, _EVENTS) else ()


def _fold(rows: Mapping[RowKey, PlayerRow | None], fact: Fact) -> Mapping[RowKey, PlayerRow | None]:
    event = fact.event
    if isinstance(event, PlayerRegistered):
        row = PlayerRow(event.player, event.currency, False, (), Settings(), None, None, fact.position)
        return {player_key(event.player): row}
    if not isinstance(event, _EVENTS):
        return {}
    key = player_key(event.player)
    known = rows.get(key)
    if known is None:
        raise LookupError("a player's first event makes it known")
    return {key: replace(_after(known, fact), position=fact.position)}


def _after(row: PlayerRow, fact: Fact) -> PlayerRow:
    event = fact.event
    match event:
        case PlayerDisabled() | PlayerEnabled():
            return replace(row, disabled=isinstance(event, PlayerDisabled))
        case TableJoined() | TableLeft():
            others = tuple(one for one in row.tables if one.table != event.table)
            here = (Sitting(event.table, event.seat, event.session),) if isinstance(event, TableJoined) else ()
            return replace(row, tables=others + here)
        case SettingsChanged():
            return replace(row, settings=event.settings)
        case LimitChanged():
            limit = Limit(event.ante_max_minor, time_text(event.effective_at))
            return replace(row, limit=limit, limit_before=row.limit)
        case _:
            return row


PLAYERS: Final[Model[PlayerRow]] = Model(
    name="players",
    kinds={"player": PlayerRow},
    reads=frozenset(_EVENTS),
    keys=_keys,
    fold=_fold,
)
