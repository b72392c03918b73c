"""What a player's stream decides, and how its state follows from its events."""

from __future__ import annotations

from datetime import datetime
from typing import Final, assert_never

from domain.changing import replace
from domain.errors import AlreadyExists, Forbidden, NotFound, TableLimit, WrongPhase
from domain.frozen import dataclass
from domain.players.events import (
    At,
    ChatRemoved,
    ChatRestored,
    LimitChanged,
    PlayerCarried,
    PlayerDisabled,
    PlayerEnabled,
    PlayerEvent,
    PlayerRegistered,
    Settings,
    SettingsChanged,
    TableJoined,
    TableLeft,
)
from domain.players.limits import effective_at, limit_in_force, limit_that_waits, limits_after

TABLES_MAX: Final = 4
"""At how many tables a player may be at once (S0-49)."""

AS_DELIVERED: Final = Settings()
"""Settings of a player who has changed none."""


@dataclass(frozen=True, slots=True)
class Player:
    """State: a known player. `limits` are changes of the own limit, oldest first."""

    player: str
    currency: str
    disabled: bool = False
    tables: tuple[At, ...] = ()
    settings: Settings = AS_DELIVERED
    limits: tuple[LimitChanged, ...] = ()
    off_chat: bool = False

    def at(self, table: str) -> At | None:
        """Where the player is at the table, None when not there."""
        return next((one for one in self.tables if one.table == table), None)

    def ante_max_minor(self, now: datetime) -> int | None:
        """The own limit in force, None when there is none (S3-21)."""
        return limit_in_force(self.limits, now)

    def next_limit(self, now: datetime) -> LimitChanged | None:
        """The last change of the own limit, while its time has not come."""
        return limit_that_waits(self.limits, now)


@dataclass(frozen=True, slots=True)
class Register:
    """Make a player known."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class DisablePlayer:
    """Stop the player's wagers and deposits."""

    reason: str


@dataclass(frozen=True, slots=True)
class EnablePlayer:
    """Let the player go on."""

    reason: str


@dataclass(frozen=True, slots=True)
class Join:
    """Be at a table, by this session; `instead_of` is left for it once it is joined (S0-48, S0-51), and with
    `one_device` every table at which the player is by another session (C29).
    """

    table: str
    seat: int | None
    session: str
    instead_of: str | None
    one_device: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """Be at the table no longer."""

    table: str


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Set all settings."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class ChangeLimit:
    """Set the own limit; `week` and `next_week` are the starts of weeks around `now` in the operator's zone."""

    ante_max_minor: int | None
    now: datetime
    week: datetime
    next_week: datetime


@dataclass(frozen=True, slots=True)
class RemoveFromChat:
    """Let the player write to no chat."""

    reason: str


@dataclass(frozen=True, slots=True)
class RestoreToChat:
    """Let the player write again."""

    reason: str


PlayerCommand = (
    Register
    | DisablePlayer
    | EnablePlayer
    | Join
    | Leave
    | ChangeSettings
    | ChangeLimit
    | RemoveFromChat
    | RestoreToChat
)


def decide(command: PlayerCommand, state: Player | None) -> tuple[PlayerEvent, ...]:
    """The events that `command` causes, or a Refusal; a player is registered once, whatever the currency."""
    if isinstance(command, Register):
        if state is not None:
            raise AlreadyExists("a player of this id exists", field="player")
        return (PlayerRegistered(command.player, command.currency),)
    if state is None:
        raise NotFound("no such player", field="player")
    match command:
        case DisablePlayer(reason):
            if state.disabled:
                raise WrongPhase("the player is disabled already", field="id")
            return (PlayerDisabled(state.player, reason),)
        case EnablePlayer(reason):
            if not state.disabled:
                raise WrongPhase("the player is not disabled", field="id")
            return (PlayerEnabled(state.player, reason),)
        case Join():
            return _join(command, state)
        case Leave(table):
            return (TableLeft(state.player, table),) if state.at(table) else ()
        case ChangeSettings(settings):
            return (SettingsChanged(state.player, settings),) if settings != state.settings else ()
        case ChangeLimit():
            return _change_limit(command, state)
        case RemoveFromChat(reason):
            if state.off_chat:
                raise WrongPhase("the player is removed from the chat already", field="player")
            return (ChatRemoved(state.player, reason),)
        case RestoreToChat(reason):
            if not state.off_chat:
                raise WrongPhase("the player is not removed from the chat", field="player")
            return (ChatRestored(state.player, reason),)
        case _:
            assert_never(command)


