"""A table's chat: who may write in it (C30). What is written are messages, see domain/messages.py."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.rules import ChatPolicy


@dataclass(frozen=True, slots=True)
class ChatModeSet:
    """Who may write at the table from now on (C30). Where it was never set, the table's rule set says."""

    table: str
    mode: ChatPolicy
    reason: str | None


ChatEvent = ChatModeSet


@dataclass(frozen=True, slots=True)
class Chat:
    """State of a table's chat."""

    table: str
    mode: ChatPolicy


@dataclass(frozen=True, slots=True)
class SetMode:
    """Say who may write; `now` is the mode in force."""

    table: str
    mode: ChatPolicy
    now: ChatPolicy
    reason: str | None


def decide(command: SetMode) -> tuple[ChatEvent, ...]:
    """The event, or none where the mode is in force already."""
    return () if command.mode is command.now else (ChatModeSet(command.table, command.mode, command.reason),)


def evolve(_state: Chat | None, event: ChatEvent) -> Chat:
    """The chat after `event`; no rule is looked at."""
    return Chat(event.table, event.mode)
