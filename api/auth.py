"""Who calls: API keys, the principal behind one, and the ring that looks keys up.

A key is `sb_{key id}_{secret}`: the id names the row, the secret has 256 random bits, and only SHA-256 of the whole
key is stored (a slow password hash protects weak secrets; these are not weak). A bootstrap key may be any text of 16
and more characters; its id is derived from it.

The ring remembers a found key for CACHE_SECONDS, so a revoked key works that long at most; in the process that
revoked it, `forget` ends it at once.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple, Protocol

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api import scope as scope_keys
from api.errors import Unauthenticated, UnknownKey
from domain.errors import Forbidden, Invalid

ROLES: Final = frozenset({"operator", "dealer", "auditor", "finance", "admin"})
CACHE_SECONDS: Final = 1.0
PRINCIPAL: Final = scope_keys.PRINCIPAL
"""The scope's key of the Principal, for what lies behind the gate."""

_OWN_FORM: Final = re.compile(r"sb_([0-9a-f]{16})_[0-9a-f]{64}", re.ASCII)
_ANY_KEY: Final = re.compile(r"[!-~]{16,256}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls: the operator that the key belongs to, the subject recorded as actor, the key, its roles."""

    operator: str
    subject: str
    key_id: str
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key as the store keeps it: its hash and whom it stands for. A revoked key is not found at all."""

    hash: bytes
    principal: Principal


class NewKey(NamedTuple):
    """A key to hand out once (`key`), and what to store of it."""

    key: str
    key_id: str
    hash: bytes


class KeyStore(Protocol):
    """Where keys are stored. Raises domain.errors.Unavailable when it cannot tell."""

    async def find(self, key_id: str) -> StoredKey | None:
        """The key of that id, None when there is none or it is revoked."""
        ...


def make_key() -> NewKey:
    """A new random key of our form."""
    key_id = secrets.token_hex(8)
    key = f"sb_{key_id}_{secrets.token_hex(32)}"
    return NewKey(key, key_id, hash_key(key))


def bootstrap_key(text: str) -> NewKey:
    """The key that an administrator chose (STUDBOOK_BOOTSTRAP_KEY): 16 to 256 printable characters, no spaces."""
    if not _ANY_KEY.fullmatch(text):
        raise Invalid("a bootstrap key has 16 to 256 printable ASCII characters and no spaces", field="bootstrap_key")
    return NewKey(text, key_id_of(text), hash_key(text))


def hash_key(key: str) -> bytes:
    """What is stored of a key: SHA-256, 32 bytes."""
    return sha256(key.encode()).digest()


def key_id_of(key: str) -> str:
    """The id inside a key of our form; of any other the first 16 hex digits of its SHA-256."""
    if own := _OWN_FORM.fullmatch(key):
        return own[1]
    return sha256(key.encode()).hexdigest()[:16]


def bearer(header: bytes | None) -> str:
    """The key of an Authorization header; Unauthenticated says what is wrong with it, without repeating it."""
    if header is None:
        raise Unauthenticated("send the header Authorization: Bearer <key>")
    scheme, _, key = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("the scheme of Authorization must be Bearer")
    key = key.strip(" ")
    if not _ANY_KEY.fullmatch(key):
        raise Unauthenticated("the key in Authorization is empty, cut off, or holds characters that no key has")
    return key


def check_roles(principal: Principal, allowed: frozenset[str]) -> None:
    """Forbidden unless the principal has one of the roles."""
    if not principal.roles & allowed:
        raise Forbidden("this call needs a key with the role " + " or ".join(sorted(allowed)))


class KeyRing:
    """Keys to principals, with a small cache of those found; what was not found is asked anew each time."""

    def __init__(
        self,
        store: KeyStore,
        *,
        ttl_seconds: float = CACHE_SECONDS,
        size: int = 4096,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._ttl = ttl_seconds
        self._size = size
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, StoredKey]] = OrderedDict()
        self._asked: dict[str, asyncio.Task[StoredKey | None]] = {}

    async def principal(self, header: bytes | None) -> Principal:
        """Who sent this Authorization header; Unauthenticated when it opens nothing."""
        key = bearer(header)
        key_id = key_id_of(key)
        held = self._known.get(key_id)
        stored = held[1] if held is not None and self._clock() < held[0] else await self._look_up(key_id)
        if stored is None or not compare_digest(hash_key(key), stored.hash):
            raise UnknownKey("the key is unknown or revoked")
        return stored.principal

    def remembers(self, header: bytes | None) -> bool:
        """Whether the header is no guess: its key has opened before in this process, or it cannot be any key."""
        try:
            key = bearer(header)
        except Unauthenticated:
            return True
        held = self._known.get(key_id_of(key))
        return held is not None and compare_digest(hash_key(key), held[1].hash)

    def forget(self, key_id: str) -> None:
        """Drop a key that was revoked or changed; the next request asks the store."""
        self._known.pop(key_id, None)
        self._asked.pop(key_id, None)

    async def _look_up(self, key_id: str) -> StoredKey | None:
        """Ask the store, once for all who wait for the same key."""
        asked = self._asked.get(key_id)
        if asked is None:
            asked = self._asked[key_id] = asyncio.ensure_future(self._ask(key_id))
        return await asyncio.shield(asked)

    async def _ask(self, key_id: str) -> StoredKey | None:
        until = self._clock() + self._ttl
        me = asyncio.current_task()
        try:
            stored = await self._store.find(key_id)
        finally:
            current = self._asked.get(key_id) is me
            if current:
                del self._asked[key_id]
        if current:
            self._known.pop(key_id, None)
            if stored is not None:
                self._known[key_id] = (until, stored)
                if len(self._known) > self._size:
                    self._known.popitem(last=False)
        return stored


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
        self, inner: ASGIApp, keys: KeyRing, is_open: Callable[[str], bool], rates: Limits | None = None
    ) -> None:
        self._inner = inner
        self._keys = keys
        self._is_open = is_open
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or connection."""
        if scope["type"] != "lifespan" and not self._is_open(scope["path"]):
            header = dict(scope["headers"]).get(b"authorization")
            if self._rates is not None:
                self._rates.refuse_guesses(scope, self._keys, header)
            found = scope[PRINCIPAL] = await self._keys.principal(header)
            if self._rates is not None:
                self._rates.take(scope, found.key_id)
        await self._inner(scope, receive, send)


OPEN_PATHS: Final = frozenset({"/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/llms.txt"})


def open_path(path: str) -> bool:
    """Whether a path needs no key: health, metrics, and the documentation with its files."""
    return path in OPEN_PATHS or path.startswith("/docs/")


@dataclass(frozen=True, slots=True)
class Requires:
    """A FastAPI dependency (asynchronous: it runs on the loop): the Principal, Forbidden without one of `roles`."""

    roles: frozenset[str]

    async def __call__(self, connection: HTTPConnection) -> Principal:
        """Who calls."""
        found = connection.scope.get(PRINCIPAL)
        if not isinstance(found, Principal):
            raise Unauthenticated("send the header Authorization: Bearer <key>")
        check_roles(found, self.roles)
        return found


def requires(*roles: str) -> Requires:
    """The dependency for one or more roles."""
    allowed = frozenset(roles)
    if not allowed or not allowed <= ROLES:
        raise ValueError(f"roles are {sorted(ROLES)}")
    return Requires(allowed)
