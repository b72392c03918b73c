"""The checks of a tally, each with its limits at 1 %, for any number of decks.

Position x card: 51/52 of the chi-square sum. For N decks its mean is 2,601 exactly and its variance 2 x 2,601 x
(1 - 1/N): two orders share one place on average, with variance 1, and any two pairs of orders are uncorrelated. So
the limits of chi-square with 2,601 degrees of freedom hold whatever N is. The next card at one place, one of 52 x 51
pairs, has the same mean and variance with 2,651. Hands are counted in nine categories; where fewer than five of the
best ones are to be expected they count as one, and the limit is that of the categories that are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import starmap
from typing import Final

from domain.fairness.distribution import chi_square_above, chi_square_both, chi_square_limit, normal_both
from domain.fairness.tally import CATEGORIES, PLACES, SEATS, SIZE, Tally
from domain.frozen import dataclass
from domain.hands import Category

LEVEL: Final = 0.01
LEAST_DECKS: Final = 1_000
"""With fewer, nothing can be said."""
ALL_HANDS: Final = 2_598_960
WAYS: Final = {
    Category.HIGH_CARD: 1_302_540,
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.STRAIGHT: 10_200,
    Category.FLUSH: 5_108,
    Category.FULL_HOUSE: 3_744,
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 40,
}
"""Hands of five cards by category, royal flushes among the straight flushes."""

_EXPECTED_LEAST: Final = 5.0


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its value, the limits that it must keep (None: no limit on that side), its probability."""

    name: str
    value: float
    least: float | None
    most: float | None
    p: float | None
    holds: bool
    about: str
    """What the value is, in words; of the family, what was rejected."""


@dataclass(frozen=True, slots=True)
class Single:
    """One test of the family, with its probability."""

    name: str
    p: float


def checks(tally: Tally) -> tuple[Check, ...]:
    """Position x card, categories, the family, duplicates."""
    return (positions(tally), categories(tally), family(tally), duplicates(tally))


def positions(tally: Tally) -> Check:
    """Each card at each place equally often. A card has one place and a place one card, hence the 51/52."""
    freedom, expected = PLACES * PLACES, tally.decks / SIZE
    total = sum((found - expected) ** 2 for row in tally.positions() for found in row) / expected
    value = total * PLACES / SIZE
    least, most = chi_square_limit(freedom, 1 - LEVEL / 2), chi_square_limit(freedom, LEVEL / 2)
    about = f"chi-square, {freedom} degrees of freedom, 99 % two-sided"
    return Check("positions", value, least, most, chi_square_both(value, freedom), least <= value <= most, about)


def categories(tally: Tally) -> Check:
    """Seat 1's hands fall into the nine categories as often as all hands of a deck do."""
    value, freedom = category_sum(tally.hands[0], tally.decks)
    most = chi_square_limit(freedom, LEVEL)
    p = chi_square_above(value, freedom)
    return Check("categories", value, None, most, p, value <= most, f"chi-square, {freedom} degrees of freedom, 99 %")


def duplicates(tally: Tally) -> Check:
    """No order of the deck twice: among 52! orders, chance makes none."""
    found = tally.repeated()
    return Check("duplicates", found, None, 0, None, not found, "decks that had come before")


def family(tally: Tally) -> Check:
    """Next card at each place, runs, each seat against the dealer, everybody's categories: 1 % together (Holm)."""
    ordered = sorted(singles(tally), key=lambda one: one.p)
    limits = [LEVEL / (len(ordered) - rank) for rank in range(len(ordered))]
    rejected: list[Single] = []
    for one, limit in zip(ordered, limits, strict=True):
        if one.p > limit:
            break
        rejected.append(one)
    texts = [f"{one.name} (p {one.p:.2g})" for one in rejected]
    about = "; ".join(texts) or f"{len(ordered)} tests; the smallest p is that of {ordered[0].name}"
    return Check("family", ordered[0].p, limits[0], None, ordered[0].p, not rejected, about)


def singles(tally: Tally) -> tuple[Single, ...]:
    """Every test of the family."""
    return (*_next_cards(tally), _runs(tally), *_seats(tally), *_other_hands(tally))


def category_sum(found: Sequence[int], decks: int) -> tuple[float, int]:
    """The chi-square sum of counts by CATEGORIES, and its degrees of freedom."""
    cells = [(found[nth], decks * WAYS[category] / ALL_HANDS) for nth, category in enumerate(CATEGORIES)]
    while cells[-1][1] < _EXPECTED_LEAST and len(cells) > 2:
        (some, few), (more, next_) = cells[-1], cells[-2]
        cells[-2:] = [(some + more, few + next_)]
    return sum((seen - mean) ** 2 / mean for seen, mean in cells), len(cells) - 1


def _next_cards(tally: Tally) -> list[Single]:
    """At each of 51 places: the ordered pair of this card and the next, of 52 x 51 equally likely ones."""
    cells, found = SIZE * PLACES, []
    for place in range(PLACES):
        squares = sum(times * times for row in tally.at(place) for times in row)
        p = chi_square_both(squares * cells / tally.decks - tally.decks, cells - 1)
        found.append(Single(f"next card at place {place + 1}", p))
    return found


def _runs(tally: Tally) -> Single:
    """Descents (places where a run ends): by Euler's numbers 51/2 a deck with variance 53/12."""
    descents = sum(sum(row[:card]) for place in range(PLACES) for card, row in enumerate(tally.at(place)))
    spread = math.sqrt(tally.decks * (SIZE + 1) / 12)
    return Single("runs", normal_both((descents - tally.decks * PLACES / 2) / spread))


def _seats(tally: Tally) -> list[Single]:
    """Each of four seats beats the dealer as often as the dealer beats it."""
    ratios = starmap(lambda won, lost: (won - lost) / math.sqrt(won + lost), zip(tally.wins, tally.losses, strict=True))
    return [Single(f"seat {seat} against the dealer", normal_both(ratio)) for seat, ratio in enumerate(ratios, 1)]


def _other_hands(tally: Tally) -> list[Single]:
    """The categories of seats 2 to 4 and of the dealer."""
    names = [*(f"categories of seat {seat}" for seat in range(2, SEATS + 1)), "categories of the dealer"]
    sums = (category_sum(found, tally.decks) for found in tally.hands[1:])
    return [Single(name, chi_square_above(*one)) for name, one in zip(names, sums, strict=True)]
