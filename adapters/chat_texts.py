"""Removes texts of chat messages, with the projector's login, which sees how old they are but not what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import psycopg

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from domain.errors import Unavailable

BATCH: Final = 1_000
"""Rows that one statement removes, so that none takes long."""

_FORGET: Final = """
    DELETE FROM chat_texts WHERE (operator, message) IN (
        SELECT operator, message FROM chat_texts WHERE posted_at <= %s ORDER BY posted_at LIMIT %s)"""


class ChatTexts:
    """See services.ports.Texts. It connects when there is something to do, which is seldom."""

    def __init__(self, conninfo: str, batch: int = BATCH) -> None:
        self._conninfo = conninfo
        self._batch = batch

    async def forget(self, until: datetime) -> int:
        """See services.ports.Texts. The database itself refuses to remove a text before its 90 days."""
        removed = 0
        try:
            async with await connect_async(self._conninfo) as conn:
                while (done := (await conn.execute(_FORGET, [until, self._batch])).rowcount) > 0:
                    removed += done
        except (DatabaseUnreachable, psycopg.Error) as error:
            raise Unavailable("the database cannot be reached") from error
        return removed
