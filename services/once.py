"""A call that adds no event and still happens once: its Idempotency-Key is remembered beside those of all other calls,
so that who sends it again, because the answer was lost or because it was recorded on the way, changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from typing import Protocol

from domain.errors import IdempotencyMismatch
from domain.frozen import dataclass
from services.keys import Outcome, Served
from services.ports import Key, KeyRecord


@dataclass(frozen=True, slots=True)
class Done:
    """What a call came to: its answer, what is told when the same comes again (no secret), where the log stood."""

    status: int
    body: bytes = field(repr=False)
    kept_status: int
    kept: bytes = field(repr=False)
    position: int


class Serving(Protocol):
    """One Idempotency-Key, which nobody else serves meanwhile."""

    @property
    def record(self) -> KeyRecord | None:
        """What it has served."""

    async def keep(self, record: KeyRecord) -> None:
        """Remember what it has served now."""


class Memory(Protocol):
    """Where keys are remembered. Raises Unavailable."""

    def serving(self, key: Key) -> AbstractAsyncContextManager[Serving]:
        """Begin; a second request with the same key waits."""


@dataclass(frozen=True, slots=True)
class Once:
    """Calls that happen once."""

    memory: Memory

    async def of(self, served: Served, act: Callable[[], Awaitable[Done]]) -> Outcome:
        """What the call came to, now or when it was served before. IdempotencyMismatch where that was another one. A
        refusal of `act` leaves nothing behind, and the key may serve later.
        """
        async with self.memory.serving(served.key) as serving:
            found = serving.record
            if found is not None:
                if found.fingerprint != served.fingerprint or found.body is None:
                    raise IdempotencyMismatch(
                        "this idempotency key has served another request", field="Idempotency-Key"
                    )
                return Outcome(found.status, found.body, again=True)
            done = await act()
            await serving.keep(
                KeyRecord(served.key, served.fingerprint, done.kept_status, done.kept, done.position)
            )  # fmt: skip
            return Outcome(done.status, done.body)
