"""A player: the operator's opaque id and the currency of the wallet. Personal data stays with the operator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from domain.errors import AlreadyExists, Forbidden, NotFound, WrongPhase


@dataclass(frozen=True, slots=True)
class PlayerRegistered:
    """The operator named a player; from now on there is a wallet."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class PlayerDisabled:
    """The player may not wager or deposit; withdrawals go on (R22, R30)."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerEnabled:
    """The player may wager and deposit again."""

    player: str
    reason: str


PlayerEvent = PlayerRegistered | PlayerDisabled | PlayerEnabled


@dataclass(frozen=True, slots=True)
class Player:
    """State: a known player."""

    player: str
    currency: str
    disabled: bool = False


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


PlayerCommand = Register | DisablePlayer | EnablePlayer


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
        case _:
            assert_never(command)


def check_allowed(state: Player | None) -> None:
    """Refuse what a disabled player may not do."""
    if state is not None and state.disabled:
        raise Forbidden("the player is disabled: no wagers, no deposits", field="player")


def evolve(state: Player | None, event: PlayerEvent) -> Player:
    """The player after `event`; no rule is looked at."""
    if isinstance(event, PlayerRegistered):
        return Player(event.player, event.currency)
    if state is None:
        raise ValueError("a player's first event makes it known")
    match event:
        case PlayerDisabled():
            return replace(state, disabled=True)
        case PlayerEnabled():
            return replace(state, disabled=False)
        case _:
            assert_never(event)
