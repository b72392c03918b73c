"""Whether gaming is on: an operator can stop all of it, or one rule set (R22). Rounds under way are finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from domain.errors import WrongPhase


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


GamingEvent = GamingDisabled | GamingEnabled


@dataclass(frozen=True, slots=True)
class Gaming:
    """State: what is stopped; None in it means everything."""

    stopped: frozenset[str | None] = frozenset()

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


GamingCommand = DisableGaming | EnableGaming


def decide(command: GamingCommand, state: Gaming | None) -> tuple[GamingEvent, ...]:
    """The events that `command` causes, or a Refusal."""
    stopped = frozenset[str | None]() if state is None else state.stopped
    match command:
        case DisableGaming(ruleset, reason):
            if ruleset in stopped:
                raise WrongPhase("it is disabled already", field="id")
            return (GamingDisabled(ruleset, reason),)
        case EnableGaming(ruleset, reason):
            if ruleset not in stopped:
                raise WrongPhase("it is not disabled", field="id")
            return (GamingEnabled(ruleset, reason),)
        case _:
            assert_never(command)


def evolve(state: Gaming | None, event: GamingEvent) -> Gaming:
    """What is stopped after `event`; no rule is looked at."""
    stopped = frozenset[str | None]() if state is None else state.stopped
    match event:
        case GamingDisabled(ruleset, _):
            return Gaming(stopped | {ruleset})
        case GamingEnabled(ruleset, _):
            return Gaming(stopped - {ruleset})
        case _:
            assert_never(event)
