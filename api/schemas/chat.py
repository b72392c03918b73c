"""Bodies about the chat of tables."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from api.fields import Body, ClientId, Reason
from api.schemas.floor import ChatMode
from api.validation import OWN_ERROR
from domain.errors import Invalid
from domain.messages import TEXT_CHARS_MAX, checked_text


def _text(text: str) -> str:
    try:
        return checked_text(text)
    except Invalid as refusal:
        raise PydanticCustomError(OWN_ERROR, refusal.detail) from refusal


Said = Annotated[str, Field(min_length=1, max_length=TEXT_CHARS_MAX), AfterValidator(_text)]
"""A message: 1 to 500 characters on one line, with something to see and no control characters."""


class MessageBody(Body):
    """What a player at the table writes. A `session` that another device has replaced is refused."""

    player: ClientId
    text: Said
    session: ClientId | None = None


class AnnouncementBody(Body):
    """What the house writes."""

    text: Said


class ChatModeBody(Body):
    """Who may write from now on, and why it is set."""

    chat: ChatMode
    reason: Reason


class ModerationBody(Body):
    """Why a moderator does it."""

    reason: Reason
