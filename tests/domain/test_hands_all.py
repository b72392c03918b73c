"""Every hand of the deck evaluated, and an independent evaluator asked about a hundred thousand showdowns."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from pokerkit import Card, StandardLookup

from domain.cards import DECK
from domain.hands import Category, best_of_six, rank_five

SHOWDOWNS = 100_000
SIX_CARD_DEALS = 5_000

COUNTS = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}

LABELS = {
    "High card": Category.HIGH_CARD,
    "One pair": Category.PAIR,
    "Two pair": Category.TWO_PAIR,
    "Three of a kind": Category.THREE_OF_A_KIND,
    "Straight": Category.STRAIGHT,
    "Flush": Category.FLUSH,
    "Full house": Category.FULL_HOUSE,
    "Four of a kind": Category.FOUR_OF_A_KIND,
    "Straight flush": Category.STRAIGHT_FLUSH,
}


def test_all_2598960_hands_fall_into_the_known_counts_and_7462_strengths() -> None:
    counts = Counter(map(rank_five, combinations(DECK, 5)))
    by_category: Counter[Category] = Counter()
    for hand, times in counts.items():
        by_category[hand.category] += times
    assert by_category == COUNTS
    assert by_category.total() == 2_598_960
    assert len(counts) == 7_462


class Oracle:
    """pokerkit's table of five-card hands, which shares no line with ours."""

    def __init__(self) -> None:
        self._lookup = StandardLookup()
        self._cards = {card: next(iter(Card.parse(card))) for card in DECK}

    def place(self, cards: tuple[str, ...]) -> tuple[int, Category]:
        """Where pokerkit puts the hand among all hands (greater is better), and its category."""
        entry = self._lookup.get_entry([self._cards[card] for card in cards])
        category = LABELS[str(entry.label.value)]
        ranks = {card[0] for card in cards}
        if category is Category.STRAIGHT_FLUSH and ranks == set("AKQJT"):
            category = Category.ROYAL_FLUSH
        return entry.index, category


def test_pokerkit_agrees_on_the_winner_and_both_categories_of_100000_showdowns() -> None:
    oracle, dealing = Oracle(), random.Random(20_261_129)
    for _ in range(SHOWDOWNS):
        dealt = dealing.sample(DECK, 10)
        player, dealer = tuple(dealt[:5]), tuple(dealt[5:])
        (player_place, player_category), (dealer_place, dealer_category) = oracle.place(player), oracle.place(dealer)
        ours, theirs = rank_five(player), rank_five(dealer)
        assert (ours.category, theirs.category) == (player_category, dealer_category), dealt
        assert (ours > theirs, ours < theirs) == (player_place > dealer_place, player_place < dealer_place), dealt


def test_pokerkit_agrees_on_hands_that_differ_in_one_card() -> None:
    oracle, dealing = Oracle(), random.Random(39)
    for _ in range(SHOWDOWNS // 4):
        *shared, one, other = dealing.sample(DECK, 6)
        first, second = (*shared, one), (*shared, other)
        expected = oracle.place(first)[0] - oracle.place(second)[0]
        assert (rank_five(first) > rank_five(second), rank_five(first) == rank_five(second)) == (
            expected > 0,
            expected == 0,
        ), (first, second)


def test_pokerkit_agrees_on_the_best_five_of_six_cards() -> None:
    oracle, dealing = Oracle(), random.Random(47)
    for _ in range(SIX_CARD_DEALS):
        six = tuple(dealing.sample(DECK, 6))
        best = max(oracle.place(five) for five in combinations(six, 5))
        assert best_of_six(six).category is best[1], six
