"""Are hands dealt as often as a fair deck deals them? Exact bands of a binomial, for each of the ten categories.

Only hands of different rounds are counted together, so that they are independent of each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

from domain.fairness.verdict import ALL_HANDS
from domain.fairness.verdict import WAYS as NINE
from domain.hands import Category

LEVEL: Final = 0.01
"""So often a fair deck leaves the bands of all categories together (Bonferroni)."""

ROYAL: Final = 4
WAYS: Final = {**NINE, Category.STRAIGHT_FLUSH: NINE[Category.STRAIGHT_FLUSH] - ROYAL, Category.ROYAL_FLUSH: ROYAL}

Counts = Mapping[str, Counter[Category]]
"""Hands of independent rounds by who got them."""


def outside(counts: Counts) -> list[str]:
    """The categories whose number is outside its band, in words."""
    found = []
    for who, count in counts.items():
        hands = count.total()
        for category, ways in WAYS.items():
            low, high = band(hands, ways / ALL_HANDS, LEVEL / len(WAYS) / len(counts))
            if not low <= count[category] <= high:
                found.append(f"{who}: {count[category]} of {hands} are {category.value}, {low} to {high} would be fair")
    return found


def band(tries: int, chance: float, level: float) -> tuple[int, int]:
    """The least and the most successes: either side beyond is less likely than half the level."""
    mean, spread = tries * chance, math.sqrt(tries * chance * (1 - chance))
    first, last = max(0, int(mean - 12 * spread - 20)), min(tries, int(mean + 12 * spread + 20))
    each = [_likelihood(tries, chance, number) for number in range(first, last + 1)]
    return first + _left_out(each, level / 2), last - _left_out(each[::-1], level / 2)


def _left_out(each: list[float], level: float) -> int:
    """How many of the first have together at most this likelihood."""
    total = 0.0
    for nth, one in enumerate(each):
        total += one
        if total > level:
            return nth
    return len(each)


def _likelihood(tries: int, chance: float, number: int) -> float:
    ways = math.lgamma(tries + 1) - math.lgamma(number + 1) - math.lgamma(tries - number + 1)
    return math.exp(ways + number * math.log(chance) + (tries - number) * math.log1p(-chance))
