"""Calls about players. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class PlayersCalls(Calls):
    """Calls about players."""

    def get_balance(self, player: str, *, min_position: int | None = None, as_of: str | None = None) -> m.BalanceAnswer:
        """Balance, now or as of a position or time. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.BalanceAnswer, f"/v1/players/{path_id(player)}/balance", {"min_position": min_position, "as_of": as_of}
        )

    def list_account_history(
        self, player: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.AccountLinePage:
        """Account history, newest first. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.AccountLinePage,
            f"/v1/players/{path_id(player)}/account-history",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def each_account_history(
        self, player: str, *, min_position: int | None = None, limit: int | None = None
    ) -> Iterator[m.AccountLine]:
        """Account history, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_account_history(player, min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def list_game_history(
        self, player: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.GameLinePage:
        """Game history, newest first. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.GameLinePage,
            f"/v1/players/{path_id(player)}/game-history",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def each_game_history(
        self, player: str, *, min_position: int | None = None, limit: int | None = None
    ) -> Iterator[m.GameLine]:
        """Game history, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_game_history(player, min_position=min_position, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def get_settings(self, player: str, *, min_position: int | None = None) -> m.SettingsView:
        """Settings, the same on every device. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(m.SettingsView, f"/v1/players/{path_id(player)}/settings", {"min_position": min_position})

    def change_settings(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.SettingsBody]
    ) -> m.SettingsAnswer:
        """Change settings. Roles: admin, operator."""
        return self._command(
            m.SettingsAnswer, "PATCH", f"/v1/players/{path_id(player)}/settings", body, idempotency_key
        )

    def get_limits(self, player: str, *, min_position: int | None = None) -> m.LimitsView:
        """The player's own limit. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(m.LimitsView, f"/v1/players/{path_id(player)}/limits", {"min_position": min_position})

    def change_limits(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.LimitsBody]
    ) -> m.LimitAnswer:
        """Change the player's own limit. Roles: admin, operator."""
        return self._command(m.LimitAnswer, "PATCH", f"/v1/players/{path_id(player)}/limits", body, idempotency_key)

    def get_transaction(self, transaction_id: str, *, min_position: int | None = None) -> m.TransactionAnswer:
        """A deposit or withdrawal by the operator's own id. Roles: admin, auditor, dealer, finance, operator."""
        return self._read(
            m.TransactionAnswer,
            f"/v1/transactions/by-reference/{path_id(transaction_id)}",
            {"min_position": min_position},
        )

    def register_player(self, *, idempotency_key: str | None = None, **body: Unpack[b.PlayerBody]) -> m.PlayerAnswer:
        """Register a player. Roles: admin, operator."""
        return self._command(m.PlayerAnswer, "POST", "/v1/players", body, idempotency_key)

    def deposit(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.TransactionBody]
    ) -> m.DoneTransactionAnswer:
        """Deposit. Roles: admin, operator."""
        return self._command(
            m.DoneTransactionAnswer, "POST", f"/v1/players/{path_id(player)}/deposits", body, idempotency_key
        )

    def withdraw(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.TransactionBody]
    ) -> m.DoneTransactionAnswer:
        """Withdraw. Roles: admin, operator."""
        return self._command(
            m.DoneTransactionAnswer, "POST", f"/v1/players/{path_id(player)}/withdrawals", body, idempotency_key
        )

    def adjust_balance(
        self, player: str, *, idempotency_key: str | None = None, **body: Unpack[b.AdjustmentBody]
    ) -> m.AdjustmentAnswer | m.DoneApprovalAnswer:
        """Adjust a balance. Roles: admin, finance."""
        answer: m.AdjustmentAnswer | m.DoneApprovalAnswer = self._answered(
            {201: m.AdjustmentAnswer, 202: m.DoneApprovalAnswer},
            "POST",
            f"/v1/players/{path_id(player)}/adjustments",
            body,
            idempotency_key,
        )
        return answer

    def roll_back_transaction(self, transaction_id: str, *, idempotency_key: str | None = None) -> m.RollbackAnswer:
        """Roll a deposit or withdrawal back. Roles: admin, operator."""
        return self._command(
            m.RollbackAnswer, "POST", f"/v1/transactions/{path_id(transaction_id)}/rollback", {}, idempotency_key
        )

    def deposit_many(
        self, *, idempotency_key: str | None = None, **body: Unpack[b.DepositsBulkBody]
    ) -> m.DepositsBulkAnswer:
        """Many deposits. Roles: admin, operator."""
        return self._command(m.DepositsBulkAnswer, "POST", "/v1/deposits/bulk", body, idempotency_key)