def _join(command: Join, state: Player) -> tuple[PlayerEvent, ...]:
    """The newest session counts; tables that are switched from are left only now."""
    check_allowed(state)
    left = tables_left(command, state)
    others = [one for one in state.tables if one.table not in (command.table, *left)]
    if len(others) >= TABLES_MAX:
        raise TableLimit(f"a player is at {TABLES_MAX} tables at most", field="table")
    joined = TableJoined(state.player, command.table, command.seat, command.session)
    return joined, *(TableLeft(state.player, table) for table in left)


def tables_left(command: Join, state: Player | None) -> tuple[str, ...]:
    """The tables at which the player is no more once this one is joined: the one that is named, and with one device
    overall those of other sessions (S0-48, C29).
    """
    return tuple(
        one.table
        for one in (() if state is None else state.tables)
        if one.table != command.table
        and (one.table == command.instead_of or (command.one_device and one.session != command.session))
    )


def _change_limit(command: ChangeLimit, state: Player) -> tuple[PlayerEvent, ...]:
    """One change a week; a stricter limit holds at once, a looser one later (S3-21, C27, R30)."""
    wanted = command.ante_max_minor
    at = effective_at(state.limits, wanted, command.now, command.week, command.next_week)
    return () if at is None else (LimitChanged(state.player, wanted, at, command.week),)


def check_allowed(state: Player | None) -> None:
    """Refuse what a disabled player may not do."""
    if state is not None and state.disabled:
        raise Forbidden("the player is disabled: no wagers, no deposits", field="player")


def check_may_write(state: Player | None, table: str, session: str | None, *, one_device: bool) -> None:
    """Refuse a message of a player who is not at the table, is disabled, or was removed from the chat (S3-22)."""
    if state is None:
        raise NotFound("no such player", field="player")
    if state.disabled:
        raise Forbidden("the player is disabled", field="player")
    if state.off_chat:
        raise Forbidden("the player was removed from the chat", field="player")
    if state.at(table) is None:
        raise Forbidden("only players who have joined the table write in its chat", field="player")
    check_session(state, table, session, one_device=one_device)


def check_session(state: Player | None, table: str, session: str | None, *, one_device: bool) -> None:
    """Refuse an act of a session that another device's join has replaced, with `one_device` a join at any table: one
    that was there before the operator said so is replaced as well (S0-50, C29).
    """
    if session is None:
        return
    at = None if state is None else state.at(table)
    newest = state.tables[-1].session if at and state and one_device else session
    if at is None or at.session != session or newest != session:
        raise Forbidden("this session is not at the table; another device may have joined since", field="session")


def evolve(state: Player | None, event: PlayerEvent) -> Player:
    """The player after `event`; no rule is looked at."""
    if isinstance(event, PlayerRegistered):
        return Player(event.player, event.currency)
    if isinstance(event, PlayerCarried):
        here, limits = (event.disabled, event.tables), (event.limits, event.off_chat)
        return Player(event.player, event.currency, *here, event.settings, *limits)
    if state is None:
        raise ValueError("a player's first event makes it known")
    match event:
        case PlayerDisabled():
            return replace(state, disabled=True)
        case PlayerEnabled():
            return replace(state, disabled=False)
        case TableJoined():
            others = tuple(one for one in state.tables if one.table != event.table)
            return replace(state, tables=(*others, At(event.table, event.seat, event.session)))
        case TableLeft():
            return replace(state, tables=tuple(one for one in state.tables if one.table != event.table))
        case SettingsChanged():
            return replace(state, settings=event.settings)
        case LimitChanged():
            return replace(state, limits=limits_after(state.limits, event))
        case ChatRemoved() | ChatRestored():
            return replace(state, off_chat=isinstance(event, ChatRemoved))
        case _:
            assert_never(event)
