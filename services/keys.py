"""Keys are made, replaced and ended here, by HTTP and by the command line alike.

Each change is one transaction under the writer's lock, with its line in the access log and, over HTTP, the record of
its Idempotency-Key beside those of all other calls. What is recorded holds no secret: a repeated call tells which key
was made and not the key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field, replace
from datetime import datetime
from typing import Any, Final, Protocol

from domain.access import KEY_ADDED, KEY_REVOKED, KEY_ROTATED, AccessLine, Visit
from domain.errors import IdempotencyMismatch, Invalid
from domain.frozen import dataclass
from domain.keys import KeyFacts, check_new, check_revocation, check_rotation
from services.ports import Clock, Key, KeyRecord

HOLD_SECONDS: Final = 1.6
"""A revocation is answered after this: by then no process remembers the key (`api.auth.CACHE_SECONDS`), even one that
did not hear of it at once, and what the key had open is closed (`api.streams.CHECK_SECONDS`)."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who changes keys, with which roles, by which call."""

    operator: str
    subject: str
    key_id: str | None
    roles: frozenset[str]
    address: str | None = None
    request_id: str | None = None
    route: str | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """The Idempotency-Key of a call, and the fingerprint of its request."""

    key: Key
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class FreshKey:
    """A new key's text and what is stored of it."""

    key: str = field(repr=False)
    key_id: str
    hash: bytes


@dataclass(frozen=True, slots=True)
class KeyAnswer:
    """A key that was made. `key` and `signing_secret` are told once: null when the same call is sent again."""

    key_id: str
    subject: str
    roles: tuple[str, ...]
    label: str
    signed: bool
    created_at: datetime
    replaces: str | None
    key: str | None = field(repr=False)
    signing_secret: str | None = field(repr=False)
    position: int


@dataclass(frozen=True, slots=True)
class RevokedAnswer:
    """A key that no longer opens anything."""

    key_id: str
    subject: str
    revoked_at: datetime
    position: int


@dataclass(frozen=True, slots=True)
class Wish:
    """A key that is asked for; `replaces` names the one whose place it takes."""

    subject: str
    roles: frozenset[str]
    label: str = ""
    is_signed: bool = False
    replaces: str | None = None


class Change(Protocol):
    """One transaction under the writer's lock, for one operator."""

    @property
    def keys(self) -> Sequence[KeyFacts]:
        """All keys of the operator, revoked ones too."""

    @property
    def record(self) -> KeyRecord | None:
        """What the call's Idempotency-Key has served."""

    @property
    def position(self) -> int:
        """The log's last position."""

    async def add(self, key: KeyFacts, secret_hash: bytes, signing_key: str | None) -> None:
        """Store a key."""

    async def revoke(self, key_id: str, at: datetime) -> None:
        """End a key, and tell every process."""

    async def commit(self, line: AccessLine, record: KeyRecord | None) -> None:
        """Write the line of the access log and the record, and commit."""


class KeyBook(Protocol):
    """Where keys are kept. Raises Unavailable."""

    def changing(self, operator: str, key: Key | None) -> AbstractAsyncContextManager[Change]:
        """Begin; leaving it without `commit` changes nothing. NotFound for an operator that is not there."""


class SigningSecrets(Protocol):
    """Secrets of signed keys, derived from a key of the service's own."""

    @property
    def current(self) -> str | None:
        """The id of the service's key that new secrets come from; None where the service has none."""

    def secret(self, service_key: str, key_id: str) -> str:
        """The signing secret of a key, `whsec_...`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer, encoded; `again` when the same call was served before."""

    status: int
    body: bytes = field(repr=False)
    again: bool = False


