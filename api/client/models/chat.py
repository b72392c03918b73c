"""Chat: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class ChatModeAnswer(Answer):
    """Who may write at the table now."""

    table: str
    chat: str
    position: int


class MessageAnswer(Answer):
    """A message that was posted."""

    message: str
    table: str
    by: str
    player: str | None
    position: int


class VoiceAnswer(Answer):
    """Whether the player may write."""

    player: str
    may_write: bool
    position: int


class WithdrawnAnswer(Answer):
    """A message that was withdrawn."""

    message: str
    table: str
    position: int
