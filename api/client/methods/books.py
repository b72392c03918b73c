"""Calls about books. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from .. import models as m
from ..transport import Calls


class BooksCalls(Calls):
    """Calls about books."""

    def list_events(
        self,
        *,
        type: str | None = None,
        subject: str | None = None,
        min_position: int | None = None,
        after: int | None = None,
        limit: int | None = None,
        wait: int | None = None,
    ) -> m.Feed:
        """CloudEvents in order, for followers. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.Feed,
            "/v1/events",
            {
                "type": type,
                "subject": subject,
                "min_position": min_position,
                "after": after,
                "limit": limit,
                "wait": wait,
            },
        )

    def stream_events(
        self, *, type: str | None = None, subject: str | None = None, after: int | None = None
    ) -> Iterator[m.CloudEvent]:
        """CloudEvents as they come, as server-sent events. Roles: admin, auditor, dealer, finance, operator."""
        return self._stream(m.CloudEvent, "/v1/events/stream", {"type": type, "subject": subject, "after": after})

    def list_journal(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        currency: str | None = None,
    ) -> m.JournalLinePage:
        """Postings, oldest first. Roles: admin, auditor, finance."""
        return self._read(
            m.JournalLinePage,
            "/v1/journal",
            {
                "min_position": min_position,
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "currency": currency,
            },
        )

    def each_journal(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        currency: str | None = None,
    ) -> Iterator[m.JournalLine]:
        """Postings, oldest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_journal(
                min_position=min_position, limit=limit, from_=from_, to=to, currency=currency, cursor=cursor
            )
            yield from page.items
            cursor = page.next
            if cursor is None:
                return
