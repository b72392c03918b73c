"""Calls about chat. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class ChatCalls(Calls):
    """Calls about chat."""

    def list_chat(
        self,
        table: str,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        after: int | None = None,
        player: str | None = None,
    ) -> m.ChatAnswer:
        """A table's chat, newest first. Roles: admin, dealer, operator."""
        return self._read(
            m.ChatAnswer,
            f"/v1/tables/{path_id(table)}/chat",
            {"min_position": min_position, "limit": limit, "cursor": cursor, "after": after, "player": player},
        )

    def each_chat(
        self,
        table: str,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        after: int | None = None,
        player: str | None = None,
    ) -> Iterator[m.ChatLine]:
        """A table's chat, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_chat(
                table, min_position=min_position, limit=limit, after=after, player=player, cursor=cursor
            )
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def post_message(
        self, table: str, *, idempotency_key: str | None = None, **body: Unpack[b.MessageBody]
    ) -> m.MessageAnswer:
        """Write in a table's chat as a player. Roles: admin, operator."""
        return self._command(m.MessageAnswer, "POST", f"/v1/tables/{path_id(table)}/chat", body, idempotency_key)

    def change_chat(
        self, table: str, *, idempotency_key: str | None = None, **body: Unpack[b.ChatModeBody]
    ) -> m.ChatModeAnswer:
        """Say who may write in a table's chat. Roles: admin, operator."""
        return self._command(m.ChatModeAnswer, "PATCH", f"/v1/tables/{path_id(table)}/chat", body, idempotency_key)

    def list_chat_log(
        self,
        table: str,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        after: int | None = None,
    ) -> m.ChatLog:
        """A table's chat of 90 days with what was withdrawn. Roles: admin, auditor, dealer, operator."""
        return self._read(
            m.ChatLog,
            f"/v1/tables/{path_id(table)}/chat/log",
            {"min_position": min_position, "limit": limit, "cursor": cursor, "after": after},
        )

    def each_chat_log(
        self, table: str, *, min_position: int | None = None, limit: int | None = None, after: int | None = None
    ) -> Iterator[m.LoggedLine]:
        """A table's chat of 90 days with what was withdrawn, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_chat_log(table, min_position=min_position, limit=limit, after=after, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def announce(
        self, table: str, *, idempotency_key: str | None = None, **body: Unpack[b.AnnouncementBody]
    ) -> m.MessageAnswer:
        """Write in a table's chat as the house. Roles: admin, dealer, operator."""
        return self._command(
            m.MessageAnswer, "POST", f"/v1/tables/{path_id(table)}/announcements", body, idempotency_key
        )

    def withdraw_message(
        self, table: str, message: str, *, idempotency_key: str | None = None, **body: Unpack[b.ModerationBody]
    ) -> m.WithdrawnAnswer:
        """Take a chat message back. Roles: admin, dealer, operator."""
        return self._command(
            m.WithdrawnAnswer,
            "POST",
            f"/v1/tables/{path_id(table)}/chat/{path_id(message)}/withdraw",
            body,
            idempotency_key,
        )

    def remove_from_chat(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.ModerationBody]
    ) -> m.VoiceAnswer:
        """Remove a player from the chat of all tables. Roles: admin, dealer, operator."""
        return self._command(m.VoiceAnswer, "POST", f"/v1/players/{path_id(player)}/chat/remove", body, idempotency_key)

    def restore_to_chat(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.ModerationBody]
    ) -> m.VoiceAnswer:
        """Let a player write in chats again. Roles: admin, dealer, operator."""
        return self._command(
            m.VoiceAnswer, "POST", f"/v1/players/{path_id(player)}/chat/restore", body, idempotency_key
        )
