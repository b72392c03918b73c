"""Calls about reports. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .. import models as m
from ..transport import Calls, path_id


class ReportsCalls(Calls):
    """Calls about reports."""

    def list_reports(self) -> m.ReportList:
        """Reports that there are. Roles: admin, auditor, finance."""
        return self._read(m.ReportList, "/v1/reports", {})

    def get_report(
        self,
        name: str,
        *,
        min_position: int | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        currency: str | None = None,
        clock: Literal["recorded", "effective"] | None = None,
        account: str | None = None,
        player: str | None = None,
        round: str | None = None,
        threshold: int | None = None,
        explain: str | None = None,
    ) -> m.ReportAnswer | m.ReportSources | m.ExportAnswer:
        """A report, worked out now. Roles: admin, auditor, finance."""
        answer: m.ReportAnswer | m.ReportSources | m.ExportAnswer = self._read_any(
            {200: m.ReportAnswer | m.ReportSources, 202: m.ExportAnswer},
            f"/v1/reports/{path_id(name)}",
            {
                "min_position": min_position,
                "from": from_,
                "to": to,
                "currency": currency,
                "clock": clock,
                "account": account,
                "player": player,
                "round": round,
                "threshold": threshold,
                "explain": explain,
            },
        )
        return answer
