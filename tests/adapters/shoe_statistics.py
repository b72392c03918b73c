"""Statistical acceptance of a shuffle: a sample of decks, and checks that say whether it looks fair.

A sample is one bytes object of 52 bytes a deck, each byte a card's index in DECK. Each check answers with a
sentence for what it found wrong, or None. Levels are 1 % each; a check may be repeated once on a fresh sample.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import starmap

from domain.cards import DECK
from domain.dealing import published_map
from domain.hands import Category, rank_five

Permutation = Callable[[], list[int]]
Check = Callable[[bytes], str | None]

SIZE = len(DECK)
POSITIONS_LEAST, POSITIONS_MOST = 2_419, 2_791  # chi-square, 2,601 degrees of freedom, 99 % two-sided
CATEGORIES_MOST = 20.1  # chi-square, 8 degrees of freedom, 99 %
FAMILY_LEVEL = 0.01
ALL_HANDS = 2_598_960
HANDS = {
    Category.HIGH_CARD: 1_302_540,
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.STRAIGHT: 10_200,
    Category.FLUSH: 5_108,
    Category.FULL_HOUSE: 3_744,
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 40,  # royal flushes included
}


def sample_of(permutation: Permutation, decks: int) -> bytes:
    sample = bytearray()
    for _ in range(decks):
        sample += bytes(permutation())
    return bytes(sample)


def positions(sample: bytes) -> str | None:
    """Each card at each place equally often. A card has one place and a place one card, hence the 51/52."""
    expected = len(sample) / SIZE / SIZE
    counts = (Counter(sample[place::SIZE]) for place in range(SIZE))
    total = sum((count[card] - expected) ** 2 / expected for count in counts for card in range(SIZE))
    statistic = total * (SIZE - 1) / SIZE
    if POSITIONS_LEAST <= statistic <= POSITIONS_MOST:
        return None
    return f"position x card: {statistic:.0f} is outside {POSITIONS_LEAST} to {POSITIONS_MOST}"


def categories(sample: bytes) -> str | None:
    """Seat 1's hands (four seats) fall into the nine categories as often as all hands of a deck do."""
    found = Counter(hand.category for hand in _hands(sample, published_map(4).seat(1)))
    found[Category.STRAIGHT_FLUSH] += found.pop(Category.ROYAL_FLUSH, 0)
    decks = len(sample) // SIZE
    expected = {category: decks * ways / ALL_HANDS for category, ways in HANDS.items()}
    statistic = sum((found[category] - mean) ** 2 / mean for category, mean in expected.items())
    return None if statistic <= CATEGORIES_MOST else f"categories: {statistic:.1f} is over {CATEGORIES_MOST}"


def family(sample: bytes) -> str | None:
    """Next card at each place, runs, and each seat against the dealer, at 1 % together (Holm)."""
    p_values = {**_next_card(sample), **_runs(sample), **_fairness(sample)}
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    rejected = []
    for rank, (name, p_value) in enumerate(ordered):
        if p_value > FAMILY_LEVEL / (len(ordered) - rank):
            break
        rejected.append(f"{name} (p {p_value:.2g})")
    return "; ".join(rejected) or None


def duplicates(sample: bytes) -> str | None:
    """No order of the deck twice: among 52! orders, chance makes none."""
    decks = len(sample) // SIZE
    different = len({sample[at : at + SIZE] for at in range(0, len(sample), SIZE)})
    return None if different == decks else f"{decks - different} of {decks} decks came twice"


CHECKS: dict[str, Check] = {
    "positions": positions,
    "categories": categories,
    "family": family,
    "duplicates": duplicates,
}


def chi_square_p(statistic: float, freedom: int) -> float:
    """Two-sided, by Wilson and Hilferty's normal approximation of the cube root; good for thousands of degrees."""
    spread = 2 / (9 * freedom)
    return normal_p(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def normal_p(deviation: float) -> float:
    """Two-sided."""
    return math.erfc(abs(deviation) / math.sqrt(2))


def _hands(sample: bytes, indexes: Iterable[int]) -> list:
    columns = [list(map(DECK.__getitem__, sample[index::SIZE])) for index in indexes]
    return list(map(rank_five, zip(*columns, strict=True)))


def _next_card(sample: bytes) -> dict[str, float]:
    """At each of 51 places: the ordered pair of this card and the next, of 52 x 51 equally likely ones."""
    cells = SIZE * (SIZE - 1)
    decks = len(sample) // SIZE
    p_values = {}
    for place in range(SIZE - 1):
        pairs = Counter(zip(sample[place::SIZE], sample[place + 1 :: SIZE], strict=True))
        statistic = sum(count * count for count in pairs.values()) * cells / decks - decks
        p_values[f"next card at {place}"] = chi_square_p(statistic, cells - 1)
    return p_values


def _runs(sample: bytes) -> dict[str, float]:
    """Descents (places where a run ends): by Euler's numbers 51/2 a deck with variance 53/12."""
    decks = len(sample) // SIZE
    descents = sum(
        sum(starmap(int.__gt__, zip(sample[place::SIZE], sample[place + 1 :: SIZE], strict=True)))
        for place in range(SIZE - 1)
    )
    return {"runs": normal_p((descents - decks * (SIZE - 1) / 2) / math.sqrt(decks * (SIZE + 1) / 12))}


def _fairness(sample: bytes) -> dict[str, float]:
    """Each of four seats beats the dealer as often as the dealer beats it."""
    deal = published_map(4)
    dealer = [hand.strength for hand in _hands(sample, deal.dealer)]
    p_values = {}
    for seat in range(1, deal.seats + 1):
        own = [hand.strength for hand in _hands(sample, deal.seat(seat))]
        wins, losses = sum(map(int.__gt__, own, dealer)), sum(map(int.__lt__, own, dealer))
        p_values[f"seat {seat} against the dealer"] = normal_p((wins - losses) / math.sqrt(wins + losses))
    return p_values
