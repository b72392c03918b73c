"""The gate in front of everything that the application behind serves: no key, no way in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from api.auth import PRINCIPAL, KeyRing, Principal
from api.signing import SIGNATURE, target_of


class Limits(Protocol):
    """How often who may ask (api.rates)."""

    def refuse_guesses(self, scope: Scope, keys: KeyRing, header: bytes | None) -> None:
        """RateLimited where the caller's address has tried too many keys that nobody has."""

    def take(self, scope: Scope, key_id: str, cost: int = 1) -> None:
        """Count a request of this key; RateLimited when it has made too many."""


class AuthGate:
    """ASGI: lets nothing past without a key but what `is_open` says, and puts the Principal into the scope.

    A read that forgets to ask for a role is then still closed to strangers. WebSockets are not served and are
    refused like any other path. Raises Unauthenticated; the dispatcher in front answers it.
    """

    def __init__(
        self,
        inner: ASGIApp,
        keys: KeyRing,
        is_open: Callable[[str], bool],
        rates: Limits | None = None,
        admitted: Callable[[Principal, Scope], None] = lambda _who, _scope: None,
    ) -> None:
        self._inner = inner
        self._keys = keys
        self._is_open = is_open
        self._rates = rates
        self._admitted = admitted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or connection."""
        if scope["type"] != "lifespan" and not self._is_open(scope["path"]):
            headers = dict(scope["headers"])
            header = headers.get(b"authorization")
            if self._rates is not None:
                self._rates.refuse_guesses(scope, self._keys, header)
            found = scope[PRINCIPAL] = await self._keys.principal(header)
            if self._rates is not None:
                self._rates.take(scope, found.key_id)
            if found.signing_key is not None or SIGNATURE in headers:
                # what lies behind reads no bodies, so none can have been signed
                self._keys.check_signature(found, scope["method"], target_of(scope), headers, b"")
            self._admitted(found, scope)
        await self._inner(scope, receive, send)


TOKEN_PATH: Final = "/oauth/token"
"""Where keys are exchanged for tokens: the key stands in its body."""

OPEN_PATHS: Final = frozenset({"/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/llms.txt", TOKEN_PATH})


def open_path(path: str) -> bool:
    """Whether a path needs no key: health, metrics, the documentation with its files, and the exchange for tokens."""
    return path in OPEN_PATHS or path.startswith("/docs/")
