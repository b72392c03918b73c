"""Ranking of five-card hands (S0-13, S0-14), by two tables made once from the rules of poker.

A hand without a flush is decided by how often each rank lies in it, a flush by which ranks do. Each rank has a
weight of 5 to its own power; no rank lies more than four times, so a hand's sum of weights is its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from domain.cards import DECK, RANKS
from domain.frozen import dataclass


class Category(StrEnum):
    """The ten categories, lowest first; a royal flush is one of its own because it is paid as one."""

    HIGH_CARD = "HIGH_CARD"
    PAIR = "PAIR"
    TWO_PAIR = "TWO_PAIR"
    THREE_OF_A_KIND = "THREE_OF_A_KIND"
    STRAIGHT = "STRAIGHT"
    FLUSH = "FLUSH"
    FULL_HOUSE = "FULL_HOUSE"
    FOUR_OF_A_KIND = "FOUR_OF_A_KIND"
    STRAIGHT_FLUSH = "STRAIGHT_FLUSH"
    ROYAL_FLUSH = "ROYAL_FLUSH"

    @property
    def order(self) -> int:
        """0 for a high card up to 9 for a royal flush."""
        return _ORDER[self]

    def at_least(self, other: Category) -> bool:
        """Whether this category is `other` or a better one. (`<` would compare the names as text.)"""
        return _ORDER[self] >= _ORDER[other]


_ORDER: Final[dict[Category, int]] = {category: order for order, category in enumerate(Category)}


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """A ranked hand: of two hands the one with the greater `strength` wins, equal strengths tie (S0-13).

    `strength` serves comparisons inside this program only; to people a hand is its `category` and its cards.
    """

    strength: int
    category: Category = field(compare=False)


class _Tables(NamedTuple):
    plain: dict[int, Hand]
    flush: dict[int, Hand]


_ACE: Final = len(RANKS) - 1
_WHEEL: Final = (_ACE, 3, 2, 1, 0)
_WEIGHT: Final[dict[str, int]] = {card: 5 ** RANKS.index(card[0]) for card in DECK}


def _hand(category: Category, ranks: Sequence[int]) -> Hand:
    """The hand of a category whose ties are broken by `ranks`, the most telling first."""
    strength = category.order
    for rank in ranks:
        strength = strength * len(RANKS) + rank
    return Hand(strength, category)


_BY_COUNTS: Final[dict[tuple[int, ...], Category]] = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
}


def _straight_top(descending: Sequence[int], wheel_is_straight: bool) -> int | None:
    """The rank that a straight of five different ranks is counted by (S0-13: the wheel by its five), or None."""
    if tuple(descending) == _WHEEL:
        return _WHEEL[1] if wheel_is_straight else None
    return descending[0] if descending[0] - descending[-1] == 4 else None


def _plain_hand(ranks: Sequence[int], wheel_is_straight: bool) -> Hand:
    """The hand of five ranks, given from the highest down, that lie in more than one suit (S0-14)."""
    grouped = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    category = _BY_COUNTS[tuple(count for count, _ in grouped)]
    if category is Category.HIGH_CARD:
        top = _straight_top(ranks, wheel_is_straight)
        if top is not None:
            return _hand(Category.STRAIGHT, (top, 0, 0, 0, 0))
    telling = [rank for _, rank in grouped]
    return _hand(category, telling + [0] * (5 - len(telling)))


def _suited_hand(ranks: Sequence[int], wheel_is_straight: bool) -> Hand:
    """The hand of five ranks, given from the highest down, that lie in one suit."""
    top = _straight_top(ranks, wheel_is_straight)
    if top is None:
        return _hand(Category.FLUSH, ranks)
    return _hand(Category.ROYAL_FLUSH if top == _ACE else Category.STRAIGHT_FLUSH, (top, 0, 0, 0, 0))


def _make_tables(wheel_is_straight: bool) -> _Tables:
    downwards = range(_ACE, -1, -1)
    plain = {
        sum(5**rank for rank in ranks): _plain_hand(ranks, wheel_is_straight)
        for ranks in combinations_with_replacement(downwards, 5)
        if ranks[0] != ranks[4]
    }
    flush = {
        sum(5**rank for rank in ranks): _suited_hand(ranks, wheel_is_straight) for ranks in combinations(downwards, 5)
    }
    return _Tables(plain, flush)


_TABLES: Final = _make_tables(wheel_is_straight=True)


def _wheelless(tables: _Tables) -> _Tables:
    """The same tables for rules whose list of straights leaves A-2-3-4-5 out (C6): there it is ace high."""
    name = sum(5**rank for rank in _WHEEL)
    plain = _plain_hand(_WHEEL, wheel_is_straight=False)
    flush = _suited_hand(_WHEEL, wheel_is_straight=False)
    return _Tables(tables.plain | {name: plain}, tables.flush | {name: flush})


_TABLES_WITHOUT_WHEEL: Final = _wheelless(_TABLES)


def rank_five(cards: Sequence[str], wheel_is_straight: bool = True) -> Hand:
    """The hand that five different cards make, in any order (S0-13, S0-14, S4-10).

    The cards are taken as already checked (`parse_cards`). `wheel_is_straight` says whether A-2-3-4-5 counts as
    the lowest straight (C6); it is then lower than 2-3-4-5-6.
    """
    tables = _TABLES if wheel_is_straight else _TABLES_WITHOUT_WHEEL
    a, b, c, d, e = cards
    name = _WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c] + _WEIGHT[d] + _WEIGHT[e]
    if a[1] == b[1] == c[1] == d[1] == e[1]:
        return tables.flush[name]
    return tables.plain[name]


def best_of_six(cards: Sequence[str], wheel_is_straight: bool = True) -> Hand:
    """The best five-card hand out of six different cards: the player's five and the dealer's up-card (S0-08)."""
    return max(rank_five(five, wheel_is_straight) for five in combinations(cards, 5))
