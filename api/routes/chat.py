"""The chat of tables: messages, and what moderators do."""

from __future__ import annotations

import secrets
from typing import Any

from api.route_table import Call
from api.routes.row import CASHIER, FLOOR, Row
from api.schemas.chat import AnnouncementBody, ChatModeBody, MessageBody, ModerationBody
from domain.errors import ChatClosed, Forbidden, NotFound, WrongPhase
from domain.rules import ChatPolicy
from services import answers
from services import commands as c

SALT_BYTES = 16


def post(call: Call[MessageBody]) -> c.PostMessage:
    """A player's message."""
    body = call.body
    return c.PostMessage(call.path["table"], body.player, body.text, _salt(), body.session)


def announce(call: Call[AnnouncementBody]) -> c.Announce:
    """The house's message."""
    return c.Announce(call.path["table"], call.body.text, _salt())


def set_mode(call: Call[ChatModeBody]) -> c.SetChat:
    """Who may write."""
    return c.SetChat(call.path["table"], ChatPolicy(call.body.chat), call.body.reason)


def withdraw(call: Call[ModerationBody]) -> c.WithdrawMessage:
    """A message taken back."""
    return c.WithdrawMessage(call.path["table"], call.path["message"], call.body.reason)


def remove(call: Call[ModerationBody]) -> c.SetVoice:
    """A player out of the chat."""
    return c.SetVoice(call.path["player"], may_write=False, reason=call.body.reason)


def restore(call: Call[ModerationBody]) -> c.SetVoice:
    """A player in it again."""
    return c.SetVoice(call.path["player"], may_write=True, reason=call.body.reason)


def lines(call: Call[Any], _: bytes) -> str:
    """Of a message."""
    return f"/v1/tables/{call.path['table']}/chat"


def _salt() -> str:
    """What makes a text's seal tell nothing once both are gone."""
    return secrets.token_hex(SALT_BYTES)


ROWS = (
    Row(
        "/v1/tables/{table}/chat", MessageBody, CASHIER, post, answers.MessageAnswer,
        "Write in a table's chat as a player", (NotFound, Forbidden, ChatClosed), created=True,
        location=lines,
    ),
    Row(
        "/v1/tables/{table}/chat", ChatModeBody, CASHIER, set_mode, answers.ChatModeAnswer,
        "Say who may write in a table's chat", (NotFound,), method="PATCH",
    ),
    Row(
        "/v1/tables/{table}/announcements", AnnouncementBody, FLOOR, announce, answers.MessageAnswer,
        "Write in a table's chat as the house", (NotFound, ChatClosed), created=True,
        location=lines,
    ),
    Row(
        "/v1/tables/{table}/chat/{message}/withdraw", ModerationBody, FLOOR, withdraw, answers.WithdrawnAnswer,
        "Take a chat message back", (NotFound, WrongPhase),
    ),
    Row(
        "/v1/players/{player}/chat/remove", ModerationBody, FLOOR, remove, answers.VoiceAnswer,
        "Remove a player from the chat of all tables", (NotFound, WrongPhase),
    ),
    Row(
        "/v1/players/{player}/chat/restore", ModerationBody, FLOOR, restore, answers.VoiceAnswer,
        "Let a player write in chats again", (NotFound, WrongPhase),
    ),
)  # fmt: skip
"""The rows of this resource."""
