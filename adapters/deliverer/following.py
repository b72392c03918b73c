"""One endpoint followed: its operator's events, one request each, in order, each until it is taken."""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from adapters.clock import SystemClock
from adapters.deliverer.calling import Caller, Reply
from adapters.deliverer.flight import Flight, Names
from adapters.deliverer.signing import signed
from adapters.deliverer.store import DelivererStore, Endpoint, Row, Superseded
from domain.errors import Unavailable
from domain.frozen import dataclass
from domain.webhooks import Failing, Network, Try, failed, message_id, takes

PAGE: Final = 100
NOTE_SECONDS: Final = 0.25
"""Progress is noted so often while calls succeed. What was delivered since is delivered again after a crash."""

NEWS_SECONDS: Final = 30.0
AGAIN_SECONDS: Final = 1.0
TYPE_PREFIX: Final = "studbook."
CONTENT_TYPE: Final = "application/cloudevents+json"
_CLOCK: Final = SystemClock()

log = logging.getLogger("studbook.deliverer")


@dataclass(frozen=True, slots=True)
class Sending:
    """How calls are made. `render` makes a stored event's CloudEvent, `opened` opens a sealed secret of a webhook
    (text, operator, webhook)."""

    render: Callable[[Row], bytes]
    opened: Callable[[str, str, str], str]
    allowed: Sequence[Network]
    tls: ssl.SSLContext
    agent: str
    flight: Flight
    names: Names


class Counts:
    """Deliveries since this process began."""

    def __init__(self) -> None:
        self.delivered = 0
        self.failed = 0

    def add(self, one: Try) -> None:
        """Count a try."""
        self.delivered += one.delivered
        self.failed += not one.delivered


class Endpointed:
    """Calls of one endpoint of one operator: signs, sends, and says what came of it."""

    def __init__(self, store: DelivererStore, sending: Sending, counts: Counts, key: tuple[str, str], url: str) -> None:
        self._store = store
        self._sending = sending
        self._counts = counts
        self._operator, self._webhook = key
        self._caller = Caller(url, sending.allowed, sending.tls, names=sending.names, operator=self._operator)
        self._keys: list[tuple[str, datetime | None]] = []

    async def aclose(self) -> None:
        """Close the connection."""
        await self._caller.aclose()

    async def learn_secrets(self) -> None:
        """Read the secrets that sign. One that cannot be opened is left out while another can be, such as the one that
        a rotation has put in its place. Raises domain.errors.Unavailable when none can.
        """
        found = await self._store.secrets(self._operator, self._webhook)
        self._keys, fault = [], None
        for sealed, until in found:
            if until is not None and until <= _CLOCK.now():
                continue
            try:
                self._keys.append((self._sending.opened(sealed, self._operator, self._webhook), until))
            except Unavailable as closed:
                fault = closed
        if fault is not None and not self._keys:
            raise fault
        if fault is not None:
            log.warning("a secret of webhook %s of %s signs no more: %s", self._webhook, self._operator, fault.detail)

    async def send(
        self, message: str, type_: str, body: bytes, *, position: int | None, attempt: int
    ) -> tuple[Try, Reply]:
        """One try."""
        async with self._sending.flight.place(self._operator):
            at = _CLOCK.now()
            keys = [key for key, until in self._keys if until is None or at < until]
            headers = {
                "content-type": CONTENT_TYPE, "user-agent": self._sending.agent, **signed(message, at, body, keys)
            }  # fmt: skip
            reply = await self._caller.post(headers, body)
        done = reply.is_done
        tried = Try(message, position, type_, attempt, at, reply.milliseconds, reply.status, done, reply.detail)
        self._counts.add(tried)
        return tried, reply


