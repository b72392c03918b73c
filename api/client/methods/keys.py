"""Calls about keys. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class KeysCalls(Calls):
    """Calls about keys."""

    def list_keys(
        self, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.KeyItemPage:
        """The operator's keys, newest first. Roles: admin."""
        return self._read(m.KeyItemPage, "/v1/keys", {"min_position": min_position, "limit": limit, "cursor": cursor})

    def each_keys(self, *, min_position: int | None = None, limit: int | None = None) -> Iterator[m.KeyItem]:
        """The operator's keys, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_keys(min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def add_key(self, *, idempotency_key: str | None = None, **body: Unpack[b.KeyBody]) -> m.KeyAnswer:
        """Make a key: its text is told once. Roles: admin."""
        return self._command(m.KeyAnswer, "POST", "/v1/keys", body, idempotency_key)

    def list_access_log(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        kind: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
    ) -> m.AccessItemPage:
        """Failed logins, denials, use and changes of keys, newest first. Roles: admin, auditor."""
        return self._read(
            m.AccessItemPage,
            "/v1/access-log",
            {"min_position": min_position, "limit": limit, "cursor": cursor, "kind": kind, "from": from_, "to": to},
        )

    def each_access_log(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        kind: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
    ) -> Iterator[m.AccessItem]:
        """Failed logins, denials, use and changes of keys, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_access_log(
                min_position=min_position, limit=limit, kind=kind, from_=from_, to=to, cursor=cursor
            )
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def rotate_key(self, key_id: str, *, idempotency_key: str | None = None) -> m.KeyAnswer:
        """Make a second key for the subject of a key, before the old one is revoked. Roles: admin."""
        return self._command(m.KeyAnswer, "POST", f"/v1/keys/{path_id(key_id)}/rotate", {}, idempotency_key)

    def revoke_key(self, key_id: str, *, idempotency_key: str | None = None) -> m.RevokedAnswer:
        """End a key and its tokens, everywhere, before this answers. Roles: admin."""
        return self._command(m.RevokedAnswer, "POST", f"/v1/keys/{path_id(key_id)}/revoke", {}, idempotency_key)
