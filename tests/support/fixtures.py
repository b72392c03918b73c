"""What stands in for the world: a clock that is told the time, ids that count, a stacked shoe, a glass vault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from domain.cards import DECK
from domain.dealing import Deck
from domain.errors import Unavailable
from services.answers import Answer
from services.desk import Tools

SALT = bytes(range(32))
EXPONENTS = {"EUR": 2, "USD": 2, "JPY": 0, "KWD": 3}


class FixedClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self.time += timedelta(seconds=seconds)


class CountingIds:
    """id-0001, id-0002 and on."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count:04d}"


class StackedShoe:
    """Deals the decks that were put into it, then new decks in factory order."""

    def __init__(self) -> None:
        self.decks: list[tuple[str, ...]] = []

    def shuffle(self) -> Deck:
        return Deck(self.decks.pop(0) if self.decks else tuple(DECK), SALT)


class GlassVault:
    """Seals so that anyone can see through, but opens only in the context that it was sealed in."""

    def seal_deck(self, deck: Deck, context: str) -> str:
        return self.seal_cards([*deck.cards, deck.salt.hex()], context)

    def open_deck(self, sealed: str, context: str) -> Deck:
        *cards, salt = self.open_cards(sealed, context)
        return Deck(tuple(cards), bytes.fromhex(salt))

    def seal_cards(self, cards: Sequence[str], context: str) -> str:
        return f"glass|{context}|{' '.join(cards)}"[::-1]

    def open_cards(self, sealed: str, context: str) -> tuple[str, ...]:
        mark, sealed_for, cards = sealed[::-1].split("|")
        if mark != "glass" or sealed_for != context:
            raise Unavailable(f"sealed for {sealed_for}, not for {context}")
        return tuple(cards.split())


def encode(answer: Answer) -> bytes:
    """An answer as bytes, the same for the same answer."""
    return json.dumps(asdict(answer), sort_keys=True).encode()


def tools(shoe: StackedShoe) -> Tools:
    """What handlers need beside states."""
    return Tools(shoe, GlassVault(), EXPONENTS.__getitem__, "0.0.0", "test")
