"""Calls about approvals. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class ApprovalsCalls(Calls):
    """Calls about approvals."""

    def list_approvals(
        self, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.ApprovalAnswerPage:
        """Proposals, those that wait first. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.ApprovalAnswerPage, "/v1/approvals", {"min_position": min_position, "limit": limit, "cursor": cursor}
        )

    def each_approvals(
        self, *, min_position: int | None = None, limit: int | None = None
    ) -> Iterator[m.ApprovalAnswer]:
        """Proposals, those that wait first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_approvals(min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def get_approval(self, approval: str, *, min_position: int | None = None) -> m.ApprovalAnswer:
        """A proposal and what became of it. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(m.ApprovalAnswer, f"/v1/approvals/{path_id(approval)}", {"min_position": min_position})

    def decide_approval(
        self, approval: str, *, idempotency_key: str | None = None, **body: Unpack[b.ApprovalBody]
    ) -> (
        m.DoneVoidAnswer
        | m.ResettleAnswer
        | m.UpkeepAnswer
        | m.PrizeAnswer
        | m.AdjustmentAnswer
        | m.DoneApprovalAnswer
        | m.DoneReconciliationAnswer
    ):
        """Approve or reject what another proposed. Roles: admin, dealer, finance, operator."""
        answer: (
            m.DoneVoidAnswer
            | m.ResettleAnswer
            | m.UpkeepAnswer
            | m.PrizeAnswer
            | m.AdjustmentAnswer
            | m.DoneApprovalAnswer
            | m.DoneReconciliationAnswer
        ) = self._answered(
            {
                200: m.DoneVoidAnswer
                | m.ResettleAnswer
                | m.UpkeepAnswer
                | m.PrizeAnswer
                | m.AdjustmentAnswer
                | m.DoneApprovalAnswer
                | m.DoneReconciliationAnswer
            },
            "POST",
            f"/v1/approvals/{path_id(approval)}",
            body,
            idempotency_key,
        )
        return answer
