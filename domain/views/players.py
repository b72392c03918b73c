"""Players: where they are, what they set, the limits they set themselves (S0-43, S0-49, S3-21)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from domain.changing import replace
from domain.frozen import dataclass
from domain.players import (
    ChatRemoved,
    ChatRestored,
    LimitChanged,
    PlayerDisabled,
    PlayerEnabled,
    PlayerRegistered,
    Settings,
    SettingsChanged,
    TableJoined,
    TableLeft,
    limits_after,
)
from domain.views.model import Fact, Model, RowKey, time_text

_EVENTS: Final = (
    PlayerRegistered, PlayerDisabled, PlayerEnabled, TableJoined, TableLeft, SettingsChanged, LimitChanged,
    ChatRemoved, ChatRestored,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sitting:
    """Where a player is at one table."""

    table: str
    seat: int | None
    session: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A change of the own limit, the time from which it holds, and the start of its week."""

    ante_max_minor: int | None
    effective_at: str
    week: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player. `limits` are changes of the own limit, as the player's state holds them."""

    player: str
    currency: str
    disabled: bool
    tables: tuple[Sitting, ...]
    settings: Settings
    limits: tuple[Limit, ...]
    position: int
    off_chat: bool = False

    def changes(self) -> tuple[LimitChanged, ...]:
        """Changes of the own limit, oldest first, as `domain.players` weighs them."""
        return tuple(
            LimitChanged(
                self.player,
                one.ante_max_minor,
                datetime.fromisoformat(one.effective_at),
                datetime.fromisoformat(one.week),
            )
            for one in self.limits
        )


def player_key(player: str) -> RowKey:
    """Where a player lies."""
    return RowKey("player", player)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    return (player_key(fact.event.player),) if isinstance(fact.event, _EVENTS) else ()


def _fold(rows: Mapping[RowKey, PlayerRow | None], fact: Fact) -> Mapping[RowKey, PlayerRow | None]:
    event = fact.event
    if not isinstance(event, _EVENTS):
        return {}
    ((key, known),) = rows.items()
    if isinstance(event, PlayerRegistered):
        return {key: PlayerRow(event.player, event.currency, False, (), Settings(), (), fact.position)}
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
            return replace(row, limits=tuple(_limit(one) for one in limits_after(row.changes(), event)))
        case ChatRemoved() | ChatRestored():
            return replace(row, off_chat=isinstance(event, ChatRemoved))
        case _:
            return row


def _limit(change: LimitChanged) -> Limit:
    return Limit(change.ante_max_minor, time_text(change.effective_at), time_text(change.week))


PLAYERS: Final[Model[PlayerRow]] = Model(
    name="players",
    kinds={"player": PlayerRow},
    reads=frozenset(_EVENTS),
    keys=_keys,
    fold=_fold,
)
