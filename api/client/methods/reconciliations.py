"""Calls about reconciliations. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class ReconciliationsCalls(Calls):
    """Calls about reconciliations."""

    def get_reconciliation(self, day: str, *, min_position: int | None = None) -> m.ReconciliationAnswer:
        """A day's reconciliation: totals, breaks, who sealed it. Roles: admin, auditor, finance."""
        return self._read(m.ReconciliationAnswer, f"/v1/reconciliations/{path_id(day)}", {"min_position": min_position})

    def prepare_reconciliation(
        self, *, idempotency_key: str | None = None, **body: Unpack[b.PrepareBody]
    ) -> m.DoneReconciliationAnswer:
        """Prepare a day's reconciliation. Roles: admin, finance."""
        return self._command(m.DoneReconciliationAnswer, "POST", "/v1/reconciliations", body, idempotency_key)

    def resolve_break(
        self, day: str, break_id: str, *, idempotency_key: str | None = None, **body: Unpack[b.ResolveBreakBody]
    ) -> m.DoneReconciliationAnswer:
        """Resolve a break. Roles: admin, finance."""
        return self._command(
            m.DoneReconciliationAnswer,
            "POST",
            f"/v1/reconciliations/{path_id(day)}/breaks/{path_id(break_id)}/resolve",
            body,
            idempotency_key,
        )

    def sign_off_reconciliation(
        self, day: str, *, idempotency_key: str | None = None, **body: Unpack[b.SignOffBody]
    ) -> m.DoneReconciliationAnswer | m.DoneApprovalAnswer:
        """Sign a day off, and seal it. Roles: admin, finance."""
        answer: m.DoneReconciliationAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.DoneReconciliationAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/reconciliations/{path_id(day)}/sign-off",
            body,
            idempotency_key,
        )
        return answer
