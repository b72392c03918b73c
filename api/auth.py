"""Who calls: API keys, the tokens given for them, the principal behind one, and the ring that looks keys up.

A key is `sb_{key id}_{secret}`: the id names the row, the secret has 256 random bits, and only SHA-256 of the whole
key is stored (a slow password hash protects weak secrets; these are not weak). A bootstrap key may be any text of 16
and more characters; its id is derived from it.

The ring remembers a found key for CACHE_SECONDS, so that a revoked key works that long at most. Each process hears of
a revocation and forgets the key at once (adapters/key_watch.py), and whoever revokes it gets the answer only after
CACHE_SECONDS, so that a process that did not hear cannot know it any more either.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple, Protocol

from starlette.requests import HTTPConnection

from api import scope as scope_keys
from api.bearer import ANY_KEY, TOKEN_START, bearer
from api.errors import Unauthenticated, UnknownKey
from api.signing import Signatures, request_id
from api.tokens import Tokens
from domain.errors import Forbidden, Invalid

ROLES: Final = frozenset({"operator", "dealer", "auditor", "finance", "admin"})
ADMINS: Final = frozenset({"admin"})
"""Who makes and ends keys."""

CACHE_SECONDS: Final = 1.0
PRINCIPAL: Final = scope_keys.PRINCIPAL
"""The scope's key of the Principal, for what lies behind the gate."""

