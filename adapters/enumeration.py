"""All 19,933,230,517,200 deals counted: what the dealer holds against each hand and up-card of a player.

A deal is a player's five cards, the dealer's up-card and the dealer's other four: C(52,5) x 47 x C(46,4). No dealer's
hand is listed per player. How many dealer's hands hold the up-card, touch none of the player's five and rank so and
so follows from how many hold a given set of one to five cards: those with the up-card, less those with it and one of
the five, plus those with it and two, and so on (inclusion and exclusion over the 31 sets of up to four of the five).
Players' hands that differ only in the names of the suits count alike: 134,459 kinds of 2,598,960 hands.

Needs NumPy (the extra `certify`). Its ranking of hands is its own; it knows no pay table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from math import comb
from typing import Any, Final

import numpy as np

Ints = np.ndarray[Any, Any]
"""Whole numbers, by whatever index the name says. A card is rank * 4 + suit, the deuce's rank is 0."""

CARDS: Final = 52
OTHERS: Final = comb(46, 4)
"""Dealer's hands for one player's hand and up-card: the four cards face down."""
CHOOSE: Final = np.array([[comb(n, k) for k in range(6)] for n in range(CARDS + 1)], dtype=np.int64)
AT_ONCE: Final = 100_000
"""Hands worked on together: enough to be fast, few enough to stay small."""


@dataclass(frozen=True)
class Faced:
    """What the players of each kind face with one up-card, one hand standing for its kind: sums over kinds are right
    when all four suits of the up-card's rank are added. Counts are of OTHERS dealer's hands each; where the up-card
    lies in the player's hand (`possible` is false) they mean nothing.
    """

    up_card: int
    possible: Ints
    unqualified: Ints
    beaten: Ints
    tied: Ints
    best_of_six: Ints
    """The hand kind (0 to 9) of the player's five and the up-card."""


