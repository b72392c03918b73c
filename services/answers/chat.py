"""Answers about the chat of tables. None holds a text: what answers a key is kept for ever, texts are not."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class MessageAnswer:
    """A message that was posted."""

    message: str
    table: str
    by: str
    player: str | None
    position: int = 0


@dataclass(frozen=True, slots=True)
class WithdrawnAnswer:
    """A message that was withdrawn."""

    message: str
    table: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class ChatModeAnswer:
    """Who may write at the table now."""

    table: str
    chat: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class VoiceAnswer:
    """Whether the player may write."""

    player: str
    may_write: bool
    position: int = 0