_OWN_FORM: Final = re.compile(r"sb_([0-9a-f]{16})_[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls: the operator that the key belongs to, the subject recorded as actor, the key, its roles.

    `signing_key`: its requests must be signed, with the secret that comes from this key of the service.
    """

    operator: str
    subject: str
    key_id: str
    roles: frozenset[str]
    signing_key: str | None = None


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key as the store keeps it: its hash and whom it stands for."""

    hash: bytes
    principal: Principal
    is_revoked: bool = False


class NewKey(NamedTuple):
    """A key to hand out once (`key`), and what to store of it."""

    key: str
    key_id: str
    hash: bytes


class KeyStore(Protocol):
    """Where keys are stored. Raises domain.errors.Unavailable when it cannot tell."""

    async def find(self, key_id: str) -> StoredKey | None:
        """The key of that id, None when there is none."""
        ...


def make_key() -> NewKey:
    """A new random key of our form."""
    key_id = secrets.token_hex(8)
    key = f"sb_{key_id}_{secrets.token_hex(32)}"
    return NewKey(key, key_id, hash_key(key))


def bootstrap_key(text: str) -> NewKey:
    """The key that an administrator chose (STUDBOOK_BOOTSTRAP_KEY): 16 to 256 printable characters, no spaces."""
    if not ANY_KEY.fullmatch(text) or text.startswith(TOKEN_START):
        raise Invalid(
            f"a bootstrap key has 16 to 256 printable ASCII characters and no spaces, and not {TOKEN_START} in front",
            field="bootstrap_key",
        )
    return NewKey(text, key_id_of(text), hash_key(text))


def hash_key(key: str) -> bytes:
    """What is stored of a key: SHA-256, 32 bytes."""
    return sha256(key.encode()).digest()


def key_id_of(key: str) -> str:
    """The id inside a key of our form; of any other the first 16 hex digits of its SHA-256."""
    if own := _OWN_FORM.fullmatch(key):
        return own[1]
    return sha256(key.encode()).hexdigest()[:16]


def check_roles(principal: Principal, allowed: frozenset[str]) -> None:
    """Forbidden unless the principal has one of the roles."""
    if principal.roles.isdisjoint(allowed):
        raise Forbidden("this call needs a key with the role " + " or ".join(sorted(allowed)))


class KeyRing:
    """Keys to principals, with a small cache of those found; what was not found is asked anew each time."""

    def __init__(
        self,
        store: KeyStore,
        *,
        tokens: Tokens | None = None,
        signatures: Signatures | None = None,
        ttl_seconds: float = CACHE_SECONDS,
        size: int = 4096,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._tokens = tokens or Tokens({})
        self._signatures = signatures
        self._ttl = ttl_seconds
        self._size = size
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, StoredKey]] = OrderedDict()
        self._opened: dict[bytes, tuple[float, StoredKey]] = {}
        """SHA-256 of headers that have opened to what is known of their key; good while just that is known."""
        self._asked: dict[str, asyncio.Task[StoredKey | None]] = {}

    def opened(self, header: bytes | None) -> Principal | None:
        """What `principal` would say of a header that has opened within CACHE_SECONDS; None of any other."""
        held = None if header is None else self._opened.get(sha256(header).digest())
        if held is None:
            return None
        until, stored = held
        found = stored.principal
        return found if self._known.get(found.key_id) is held and self._clock() < until else None

    async def principal(self, header: bytes | None) -> Principal:
        """Who sent this Authorization header; Unauthenticated when it opens nothing."""
        key = bearer(header)
        if key.startswith(TOKEN_START):
            return await self._behind(key)
        key_id = key_id_of(key)
        held = self._known.get(key_id)
        stored = held[1] if held is not None and self._clock() < held[0] else await self._look_up(key_id)
        if stored is None:
            raise UnknownKey(_UNKNOWN, key_id=key_id if _OWN_FORM.fullmatch(key) else None)
        if stored.is_revoked or not compare_digest(hash_key(key), stored.hash):
            raise _refused(stored, _UNKNOWN)
        self._remember(header, key_id)
        return stored.principal

    def _remember(self, header: bytes | None, key_id: str) -> None:
        """A header has opened; it will do so without being read again while the key is known."""
        held = self._known.get(key_id)
        if header is not None and held is not None:
            if len(self._opened) >= self._size:
                self._opened.clear()
            self._opened[sha256(header).digest()] = held

    def remembers(self, header: bytes | None) -> bool:
        """Whether the header is no guess: its key has opened before in this process, or it cannot be any key."""
        try:
            key = bearer(header)
        except Unauthenticated:
            return True
        if key.startswith(TOKEN_START):
            return True  # signed by us, or refused without a look-up
        held = self._known.get(key_id_of(key))
        return held is not None and compare_digest(hash_key(key), held[1].hash)

    async def _behind(self, token: str) -> Principal:
        """Who holds a token: the principal of its key, with no other roles than the token was given for."""
        claims = self._tokens.read(token)
        held = self._known.get(claims.key_id)
        stored = held[1] if held is not None and self._clock() < held[0] else await self._look_up(claims.key_id)
        if stored is None or stored.is_revoked:
            detail = "the key that the token was given for is revoked"
            more = {"check": "token.key"}
            if stored is None:
                raise Unauthenticated(detail, more=more, key_id=claims.key_id)
            raise _refused(stored, detail, more)
        found = stored.principal
        return found if claims.roles == found.roles else replace(found, roles=found.roles & claims.roles)

    def check_signature(
        self, who: Principal, method: str, target: str, headers: Mapping[bytes, bytes], body: bytes
    ) -> None:
        """Unauthenticated, with the check that failed, unless the request is signed as its key wants it."""
        assert self._signatures is not None, "keys that sign are made only where signatures are checked"
        said = request_id(method, target, headers.get(b"idempotency-key", b"").decode("latin-1"))
        try:
            self._signatures.check(who.key_id, who.signing_key, headers, said=said, body=body)
        except Unauthenticated as refusal:
            refusal.key_id, refusal.operator, refusal.subject = who.key_id, who.operator, who.subject
            raise

    def forget(self, key_id: str | None) -> None:
        """Drop a key that was revoked, or all; the next request asks the store."""
        if key_id is None:
            self._known.clear()
            self._asked.clear()
            return
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
            if stored is not None and not stored.is_revoked:
                self._known[key_id] = (until, stored)
                if len(self._known) > self._size:
                    self._known.popitem(last=False)
        return stored


_UNKNOWN: Final = "the key is unknown or revoked"


def _refused(stored: StoredKey, detail: str, more: Mapping[str, str] | None = None) -> UnknownKey:
    """For a key that is known, so that its operator can read of it."""
    who = stored.principal
    return UnknownKey(detail, more=more, key_id=who.key_id, operator=who.operator, subject=who.subject)


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
