"""The client: every call of the API as a method, and what takes more than one call."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from .methods import Methods
from .models import CloudEvent, TransactionAnswer
from .refusals import NotFound

WAIT_SECONDS: Final = 20
"""For the next events; the service answers as soon as there is one."""

PAUSE_SECONDS: Final = 0.5
"""Before it is asked again where it did not wait: a service that stops lets nobody wait."""


class Client(Methods):
    """One operator's key at one studbook service. Use it in a `with` statement, or close it yourself.

    `url` is the service's address without a path. A command takes `idempotency_key` where you keep your own; otherwise
    it gets one, which it keeps over all its attempts. `position` is that of this client's last command, and reads wait
    for it (`own_writes=False` leaves that to you, by `min_position`). `timeout_seconds` is for one attempt.

    `signing_secret` signs every request, with the secret that came with the key. `tokens=True` shows the key to the
    exchange for tokens alone, and tokens to all calls; `scope` narrows them to some of the key's roles.
    """

    def __enter__(self) -> Self:
        """Connections open as they are needed."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them."""
        self.close()

    def find_transaction(self, transaction_id: str) -> TransactionAnswer | None:
        """What became of a deposit or withdrawal by your own id, None where there is none (yet).

        Ask this after LostAnswer, and before giving money out. None does not mean never: a request that is still on
        its way may come later. Make the call again, or roll the id back, which keeps it from being carried out.
        """
        try:
            return self.get_transaction(transaction_id, min_position=max(self.position, self.get_readyz().position))
        except NotFound:
            return None

    def follow_events(self, after: int = 0, *, until: int | None = None, limit: int = 500) -> Iterator[CloudEvent]:
        """Every event past a position, in order, and then those that come, for ever or up to `until`.

        Keep the `sequence` of the last event that you have dealt with, in the transaction in which you did, and pass
        it as `after` when you start again: none is missed, none comes twice. Each request waits for the next event.
        """
        while until is None or after < until:
            asked = time.monotonic()
            feed = self.list_events(after=after, limit=limit, min_position=0, wait=WAIT_SECONDS)
            for event in feed.events:
                if until is not None and int(event.sequence) > until:
                    return
                yield event
            if not feed.events and time.monotonic() - asked < PAUSE_SECONDS:
                self._pause(PAUSE_SECONDS)
            after = feed.after
