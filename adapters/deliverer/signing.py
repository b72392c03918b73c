"""The headers of Standard Webhooks: id, time, and a signature for each secret that is in force."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from standardwebhooks import Webhook

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def new_secret() -> str:
    """A new random secret, as the receiver's library takes it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed(message: str, at: datetime, body: bytes, keys: Sequence[str]) -> dict[str, str]:
    """The headers for a body. `at` in any zone: the library takes its digits for UTC, so it gets UTC."""
    moment = at.astimezone(UTC)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(Webhook(one).sign(message, moment, body.decode()) for one in keys),
    }
