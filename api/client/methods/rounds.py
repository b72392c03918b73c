"""Calls about rounds. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class RoundsCalls(Calls):
    """Calls about rounds."""

    def find_rounds(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        game_number: str | None = None,
        table: str | None = None,
    ) -> m.RoundLinePage:
        """Look rounds up. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.RoundLinePage,
            "/v1/rounds",
            {
                "min_position": min_position,
                "limit": limit,
                "cursor": cursor,
                "game_number": game_number,
                "table": table,
            },
        )

    def each_rounds(
        self,
        *,
        min_position: int | None = None,
        limit: int | None = None,
        game_number: str | None = None,
        table: str | None = None,
    ) -> Iterator[m.RoundLine]:
        """Look rounds up, item by item through all pages."""
        cursor = None
        while True:
            page = self.find_rounds(
                min_position=min_position, limit=limit, game_number=game_number, table=table, cursor=cursor
            )
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def get_round(
        self, round: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.RoundAnswer:
        """A round as all may see it. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.RoundAnswer,
            f"/v1/rounds/{path_id(round)}",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def list_round_events(
        self, round: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.RoundEvents:
        """All that happened in a round. Roles: admin, auditor."""
        return self._read(
            m.RoundEvents,
            f"/v1/rounds/{path_id(round)}/events",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def each_round_events(
        self, round: str, *, min_position: int | None = None, limit: int | None = None
    ) -> Iterator[m.CloudEvent]:
        """All that happened in a round, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_round_events(round, min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def get_own_view(self, round: str, player: str, *, min_position: int | None = None) -> m.OwnView:
        """A player's own view: own cards, hand, wagers, deadline. Roles: admin, operator."""
        return self._read(
            m.OwnView, f"/v1/rounds/{path_id(round)}/players/{path_id(player)}", {"min_position": min_position}
        )

    def place_wagers(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WagerBody]
    ) -> m.WagersAnswer:
        """Place wagers. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/wagers", body, idempotency_key)

    def undo_wagers(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WhoBody]
    ) -> m.WagersAnswer:
        """Undo the last action. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/undo", body, idempotency_key)

    def double_wagers(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WhoBody]
    ) -> m.WagersAnswer:
        """Double the bets, once. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/double", body, idempotency_key)

    def repeat_wagers(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WhoBody]
    ) -> m.WagersAnswer:
        """Repeat the last bets. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/repeat", body, idempotency_key)

    def pass_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WhoBody]
    ) -> m.WagersAnswer:
        """Skip this deal. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/pass", body, idempotency_key)

    def leave_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WhoBody]
    ) -> m.WagersAnswer:
        """Leave while betting is open. Roles: admin, operator."""
        return self._command(m.WagersAnswer, "POST", f"/v1/rounds/{path_id(round)}/leave", body, idempotency_key)

    def close_betting(self, round: str, *, idempotency_key: str | None = None) -> m.CloseAnswer:
        """Close betting. Roles: admin, dealer, operator."""
        return self._command(m.CloseAnswer, "POST", f"/v1/rounds/{path_id(round)}/close", {}, idempotency_key)

    def deal(self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.DealBody]) -> m.DealAnswer:
        """Deal. Roles: admin, dealer, operator."""
        return self._command(m.DealAnswer, "POST", f"/v1/rounds/{path_id(round)}/deal", body, idempotency_key)

    def scan_card(self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.ScanBody]) -> m.ScanAnswer:
        """Scan the next card. Roles: admin, dealer."""
        return self._command(m.ScanAnswer, "POST", f"/v1/rounds/{path_id(round)}/cards", body, idempotency_key)

    def correct_scan(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.ScanCorrectionBody]
    ) -> m.ScanAnswer:
        """Put a misread card right. Roles: admin, dealer."""
        return self._command(
            m.ScanAnswer, "POST", f"/v1/rounds/{path_id(round)}/cards/corrections", body, idempotency_key
        )

    def decide(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.DecisionBody]
    ) -> m.DecisionAnswer:
        """Call or fold. Roles: admin, operator."""
        return self._command(m.DecisionAnswer, "POST", f"/v1/rounds/{path_id(round)}/decisions", body, idempotency_key)

    def settle_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.SettleBody]
    ) -> m.SettleAnswer:
        """Show all cards and pay. Roles: admin, dealer."""
        return self._command(m.SettleAnswer, "POST", f"/v1/rounds/{path_id(round)}/settle", body, idempotency_key)

    def pause_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.PauseBody]
    ) -> m.PhaseAnswer:
        """Pause for an investigation. Roles: admin, dealer, operator."""
        return self._command(m.PhaseAnswer, "POST", f"/v1/rounds/{path_id(round)}/pause", body, idempotency_key)

    def resume_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.ResumeBody]
    ) -> m.PhaseAnswer:
        """Resume. Roles: admin, dealer, operator."""
        return self._command(m.PhaseAnswer, "POST", f"/v1/rounds/{path_id(round)}/resume", body, idempotency_key)

    def void_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.VoidBody]
    ) -> m.DoneVoidAnswer | m.DoneApprovalAnswer:
        """Void. Roles: admin, dealer, operator."""
        answer: m.DoneVoidAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.DoneVoidAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/rounds/{path_id(round)}/void",
            body,
            idempotency_key,
        )
        return answer

    def resettle_round(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.ResettleBody]
    ) -> m.ResettleAnswer | m.DoneApprovalAnswer:
        """Settle again on corrected cards. Roles: admin, dealer, operator."""
        answer: m.ResettleAnswer | m.DoneApprovalAnswer = self._answered(
            {200: m.ResettleAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/rounds/{path_id(round)}/resettle",
            body,
            idempotency_key,
        )
        return answer

    def resolve_void(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.ResolveBody]
    ) -> m.ResolveAnswer:
        """Decide what is held. Roles: admin, dealer, operator."""
        return self._command(
            m.ResolveAnswer, "POST", f"/v1/rounds/{path_id(round)}/void/resolve", body, idempotency_key
        )

    def place_many_wagers(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.WagersBulkBody]
    ) -> m.WagersBulkAnswer:
        """Place many wagers. Roles: admin, operator."""
        return self._command(
            m.WagersBulkAnswer, "POST", f"/v1/rounds/{path_id(round)}/wagers/bulk", body, idempotency_key
        )

    def decide_many(
        self, round: str, *, idempotency_key: str | None = None, **body: Unpack[b.DecisionsBulkBody]
    ) -> m.DecisionsBulkAnswer:
        """Many calls and folds. Roles: admin, operator."""
        return self._command(
            m.DecisionsBulkAnswer, "POST", f"/v1/rounds/{path_id(round)}/decisions/bulk", body, idempotency_key
        )
