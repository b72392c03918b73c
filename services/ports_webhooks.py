"""Where webhooks are kept, as one operator may see them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from domain.access import AccessLine
from domain.webhooks import SecretInfo, Try, Webhook


class WebhookStore(Protocol):
    """Everything is of the operator named first, and raises Unavailable when the database cannot be had.

    `line` tells the access log of a change, in the same transaction: neither is there without the other.
    """

    async def all(self, operator: str) -> Sequence[Webhook]:
        """Every webhook, in the order of their names."""

    async def get(self, operator: str, webhook: str) -> Webhook | None:
        """One, None when there is none."""

    async def secrets(self, operator: str, webhook: str) -> Sequence[SecretInfo]:
        """Its secrets, newest first, without what they are."""

    async def behind(self, operator: str, position: int) -> int:
        """How many of the operator's events lie past a position."""

    async def standing(self, operator: str, position: int | None) -> int:
        """The operator's last event up to a position, its very last for None; 0 where there is none."""

    async def add(self, operator: str, one: Webhook, sealed: str, most: int, *, line: AccessLine) -> bool:
        """Keep a new one with its first secret; False when the name is taken. LimitReached where there are so many."""

    async def change(self, operator: str, one: Webhook, *, line: AccessLine) -> bool:
        """Replace it, and begin a new run; False when there is none."""

    async def add_secret(
        self, operator: str, webhook: str, sealed: str, until: datetime, most: int, *, line: AccessLine
    ) -> bool:
        """A new secret; those without an end sign until then. False when there is no such webhook; LimitReached where
        so many secrets sign."""

    async def remove(self, operator: str, webhook: str, *, line: AccessLine) -> bool:
        """Forget it with everything about it; False when there is none."""

    async def order(
        self, operator: str, webhook: str, message: str, position: int | None, most: int, *, line: AccessLine | None
    ) -> bool:
        """Ask for a ping, of which nothing is told, or for one event again; False when so many orders are open."""

    async def tries(self, operator: str, webhook: str, before: int | None, limit: int) -> Sequence[tuple[int, Try]]:
        """Tries with their numbers, newest first, those below a number where one is given."""
