"""What an operator sets for all of its games: what is stopped, all or one rule set (R22), and whether a player is at
tables by one device alone (C29). Rounds under way are finished.
"""

from __future__ import annotations

from typing import assert_never

from domain.changing import replace
from domain.errors import WrongPhase
from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class GamingDisabled:
    """No new round opens; `ruleset` None means on any table."""

    ruleset: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class GamingEnabled:
    """New rounds may open again."""

    ruleset: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class OneDeviceSet:
    """Whether a player's newest session is the only one, at all tables, or one at each table (C29)."""

    one_device: bool
    reason: str


GamingEvent = GamingDisabled | GamingEnabled | OneDeviceSet


@dataclass(frozen=True, slots=True)
class Gaming:
    """State: what is stopped, None in it means everything; and whether a player has one device overall."""

    stopped: frozenset[str | None] = frozenset()
    one_device: bool = False

    def stops(self, ruleset: str) -> bool:
        """Whether rounds of the rule set may not open."""
        return None in self.stopped or ruleset in self.stopped


@dataclass(frozen=True, slots=True)
class DisableGaming:
    """Stop everything (None), or one rule set."""

    ruleset: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class EnableGaming:
    """Let it go on."""

    ruleset: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class SetOneDevice:
    """Say whether a player has one device overall (C29)."""

    one_device: bool
    reason: str


GamingCommand = DisableGaming | EnableGaming | SetOneDevice


def decide(command: GamingCommand, state: Gaming | None) -> tuple[GamingEvent, ...]:
    """The events that `command` causes, or a Refusal."""
    now = Gaming() if state is None else state
    match command:
        case DisableGaming(ruleset, reason):
            if ruleset in now.stopped:
                raise WrongPhase("it is disabled already", field="id")
            return (GamingDisabled(ruleset, reason),)
        case EnableGaming(ruleset, reason):
            if ruleset not in now.stopped:
                raise WrongPhase("it is not disabled", field="id")
            return (GamingEnabled(ruleset, reason),)
        case SetOneDevice(one_device, reason):
            if one_device is now.one_device:
                raise WrongPhase(f"it is {'on' if one_device else 'off'} already", field="one_device")
            return (OneDeviceSet(one_device, reason),)
        case _:
            assert_never(command)


def evolve(state: Gaming | None, event: GamingEvent) -> Gaming:
    """What is set after `event`; no rule is looked at."""
    now = Gaming() if state is None else state
    match event:
        case GamingDisabled(ruleset, _):
            return replace(now, stopped=now.stopped | {ruleset})
        case GamingEnabled(ruleset, _):
            return replace(now, stopped=now.stopped - {ruleset})
        case OneDeviceSet(one_device, _):
            return replace(now, one_device=one_device)
        case _:
            assert_never(event)