@dataclass(frozen=True, slots=True)
class KeyDesk:
    """The one way in which keys change."""

    book: KeyBook
    clock: Clock
    make: Callable[[], FreshKey]
    secrets: SigningSecrets
    encode: Callable[[Any], bytes]
    hold_seconds: float = HOLD_SECONDS

    async def add(self, who: Caller, wish: Wish, *, served: Served | None = None) -> Outcome:
        """A new key for a subject of the caller's operator. Forbidden, LimitReached, Invalid, Unavailable."""
        async with self.book.changing(who.operator, served.key if served else None) as change:
            if again := _again(change, served):
                return again
            check_new(change.keys, wish.subject, wish.roles, who.roles)
            return await self._made(change, who, wish, served)

    async def rotate(self, who: Caller, key_id: str, *, served: Served | None = None) -> Outcome:
        """A second key for the subject of a key, with all that it has; the old one works until it is revoked."""
        async with self.book.changing(who.operator, served.key if served else None) as change:
            if again := _again(change, served):
                return again
            old = check_rotation(change.keys, key_id, who.roles)
            wish = Wish(old.subject, old.roles, old.label, old.is_signed, old.key_id)
            return await self._made(change, who, wish, served)

    async def revoke(
        self, who: Caller, key_id: str, *, even_last: bool = False, served: Served | None = None
    ) -> Outcome:
        """End a key. Once this has answered the key opens nothing, at no process; nor do tokens that it was given."""
        async with self.book.changing(who.operator, served.key if served else None) as change:
            if again := _again(change, served):
                return again
            found = check_revocation(change.keys, key_id, even_last=even_last)
            now = self.clock.now()
            if found.revoked_at is None:
                await change.revoke(key_id, now)
            answer = RevokedAnswer(key_id, found.subject, found.revoked_at or now, change.position)
            body = self.encode(answer)
            line = self._line(who, KEY_REVOKED, 200, f"key {key_id} of {found.subject}")
            await change.commit(line, _record(served, 200, body, change.position))
        await asyncio.sleep(self.hold_seconds)
        return Outcome(200, body)

    async def _made(self, change: Change, who: Caller, wish: Wish, served: Served | None) -> Outcome:
        if wish.is_signed and self.secrets.current is None:
            raise Invalid("no requests can be signed here: STUDBOOK_TOKEN_KEY is not set", field="signed")
        signing = self.secrets.current if wish.is_signed else None
        fresh, now = self.make(), self.clock.now()
        secret = None if signing is None else self.secrets.secret(signing, fresh.key_id)
        answer = KeyAnswer(
            fresh.key_id, wish.subject, tuple(sorted(wish.roles)), wish.label, wish.is_signed, now, wish.replaces,
            fresh.key, secret, change.position,
        )  # fmt: skip
        facts = KeyFacts(
            fresh.key_id, wish.subject, wish.roles, wish.label, wish.is_signed, now, None, who.subject, wish.replaces
        )
        kept = self.encode(replace(answer, key=None, signing_secret=None))
        await change.add(facts, fresh.hash, signing)
        kind, instead = KEY_ADDED, ""
        if wish.replaces is not None:
            kind, instead = KEY_ROTATED, f" in place of {wish.replaces}"
        detail = f"key {fresh.key_id} of {wish.subject}{instead}: {', '.join(answer.roles)}"
        await change.commit(self._line(who, kind, 201, detail), _record(served, 200, kept, change.position))
        return Outcome(201, self.encode(answer))

    def _line(self, who: Caller, kind: str, status: int, detail: str) -> AccessLine:
        method = None if who.route is None else "POST"
        visit = Visit(kind, who.operator, who.subject, who.key_id, who.address, method, who.route, status, detail)
        return AccessLine(self.clock.now(), visit, 1, who.request_id)


def _again(change: Change, served: Served | None) -> Outcome | None:
    """The answer of a call that was served before. IdempotencyMismatch where it was another one."""
    if served is None or change.record is None:
        return None
    if change.record.fingerprint != served.fingerprint or change.record.body is None:
        raise IdempotencyMismatch("this idempotency key has served another request", field="Idempotency-Key")
    return Outcome(200, change.record.body, again=True)


def _record(served: Served | None, status: int, body: bytes, position: int) -> KeyRecord | None:
    return None if served is None else KeyRecord(served.key, served.fingerprint, status, body, position)
