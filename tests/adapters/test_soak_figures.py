"""What a soak is judged by: bands of hands, percentiles by tenths of a run, growth of memory."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.fairness.verdict import ALL_HANDS
from domain.hands import Category
from tests.faults.hands import WAYS, band, outside
from tests.faults.pulse import TENTHS, Latencies, slope


def test_F23_the_ten_categories_are_all_hands() -> None:
    assert sum(WAYS.values()) == ALL_HANDS
    assert set(WAYS) == set(Category)


def test_F23_a_band_of_a_fair_coin_is_that_of_the_binomial() -> None:
    # P(X <= 1) = 11/1024 of ten throws, P(X <= 2) = 56/1024: 5 % leave out 0 and 1, and 9 and 10
    assert band(10, 0.5, 0.05) == (2, 8)
    assert band(10, 0.5, 2 * 11 / 1024 - 0.001) == (1, 9)


def test_F23_exact_frequencies_are_inside_and_a_pair_in_ten_too_few_is_not() -> None:
    fair = Counter({category: ways * 1_000_000 // ALL_HANDS for category, ways in WAYS.items()})
    assert outside({"dealer": fair}) == []
    short = fair - Counter({Category.PAIR: fair[Category.PAIR] // 10})
    assert any("PAIR" in text for text in outside({"dealer": short}))


def test_F23_the_last_tenth_is_compared_with_the_first() -> None:
    latencies = Latencies()
    for nth in range(1_000):
        latencies.note(0.010 if nth < 900 else 0.030, nth / 1_000)
    assert latencies.p99(0) == pytest.approx(0.010, rel=0.02)
    assert latencies.p99(TENTHS - 1) == pytest.approx(0.030, rel=0.02)
    assert latencies.rise() == pytest.approx(3, rel=0.04)


def test_F23_one_in_a_hundred_may_be_slower_than_the_p99() -> None:
    latencies = Latencies()
    for nth in range(1_000):
        latencies.note(5.0 if nth % 125 == 0 else 0.010, 0.5)
    assert latencies.p99() == pytest.approx(0.010, rel=0.02)


def test_F23_growth_is_that_of_a_line_through_what_was_noted() -> None:
    assert slope([(done, 100 + done / 50_000) for done in range(0, 1_000_000, 10_000)], 100_000) == pytest.approx(2)
    assert slope([(0, 1.0), (1, 2.0)], 100_000) is None
