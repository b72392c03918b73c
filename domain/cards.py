"""Cards as people write them: two characters, rank `23456789TJQKA` and suit `cdhs`, such as `"As"` (S0-03).

A card stays a plain string everywhere; this module says which strings are cards and that no card lies twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from domain.errors import DuplicateCard, Invalid

RANKS: Final = "23456789TJQKA"
"""Ranks from the lowest to the highest; the ace also ends the wheel (S0-13)."""

SUITS: Final = "cdhs"
"""Suits; their order means nothing, suits never break a tie (S0-13)."""

DECK: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""One standard deck without jokers, always in this order (S0-03)."""

HAND_SIZE: Final = 5
"""Cards of a hand (S0-05)."""

_KNOWN: Final = frozenset(DECK)


def parse_cards(texts: Sequence[str], field: str, count: int | None = None) -> tuple[str, ...]:
    """The cards of `texts` in the order given.

    Raises Invalid that names `field` for a text that is no card or, when `count` is given, for another number of
    cards; DuplicateCard that names the card when one lies twice.
    """
    if count is not None and len(texts) != count:
        raise Invalid(f"{field}: {count} cards are needed, {len(texts)} given", field=field)
    for text in texts:
        if not isinstance(text, str) or text not in _KNOWN:
            raise Invalid(f'{field}: {shown(text)} is no card, write one like "As" or "Td"', field=field)
    cards = tuple(texts)
    if len(set(cards)) != len(cards):
        check_distinct(cards, field)
    return cards


def check_distinct(cards: Iterable[str], field: str) -> None:
    """Raise DuplicateCard, naming the card and `field`, when one card lies twice in what was dealt (S0-03)."""
    seen: set[str] = set()
    for card in cards:
        if card in seen:
            raise DuplicateCard(f"{field}: {card} lies twice, one deck has it once", field=field)
        seen.add(card)


def shown(value: object, longest: int = 24) -> str:
    """A foreign value as it may stand in a message: ASCII, short, whatever was sent."""
    match value:
        case str() if len(value) > longest:
            return ascii(value[:longest]) + "..."
        case int() if value.bit_length() > 128:
            return "a number of over 38 digits"
        case str() | int() | float() | None:
            return ascii(value)
        case _:
            return f"a {type(value).__name__}"
