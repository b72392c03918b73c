"""What is counted of many shuffled decks. Tallies of parts add up, so that several processes can share the work.

A sample is one bytes object of 52 bytes a deck, each byte a card's index in DECK, from the top of the deck.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, gt, lt
from typing import Final

from domain.cards import DECK
from domain.dealing import published_map
from domain.errors import Invalid
from domain.frozen import dataclass
from domain.hands import Category, Hand, rank_five

SIZE: Final = len(DECK)
PLACES: Final = SIZE - 1
"""Places that have a next card."""
SEATS: Final = 4
HEAD: Final = 16
"""Cards from the top by which a deck is known again: 52!/36! ways, so that no two of any sample meet by chance."""
CATEGORIES: Final = tuple(one for one in Category if one is not Category.ROYAL_FLUSH)
"""The nine; a royal flush is a straight flush here."""

_CELLS: Final = SIZE * SIZE
_DEAL: Final = published_map(SEATS)
_HANDS: Final = (*_DEAL.hands, _DEAL.dealer)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over `decks` decks, dealt by the map of four seats."""

    decks: int
    pairs: tuple[int, ...]
    """At each of 51 places: this card and the next one, index `place * 2704 + this * 52 + next`."""
    hands: tuple[tuple[int, ...], ...]
    """Of seats 1 to 4 and the dealer: hands by CATEGORIES."""
    wins: tuple[int, ...]
    """Of each seat: hands better than the dealer's, and worse."""
    losses: tuple[int, ...]
    heads: bytes
    """The first HEAD cards of each deck."""

    def positions(self) -> list[list[int]]:
        """How often each card lay at each of the 52 places: `[place][card]`."""
        found = [[sum(row) for row in self.at(place)] for place in range(PLACES)]
        return [*found, [sum(column) for column in zip(*self.at(PLACES - 1), strict=True)]]

    def at(self, place: int) -> list[tuple[int, ...]]:
        """The pairs of one place (0 to 50) as rows by this card."""
        start = place * _CELLS
        return [self.pairs[first : first + SIZE] for first in range(start, start + _CELLS, SIZE)]

    def repeated(self) -> int:
        """Decks that had come before."""
        return self.decks - len({self.heads[at : at + HEAD] for at in range(0, len(self.heads), HEAD)})


def count(sample: bytes) -> Tally:
    """Count a sample of at least one deck. What is no sample is Invalid."""
    decks, rest = divmod(len(sample), SIZE)
    if rest or not decks:
        raise Invalid(f"a sample has {SIZE} bytes for each deck", field="decks")
    columns = [sample[place::SIZE] for place in range(SIZE)]
    heads = bytearray(HEAD * decks)
    for place in range(HEAD):
        heads[place::HEAD] = columns[place]
    cards = [list(map(DECK.__getitem__, column)) for column in columns[: SIZE // 2]]
    hands = [_ranked(cards, indexes) for indexes in _HANDS]
    *own, dealer = ([hand.strength for hand in one] for one in hands)
    return Tally(
        decks,
        tuple(cell for place in range(PLACES) for cell in _pairs(columns[place], columns[place + 1])),
        tuple(_categories(one) for one in hands),
        tuple(sum(map(gt, one, dealer)) for one in own),
        tuple(sum(map(lt, one, dealer)) for one in own),
        bytes(heads),
    )


def together(tallies: Iterable[Tally]) -> Tally:
    """The tally of all their decks; at least one is needed."""
    return reduce(_both, tallies)


def _both(one: Tally, other: Tally) -> Tally:
    return Tally(
        one.decks + other.decks,
        tuple(map(add, one.pairs, other.pairs)),
        tuple(tuple(map(add, mine, theirs)) for mine, theirs in zip(one.hands, other.hands, strict=True)),
        tuple(map(add, one.wins, other.wins)),
        tuple(map(add, one.losses, other.losses)),
        one.heads + other.heads,
    )


def _pairs(column: bytes, following: bytes) -> list[int]:
    both = bytearray(2 * len(column))
    both[1::2], both[0::2] = column, following
    found = [0] * _CELLS
    for pair, times in Counter(struct.unpack(f"<{len(column)}H", both)).items():
        first, second = divmod(pair, 256)
        found[first * SIZE + second] = times
    return found


def _ranked(cards: Sequence[Sequence[str]], indexes: Sequence[int]) -> list[Hand]:
    return list(map(rank_five, zip(*(cards[index] for index in indexes), strict=True)))


def _categories(hands: Sequence[Hand]) -> tuple[int, ...]:
    found = Counter(hand.category for hand in hands)
    found[Category.STRAIGHT_FLUSH] += found.pop(Category.ROYAL_FLUSH, 0)
    return tuple(found[category] for category in CATEGORIES)
