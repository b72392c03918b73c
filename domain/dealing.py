"""Cards before they are public: the deck, the commitment to it, and which card goes to whom.

A round deals one shuffled deck (S0-03). Its order is fixed before the first wager, promised by a commitment
that is published at once, and opened after the end of the round, so that nobody can change a card between.

Which index of the deck goes to which seat depends on the rule set alone, never on who sits: every seat of the
rule set has its cards, occupied or not, so that nobody's coming or leaving changes another one's hand (S2-09:
from the dealer's left to the right, one card at a time, the dealer last in each turn):

    card j of seat s   = deck[j * (seats + 1) + s - 1]      j = 0..4, s = 1..seats
    card j of dealer   = deck[j * (seats + 1) + seats]

A table with one hand for all (SHARED, C1) has one seat.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import field
from functools import cache
from typing import Final

from domain.cards import DECK, HAND_SIZE, parse_cards
from domain.errors import Invalid
from domain.frozen import dataclass

DECK_FORMAT: Final = "studbook.deck.v1"
"""The name of the committed encoding; it is the first thing hashed, so that no other format can be mistaken for it."""

MAX_SEATS: Final = len(DECK) // HAND_SIZE - 1
MIN_SALT_BYTES: Final = 16
_DIGEST_HEX: Final = 64


@dataclass(frozen=True, slots=True)
class Deck:
    """A shuffled deck and the salt of its commitment. Its text form shows neither: it may end in a log (F32)."""

    cards: tuple[str, ...] = field(repr=False)
    salt: bytes = field(repr=False)

    def __post_init__(self) -> None:
        checked_deck(self.cards)
        _salt_bytes(self.salt)

    @property
    def commitment(self) -> str:
        """What is published at the opening of the round, 64 hexadecimal digits."""
        return commitment(self.cards, self.salt)


@dataclass(frozen=True, slots=True)
class DealMap:
    """Which indexes of the deck (0 to 51) are dealt to whom. `hands[0]` is seat 1."""

    seats: int
    hands: tuple[tuple[int, ...], ...]
    dealer: tuple[int, ...]
    undealt: tuple[int, ...]

    def seat(self, seat: int) -> tuple[int, ...]:
        """The five indexes of a seat (1 to `seats`), in the order dealt; Invalid when there is no such seat."""
        if not 1 <= seat <= self.seats:
            raise Invalid(f"this table has seats 1 to {self.seats}", field="seat")
        return self.hands[seat - 1]


def checked_deck(cards: Sequence[str]) -> tuple[str, ...]:
    """`cards` when they are the 52 cards in any order, else Invalid or DuplicateCard for field `cards` (S0-03)."""
    return parse_cards(cards, "cards", len(DECK))


def commitment(cards: Sequence[str], salt: bytes | str) -> str:
    """The salted SHA-256 of a deck's order, as 64 lower-case hexadecimal digits (S0-03).

    Hashed are, each with its length in front as four bytes, most significant first: the name
    `studbook.deck.v1`, the salt, and the 52 cards in order, each two ASCII characters.
    `salt` is bytes or hexadecimal text of at least 16 bytes. Errors: Invalid, DuplicateCard.
    """
    parts = [DECK_FORMAT.encode(), _salt_bytes(salt), *(card.encode() for card in checked_deck(cards))]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.hexdigest()


def check_commitment(published: str, cards: Sequence[str], salt: bytes | str) -> bool:
    """Whether the opened deck and salt are those that `published` promised.

    An opening that is no deck or no salt raises as in `commitment`; a `published` that is no digest is Invalid.
    """
    text = published.lower()
    if len(text) != _DIGEST_HEX or not set(text) <= set("0123456789abcdef"):
        raise Invalid(f"a commitment has {_DIGEST_HEX} hexadecimal digits", field="commitment")
    return hmac.compare_digest(commitment(cards, salt), text)


@cache
def published_map(seats: int) -> DealMap:
    """The map of a rule set with so many seats (1 to 9; a SHARED table has 1), as it is published (S2-09)."""
    if not 1 <= seats <= MAX_SEATS:
        raise Invalid(f"one deck deals to 1 to {MAX_SEATS} seats", field="seats")
    turn = seats + 1
    columns = tuple(tuple(range(place, HAND_SIZE * turn, turn)) for place in range(turn))
    return DealMap(seats, columns[:seats], columns[seats], tuple(range(HAND_SIZE * turn, len(DECK))))


def seat_cards(deck: Sequence[str], seat: int, seats: int) -> tuple[str, ...]:
    """The five cards of a seat (1 to `seats`) in the order dealt, occupied or not (S0-05, S2-09)."""
    return _picked(deck, published_map(seats).seat(seat))


def dealer_cards(deck: Sequence[str], seats: int) -> tuple[str, ...]:
    """The dealer's five cards in the order dealt; which is face up, the rule set says (S0-05, C2)."""
    return _picked(deck, published_map(seats).dealer)


def dealer_upcard(deck: Sequence[str], seats: int, upcard_index: int) -> str:
    """The dealer's one card that is public before the decision: the first or the last dealt (S0-05, S2-09, C2)."""
    if not 0 <= upcard_index < HAND_SIZE:
        raise Invalid("the dealer's cards are counted 0 to 4", field="dealer_upcard_index")
    return dealer_cards(deck, seats)[upcard_index]


def card_context(operator: str, round_id: str, purpose: str) -> str:
    """What sealed cards are bound to, so that they open for this round and purpose only (F32)."""
    for name, part in (("operator", operator), ("round", round_id), ("purpose", purpose)):
        if not part or "/" in part:
            raise Invalid("a part of a sealing context is not empty and holds no slash", field=name)
    return f"{operator}/{round_id}/{purpose}"


def _picked(deck: Sequence[str], indexes: Sequence[int]) -> tuple[str, ...]:
    cards = checked_deck(deck)
    return tuple(cards[index] for index in indexes)


def _salt_bytes(salt: bytes | str) -> bytes:
    if isinstance(salt, str):
        try:
            raw = bytes.fromhex(salt)
        except ValueError:
            raise Invalid("a salt is hexadecimal text", field="salt") from None
        if raw.hex() != salt.lower():
            raise Invalid("a salt is hexadecimal text without blanks", field="salt")
    else:
        raw = bytes(salt)
    if len(raw) < MIN_SALT_BYTES:
        raise Invalid(f"a salt has at least {MIN_SALT_BYTES} bytes", field="salt")
    return raw