class Follower:
    """Follows one endpoint in one of its runs until it is stopped, superseded or disabled."""

    def __init__(self, store: DelivererStore, sending: Sending, counts: Counts, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.news = asyncio.Event()
        self._store = store
        self._sending = sending
        self._calls = Endpointed(store, sending, counts, endpoint.key, endpoint.url)
        self._stopping = asyncio.Event()
        self._position = endpoint.position
        self._failures = endpoint.failures
        self._since = endpoint.failing_since
        self._next_at = endpoint.next_at
        self._is_disabled = False
        self._tries: list[Try] = []
        self._noted = (time.monotonic(), endpoint.position)

    def stop(self) -> None:
        """End after the call that is under way."""
        self._stopping.set()
        self.news.set()

    async def run(self) -> None:
        """Follow; faults of the database and of ours are waited out."""
        try:
            while not self._stopping.is_set():
                try:
                    await self._follow()
                    return
                except (Superseded, psycopg.errors.ForeignKeyViolation):
                    return
                except (psycopg.Error, PoolTimeout, PoolClosed) as fault:
                    log.warning("a webhook waits for the database: %s", " ".join(str(fault).split()))
                except Exception as fault:
                    kind = type(fault).__name__
                    log.error("webhook %s of %s failed: %s: %s", *reversed(self.endpoint.key), kind, fault)
                self._tries.clear()
                self._position = self._noted[1]
                await self._pause(AGAIN_SECONDS)
        finally:
            await self._calls.aclose()

    async def _follow(self) -> None:
        operator = self.endpoint.operator
        await self._calls.learn_secrets()
        sequence = await self._store.sequence(operator, self._position)
        while not self._stopping.is_set():
            if self._next_at is not None:
                await self._pause((self._next_at - _CLOCK.now()).total_seconds())
            self.news.clear()
            page = await self._store.page(operator, sequence, PAGE)
            for row in page:
                if self._stopping.is_set():
                    break
                if takes(self.endpoint.types, TYPE_PREFIX + row.name) and not await self._delivered(row):
                    break
                sequence, self._position = row.sequence, row.position
                await self._note_now_and_then()
            if self._is_disabled:
                return
            if not page or self._stopping.is_set():
                await self._note()
            if not page and not self._stopping.is_set():
                await _within(self.news.wait(), NEWS_SECONDS)

    async def _delivered(self, row: Row) -> bool:
        """One try of an event; whether it was taken. A failure is noted at once, with when it is tried again."""
        body = self._sending.render(row)
        tried, reply = await self._calls.send(
            message_id(row.position), TYPE_PREFIX + row.name, body, position=row.position, attempt=self._failures + 1
        )
        self._tries.append(tried)
        if tried.delivered:
            was_failing, self._failures, self._since, self._next_at = self._failures > 0, 0, None, None
            if was_failing:
                self._noted = (0.0, self._noted[1])  # that it is well again is noted with the next event
            return True
        now = _CLOCK.now()
        failing = failed(
            now, self._failures, self._since, status=reply.status, retry_after=reply.retry_after, chance=_chance()
        )  # fmt: skip
        self._failures, self._since, self._next_at = failing.failures, failing.since, failing.next_at
        if failing.disabled is not None:
            self._is_disabled = True
            log.warning("webhook %s of %s is disabled: %s", *reversed(self.endpoint.key), failing.disabled)
        await self._note(failing)
        return False

    async def _note_now_and_then(self) -> None:
        if time.monotonic() - self._noted[0] >= NOTE_SECONDS:
            await self._note()

    async def _note(self, failing: Failing | None = None) -> None:
        """Write down how far it is, unless that is known and nothing was tried."""
        if failing is None and not self._tries and self._position == self._noted[1]:
            return
        if failing is None and self._failures and self._since is not None:
            failing = Failing(self._failures, self._since, self._next_at)
        tries, self._tries = self._tries, []
        await self._store.note(self.endpoint, self._position, failing, tries)
        self._noted = (time.monotonic(), self._position)

    async def _pause(self, seconds: float) -> None:
        """Wait, or until it is stopped."""
        if seconds > 0:
            await _within(self._stopping.wait(), seconds)


async def _within(work: Awaitable[object], seconds: float) -> None:
    """Wait for something at most so long."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        pass


def _chance() -> float:
    """From 0 up to 1, so that endpoints that failed together are not tried together."""
    return secrets.randbelow(1_000) / 1_000
