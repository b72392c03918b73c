"""Signed requests: the Standard Webhooks scheme in the other direction, for keys that ask for it.

`webhook-signature` is over `id.timestamp.body`, so what the scheme leaves out is bound by the id: it must be `req_` and
SHA-256, in hex, of `METHOD target`, a line feed, and the Idempotency-Key (nothing where there is none). So a captured
request opens one path with one body under one key, for five minutes, and there the key lets it have one effect. A
request that is sent again, with a new timestamp, has the same id, as the scheme wants it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Final, Protocol

from standardwebhooks import Webhook
from starlette.types import Scope

from api.errors import Unauthenticated

WINDOW_SECONDS: Final = 300
ID: Final = b"webhook-id"
TIMESTAMP: Final = b"webhook-timestamp"
SIGNATURE: Final = b"webhook-signature"
_DIGITS: Final = re.compile(rb"[0-9]{1,11}")


class Secrets(Protocol):
    """Where signing secrets come from."""

    def secret(self, service_key: str, key_id: str) -> str:
        """The signing secret of a key."""


def request_id(method: str, target: str, idempotency_key: str) -> str:
    """What `webhook-id` must be. `target` is the path as sent, with its query."""
    return "req_" + sha256(f"{method} {target}\n{idempotency_key}".encode()).hexdigest()


def target_of(scope: Scope) -> str:
    """Path and query as they were sent."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return (path + b"?" + query if query else path).decode("latin-1")


class Signatures:
    """Checks signed requests."""

    def __init__(self, secrets: Secrets, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._secrets = secrets
        self._clock = clock

    def check(
        self, key_id: str, service_key: str | None, headers: Mapping[bytes, bytes], *, said: str, body: bytes
    ) -> None:
        """Nothing when all holds; `said` is what `request_id` gives for this request.

        Unauthenticated names the check that failed, with the server's time; Unavailable when the secret is not here.
        """
        if service_key is None:
            raise self._failed(
                "key", "this key has no signing secret: make one that is signed, or leave webhook-signature out"
            )
        named, stamp, signatures = (self._header(headers, name) for name in (ID, TIMESTAMP, SIGNATURE))
        at = self._moment(stamp)
        if not compare_digest(named, said.encode()):
            raise self._failed("id", "webhook-id is not that of this method, path and Idempotency-Key")
        try:
            text = body.decode()
        except UnicodeDecodeError:
            raise self._failed("signature", "the body is not UTF-8, so nothing can have signed it") from None
        wanted = Webhook(self._secrets.secret(service_key, key_id)).sign(said, at, text).encode()
        if not any(compare_digest(one, wanted) for one in signatures.split(b" ")):
            raise self._failed("signature", "webhook-signature is not that of this id, timestamp and body")

    def _header(self, headers: Mapping[bytes, bytes], name: bytes) -> bytes:
        value = headers.get(name)
        if value is None:
            raise self._failed("headers", f"this key signs its requests, and the header {name.decode()} is missing")
        return value

    def _moment(self, stamp: bytes) -> datetime:
        """The timestamp in UTC: the library takes a time's zone for UTC, whatever it is."""
        if not _DIGITS.fullmatch(stamp):
            raise self._failed("timestamp", "webhook-timestamp must be whole seconds since 1970")
        off = int(stamp) - self._clock().timestamp()
        if abs(off) > WINDOW_SECONDS:
            where = "behind" if off < 0 else "ahead of"
            away = f"{abs(off):.0f} s {where} this server's clock"
            raise self._failed("timestamp", f"webhook-timestamp is {away}, and {WINDOW_SECONDS} s are allowed")
        return datetime.fromtimestamp(int(stamp), UTC)

    def _failed(self, check: str, detail: str) -> Unauthenticated:
        now = self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Unauthenticated(detail, more={"check": f"signature.{check}", "server_time": now})
