"""The second settlement's own ranking of hands. Suits never break a tie; an ace is high or low (S0-13, S0-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

RANKS: Final = "23456789TJQKA"
HANDS: Final = (
    "HIGH_CARD", "PAIR", "TWO_PAIR", "THREE_OF_A_KIND", "STRAIGHT",
    "FLUSH", "FULL_HOUSE", "FOUR_OF_A_KIND", "STRAIGHT_FLUSH", "ROYAL_FLUSH",
)  # fmt: skip
HIGH, PAIR, PAIRS, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)
GROUPS: Final = {(4, 1): QUADS, (3, 2): FULL, (3, 1, 1): TRIPS, (2, 2, 1): PAIRS, (2, 1, 1, 1): PAIR}
WHEEL: Final = (14, 5, 4, 3, 2)

Value = tuple[int, tuple[int, ...]]
"""A hand's place: its kind, then the ranks that break ties in their order. Suits never do (S0-13, S0-14)."""


def value_of(cards: Sequence[str]) -> Value:
    """The place of five cards among all hands."""
    ranks = [RANKS.index(card[0]) + 2 for card in cards]
    groups = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    order = tuple(rank for _, rank in groups)
    if len(order) < 5:
        return GROUPS[tuple(n for n, _ in groups)], order
    suited = len({card[1] for card in cards}) == 1
    runs = order == WHEEL or order[0] - order[4] == 4
    if order == WHEEL:
        order = (5, 4, 3, 2, 1)
    if runs and suited:
        return (ROYAL if order[0] == 14 else STRAIGHT_FLUSH), order
    return (STRAIGHT if runs else FLUSH if suited else HIGH), order


def best_of(cards: Sequence[str]) -> Value:
    """The best five of six cards."""
    return max(value_of(five) for five in combinations(cards, 5))


def qualifies(house: Value) -> bool:
    """A-K high or better (S0-15)."""
    return house[0] > HIGH or house[1][:2] == (14, 13)
