"""Chat, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class ChatLine(Answer):
    """A message (`message`, by PLAYER or HOUSE) or a notice about a round (`round` and `notice`, by SYSTEM). The
    text of a withdrawn message is null.
    """

    at: str
    by: str
    player: str | None
    message: str | None
    text: str | None
    withdrawn: bool
    round: str | None
    notice: str | None
    position: int


class ChatAnswer(Answer):
    """A page of a chat, newest first. `may_write` is of the player asked for, null where none is. What a player
    hides is left out, so that a page may be short, or empty, while `next` leads on.
    """

    table: str
    chat: str
    may_write: bool | None
    items: list[ChatLine]
    next: str | None
    position: int


class LoggedLine(Answer):
    """A line with what moderators need: the text of a withdrawn message too, when and why it was withdrawn, and
    whether the text is the one that its event sealed (null for a notice).
    """

    at: str
    by: str
    player: str | None
    message: str | None
    text: str | None
    intact: bool | None
    withdrawn_at: str | None
    withdrawn_reason: str | None
    round: str | None
    notice: str | None
    position: int


class ChatLog(Answer):
    """A page of a chat's log of 90 days, newest first."""

    table: str
    chat: str
    chat_reason: str | None
    items: list[LoggedLine]
    next: str | None
    position: int