class Enumeration:
    """The tables that every count is made of; about 160 MB and some seconds to build."""

    def __init__(self) -> None:
        hands = _sets(5)
        scores = _scores(hands)
        kinds, values = np.unique(scores, return_inverse=True)
        self.category_of: Ints = (kinds >> 20).astype(np.int8)
        self.value: Ints = np.empty(len(hands), np.int16)
        self.value[_index(hands)] = values
        ace_king = (12 << 16) + (11 << 12)
        self.last_unqualified = int(np.searchsorted(kinds, ace_king)) - 1
        self.hands, self.weights = _up_to_suits(hands)
        self.own: Ints = self.value[_index(self.hands)]
        self._fifth = self._of_four_and_one(hands)
        self._classes: list[Ints] = []
        self._below: list[Ints] = []
        for size in (1, 2, 3, 4):
            classes, below = self._held(size)
            self._classes.append(classes)
            self._below.append(below)

    @property
    def categories(self) -> Ints:
        """The hand kind (0 to 9) of each kind of player's hand."""
        return self.category_of[self.own]

    def faced(self, hands: Ints, own: Ints, up_card: int) -> Faced:
        """Count for these players' hands (rows of five cards) and their values."""
        possible = (hands != up_card).all(axis=1)
        at_least = np.maximum(own, self.last_unqualified)  # beating or tying an unqualified hand is no outcome
        marks = (
            np.full(len(own), self.last_unqualified, np.int64), np.maximum(own - 1, self.last_unqualified), at_least
        )  # fmt: skip
        counts = [np.zeros(len(own), np.int64) for _ in marks]
        best = own.copy()
        for size in range(5):
            for places in combinations(range(5), size):
                part = hands[:, places]
                if size == 4:
                    held = self._fifth[_index(part), up_card]
                    best = np.maximum(best, held)
                    found = [held <= mark for mark in marks]
                else:
                    group = self._classes[size][(*part.T, np.int64(up_card))]
                    found = [self._below[size][group, mark] for mark in marks]
                for count, one in zip(counts, found, strict=True):
                    (np.subtract if size % 2 else np.add)(count, one, out=count)
        unqualified, beaten, not_above = counts
        return Faced(
            up_card, possible, unqualified, beaten - unqualified, not_above - beaten, self.category_of[best]
        )  # fmt: skip

    def all_faced(self, progress: Callable[[int, int], None]) -> Iterator[Faced]:
        """Every kind of player's hand against each of the 52 up-cards."""
        for up_card in range(CARDS):
            yield self.faced(self.hands, self.own, up_card)
            progress(up_card + 1, CARDS)

    def _of_four_and_one(self, hands: Ints) -> Ints:
        """The value of four cards (by index) and a fifth; 0 where the fifth is one of the four."""
        table: Ints = np.zeros((comb(CARDS, 4), CARDS), np.int16)
        for place in range(5):
            table[_index(np.delete(hands, place, axis=1)), hands[:, place]] = self.value[_index(hands)]
        return table

    def _held(self, size: int) -> tuple[Ints, Ints]:
        """Sets of so many cards up to suits: their class by cards, and by class how many hands that hold the set
        have at most each value.
        """
        sets = _sets(size)
        ones, _ = _up_to_suits(sets)
        _, numbers = np.unique(_suit_key(sets), return_inverse=True)
        classes: Ints = np.zeros((CARDS,) * size, np.int16)
        for order in permutations(range(size)):
            classes[tuple(sets[:, n] for n in order)] = numbers
        below: Ints = np.empty((len(ones), len(self.category_of)), (np.int32, np.int16, np.int16, np.uint8)[size - 1])
        rest = _sets(5 - size)
        step = max(1, AT_ONCE // len(rest))
        for start in range(0, len(ones), step):
            below[start : start + step] = self._below_each(ones[start : start + step], rest)
        return classes, below

    def _below_each(self, ones: Ints, rest: Ints) -> Ints:
        """By each set, how many hands made of it and `rest` have at most each value."""
        full = np.empty((len(ones), len(rest), 5), np.int8)
        full[:, :, : ones.shape[1]] = ones[:, None, :]
        full[:, :, ones.shape[1] :] = rest
        full.sort(axis=2)
        possible = (full[:, :, 1:] > full[:, :, :-1]).all(axis=2)
        rows = np.broadcast_to(np.arange(len(ones))[:, None], possible.shape)[possible]
        width = len(self.category_of)
        places = rows * width + self.value[_index(full[possible])]
        return np.bincount(places, minlength=len(ones) * width).reshape(len(ones), width).cumsum(axis=1)


def _sets(size: int) -> Ints:
    """All sets of so many cards, ascending."""
    flat = np.fromiter(chain.from_iterable(combinations(range(CARDS), size)), np.int8)
    return flat.reshape(-1, size)


def _index(sets: Ints) -> Ints:
    """The place of each ascending set among all of its size."""
    found = np.zeros(len(sets), np.int64)
    for place in range(sets.shape[1]):
        found += CHOOSE[sets[:, place], place + 1]
    return found


def _suit_key(sets: Ints) -> Ints:
    """Equal for sets that differ only in the names of the suits: the four suits' ranks as bits, in order."""
    bits = np.zeros((len(sets), 4), np.int64)
    for place in range(sets.shape[1]):
        card = sets[:, place].astype(np.int64)
        bits[np.arange(len(sets)), card % 4] |= 1 << (card // 4)
    bits.sort(axis=1)
    return bits[:, 0] | bits[:, 1] << 13 | bits[:, 2] << 26 | bits[:, 3] << 39


def _up_to_suits(sets: Ints) -> tuple[Ints, Ints]:
    """One set of each kind, and how many there are of it."""
    _, first, counts = np.unique(_suit_key(sets), return_index=True, return_counts=True)
    return sets[first], counts


def _scores(hands: Ints) -> Ints:
    """A number per hand that orders hands as poker does: its kind, then the ranks that break ties."""
    ranks = hands.astype(np.int64) // 4
    times = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    order = -np.sort(-(times * 16 + ranks), axis=1)
    ranks = order % 16
    suited = ((hands % 4) == (hands[:, :1] % 4)).all(axis=1)
    single = order[:, 0] < 32
    wheel = single & (ranks == np.array([12, 3, 2, 1, 0])).all(axis=1)
    runs = single & ((ranks[:, 0] - ranks[:, 4] == 4) | wheel)
    ranks[wheel] = np.array([3, 2, 1, 0, 0])
    paired = times.sum(axis=1)
    kind = np.select(
        [runs & suited & (ranks[:, 0] == 12), runs & suited, paired == 17, paired == 13, suited, runs,
         paired == 11, paired == 9, paired == 7],
        [9, 8, 7, 6, 5, 4, 3, 2, 1], 0,
    )  # fmt: skip
    score = kind.astype(np.int64)
    for place in range(5):
        score = score << 4 | ranks[:, place]
    return score
