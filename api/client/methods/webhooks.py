"""Calls about webhooks. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class WebhooksCalls(Calls):
    """Calls about webhooks."""

    def list_webhooks(self) -> m.WebhookList:
        """Your webhooks. Roles: admin, operator."""
        return self._read(m.WebhookList, "/v1/webhooks", {})

    def add_webhook(
        self, *, idempotency_key: str | None = None, **body: Unpack[b.WebhookBody]
    ) -> m.WebhookSecretAnswer:
        """Have events sent to an address of yours. Roles: admin, operator."""
        return self._command(m.WebhookSecretAnswer, "POST", "/v1/webhooks", body, idempotency_key)

    def get_webhook(self, webhook: str) -> m.WebhookAnswer:
        """A webhook and how far it is. Roles: admin, operator."""
        return self._read(m.WebhookAnswer, f"/v1/webhooks/{path_id(webhook)}", {})

    def change_webhook(
        self, webhook: str, *, idempotency_key: str | None = None, **body: Unpack[b.WebhookChangeBody]
    ) -> m.WebhookAnswer:
        """Change a webhook, or enable it again. Roles: admin, operator."""
        return self._command(m.WebhookAnswer, "PATCH", f"/v1/webhooks/{path_id(webhook)}", body, idempotency_key)

    def remove_webhook(self, webhook: str) -> m.SendAnswer:
        """Remove a webhook. Roles: admin, operator."""
        return self._command(m.SendAnswer, "DELETE", f"/v1/webhooks/{path_id(webhook)}", {}, None, keyed=False)

    def list_deliveries(self, webhook: str, *, limit: int | None = None, cursor: str | None = None) -> m.DeliveryPage:
        """What was tried, newest first. Roles: admin, operator."""
        return self._read(
            m.DeliveryPage, f"/v1/webhooks/{path_id(webhook)}/deliveries", {"limit": limit, "cursor": cursor}
        )

    def each_deliveries(self, webhook: str, *, limit: int | None = None) -> Iterator[m.DeliveryAnswer]:
        """What was tried, newest first, item by item through all pages."""
        cursor = None
        while True:
            page = self.list_deliveries(webhook, limit=limit, cursor=cursor)
            yield from page.items
            cursor = page.next
            if cursor is None:
                return

    def rotate_webhook_secret(self, webhook: str, *, idempotency_key: str | None = None) -> m.WebhookSecretAnswer:
        """A new secret; the one before signs beside it for 24 hours. Roles: admin, operator."""
        return self._command(
            m.WebhookSecretAnswer, "POST", f"/v1/webhooks/{path_id(webhook)}/rotate", {}, idempotency_key
        )

    def ping_webhook(self, webhook: str, *, idempotency_key: str | None = None) -> m.SendAnswer:
        """Send a test. Roles: admin, operator."""
        return self._command(m.SendAnswer, "POST", f"/v1/webhooks/{path_id(webhook)}/ping", {}, idempotency_key)

    def replay_webhook(
        self, webhook: str, *, idempotency_key: str | None = None, **body: Unpack[b.ReplayBody]
    ) -> m.SendAnswer:
        """Send events again, or go on behind some. Roles: admin, operator."""
        return self._command(m.SendAnswer, "POST", f"/v1/webhooks/{path_id(webhook)}/replay", body, idempotency_key)
