"""A player: the operator's opaque id and the currency of the wallet. Personal data stays with the operator."""

from __future__ import annotations

from dataclasses import dataclass

from domain.errors import AlreadyExists


@dataclass(frozen=True, slots=True)
class PlayerRegistered:
    """The operator named a player; from now on there is a wallet."""

    player: str
    currency: str


PlayerEvent = PlayerRegistered


@dataclass(frozen=True, slots=True)
class Player:
    """State: a known player."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class Register:
    """Make a player known."""

    player: str
    currency: str


def decide(command: Register, state: Player | None) -> tuple[PlayerEvent, ...]:
    """Register once; a second time is refused, whatever the currency."""
    if state is not None:
        raise AlreadyExists("a player of this id exists", field="player")
    return (PlayerRegistered(command.player, command.currency),)


def evolve(state: Player | None, event: PlayerEvent) -> Player:
    """The player after `event`."""
    del state
    return Player(event.player, event.currency)
