"""Calls about jackpots. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class JackpotsCalls(Calls):
    """Calls about jackpots."""

    def get_jackpot(self, jackpot: str, *, min_position: int | None = None) -> m.JackpotAnswer:
        """A pool and its meter. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(m.JackpotAnswer, f"/v1/jackpots/{path_id(jackpot)}", {"min_position": min_position})

    def change_jackpot(
        self, jackpot: str, *, idempotency_key: str | None = None, **body: Unpack[b.ChangeBody]
    ) -> m.TermsAnswer:
        """Change a pool's parameters. Roles: admin, operator."""
        return self._command(m.TermsAnswer, "PATCH", f"/v1/jackpots/{path_id(jackpot)}", body, idempotency_key)

    def stream_jackpot(self, jackpot: str) -> Iterator[m.JackpotAnswer]:
        """A pool and its meter as it changes, as server-sent events. Roles: admin, auditor, dealer,
        finance, operator.
        """
        return self._stream(m.JackpotAnswer, f"/v1/jackpots/{path_id(jackpot)}/stream", {})

    def open_jackpot(self, *, idempotency_key: str | None = None, **body: Unpack[b.JackpotBody]) -> m.DoneJackpotAnswer:
        """Open a progressive jackpot. Roles: admin, operator."""
        return self._command(m.DoneJackpotAnswer, "POST", "/v1/jackpots", body, idempotency_key)

    def correct_jackpot(
        self, jackpot: str, *, idempotency_key: str | None = None, **body: Unpack[b.MoneyBody]
    ) -> m.UpkeepAnswer | m.DoneApprovalAnswer:
        """Correct a pool. Roles: admin, finance."""
        answer: m.UpkeepAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.UpkeepAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/jackpots/{path_id(jackpot)}/corrections",
            body,
            idempotency_key,
        )
        return answer

    def transfer_between_jackpots(
        self, jackpot: str, *, idempotency_key: str | None = None, **body: Unpack[b.TransferBody]
    ) -> m.UpkeepAnswer | m.DoneApprovalAnswer:
        """Move money to another pool. Roles: admin, finance."""
        answer: m.UpkeepAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.UpkeepAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/jackpots/{path_id(jackpot)}/transfers",
            body,
            idempotency_key,
        )
        return answer

    def verify_award(
        self, jackpot: str, award: str, *, idempotency_key: str | None = None, **body: Unpack[b.PrizeBody]
    ) -> m.PrizeAnswer | m.DoneApprovalAnswer:
        """Pay a pending prize. Roles: admin, finance."""
        answer: m.PrizeAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.PrizeAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/jackpots/{path_id(jackpot)}/awards/{path_id(award)}/verify",
            body,
            idempotency_key,
        )
        return answer

    def refuse_award(
        self, jackpot: str, award: str, *, idempotency_key: str | None = None, **body: Unpack[b.PrizeBody]
    ) -> m.PrizeAnswer | m.DoneApprovalAnswer:
        """Refuse a pending prize. Roles: admin, finance."""
        answer: m.PrizeAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.PrizeAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/jackpots/{path_id(jackpot)}/awards/{path_id(award)}/refuse",
            body,
            idempotency_key,
        )
        return answer
