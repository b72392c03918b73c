"""What a check has at hand, and how it says what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from api.client import Client

CURRENCIES: Final = ("EUR", "USD")
"""A player has one; two of the games are played in dollars, one in euro."""


class Failed(Exception):
    """A check that failed: what was seen, and what to do about it."""

    def __init__(self, seen: str, remedy: str) -> None:
        self.seen = seen
        self.remedy = remedy
        super().__init__(f"{seen}. {remedy}")


@dataclass(frozen=True, slots=True)
class World:
    """One run against one service. Everything that it makes is named after `run`.

    `dealer` settles rounds; it is `casino` where one key may do both. `raw` sends what the client would not: the same
    request twice, a wrong one. `notes` is what a later check needs.
    """

    casino: Client
    dealer: Client
    raw: httpx2.Client
    run: str
    notes: dict[str, Any] = field(default_factory=dict)

    def name(self, what: str) -> str:
        """An id of this run."""
        return f"check-{self.run}-{what}"

    def player(self, currency: str) -> str:
        """The player of a currency."""
        return self.name(f"player-{currency.lower()}")

    def post(self, path: str, body: Any, key: str, **headers: str) -> httpx2.Response:
        """A command as it stands, sent once."""
        return self.raw.post(path, json=body, headers={"Idempotency-Key": key, **headers})


def should(holds: bool, seen: str, remedy: str) -> None:
    """Failed unless it holds."""
    if not holds:
        raise Failed(seen, remedy)
