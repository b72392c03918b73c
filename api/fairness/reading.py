"""Decks that somebody collected, one a line: what a round published (an object with `deck`), or its 52 cards alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from domain.cards import DECK
from domain.dealing import checked_deck
from domain.errors import Invalid

LINE_CHARACTERS_MAX: Final = 1_000_000
_INDEX: Final = {card: index for index, card in enumerate(DECK)}


def sample_of(lines: Iterable[str]) -> bytes:
    """All decks as indexes in DECK, 52 bytes each; empty lines are passed over. Invalid names the line."""
    return b"".join(_decks(lines))


def _decks(lines: Iterable[str]) -> Iterator[bytes]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if len(line) > LINE_CHARACTERS_MAX:
                raise Invalid(f"longer than {LINE_CHARACTERS_MAX} characters")
            found = json.loads(line)
            cards = found.get("deck") if isinstance(found, dict) else found
            if not isinstance(cards, list):
                raise Invalid("52 cards are needed, or an object with `deck`")
            yield bytes(_INDEX[card] for card in checked_deck(cards))
        except Invalid as wrong:
            raise Invalid(f"--decks: line {number}: {wrong.detail}", field="decks") from None
        except (ValueError, RecursionError):
            raise Invalid(f"--decks: line {number}: not JSON", field="decks") from None
