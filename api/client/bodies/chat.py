"""Chat: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AnnouncementBody(TypedDict):
    """What the house writes."""

    text: str


class ChatModeBody(TypedDict):
    """Who may write from now on, and why it is set."""

    chat: Literal["ON", "OFF", "SYSTEM_ONLY"]
    reason: str


class MessageBody(TypedDict):
    """What a player at the table writes. A `session` that another device has replaced is refused."""

    player: str
    text: str
    session: NotRequired[str | None]


class ModerationBody(TypedDict):
    """Why a moderator does it."""

    reason: str
