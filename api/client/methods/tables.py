"""Calls about tables. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class TablesCalls(Calls):
    """Calls about tables."""

    def list_tables(
        self, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.TableAnswerPage:
        """The lobby. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.TableAnswerPage, "/v1/tables", {"min_position": min_position, "limit": limit, "cursor": cursor}
        )

    def each_tables(self, *, min_position: int | None = None, limit: int | None = None) -> Iterator[m.TableAnswer]:
        """The lobby, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_tables(min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def open_table(self, *, idempotency_key: str | None = None, **body: Unpack[b.TableBody]) -> m.DoneTableAnswer:
        """Open a table. Roles: admin, operator."""
        return self._command(m.DoneTableAnswer, "POST", "/v1/tables", body, idempotency_key)

    def open_round(self, table: str, *, idempotency_key: str | None = None) -> m.DoneRoundAnswer:
        """Open the table's next round. Roles: admin, dealer, operator."""
        return self._command(m.DoneRoundAnswer, "POST", f"/v1/tables/{path_id(table)}/rounds", {}, idempotency_key)

    def join_table(self, table: str, *, idempotency_key: str | None = None, **body: Unpack[b.JoinBody]) -> m.JoinAnswer:
        """Join a table. Roles: admin, operator."""
        return self._command(m.JoinAnswer, "POST", f"/v1/tables/{path_id(table)}/join", body, idempotency_key)

    def leave_table(
        self, table: str, *, idempotency_key: str | None = None, **body: Unpack[b.LeaveBody]
    ) -> m.LeaveAnswer:
        """Leave a table. Roles: admin, operator."""
        return self._command(m.LeaveAnswer, "POST", f"/v1/tables/{path_id(table)}/leave", body, idempotency_key)
