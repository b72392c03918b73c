"""Signs requests of a key that was made with `signed`: three headers of Standard Webhooks on each attempt.

The id brings method, path, query and Idempotency-Key under the signature, the secret is the key's own `signing_secret`.
Each attempt is signed anew, with the time of that attempt: the service takes 300 seconds of difference.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from hashlib import sha256

import httpx2
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook


class Signing(httpx2.Auth):
    """What httpx2 asks to complete a request. Raises ValueError for what is no secret."""

    requires_request_body = True

    def __init__(self, secret: str) -> None:
        try:
            self._webhook = Webhook(secret)
        except (ValueError, EmptyWebhookSecretError):
            raise ValueError("signing_secret: whsec_..., as the key was told with it") from None

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        """The request with its three headers."""
        target = request.url.raw_path.decode("ascii")
        name = f"{request.method} {target}\n{request.headers.get('Idempotency-Key', '')}"
        name = "req_" + sha256(name.encode()).hexdigest()
        at = datetime.now(UTC)
        request.headers["webhook-id"] = name
        request.headers["webhook-timestamp"] = str(int(at.timestamp()))
        request.headers["webhook-signature"] = self._webhook.sign(name, at, request.content.decode())
        yield request
