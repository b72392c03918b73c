"""Probabilities and limits that the fairness of a shuffle is judged by, against values known from tables."""

from __future__ import annotations

import math

import pytest

from domain.fairness.distribution import chi_square_above, chi_square_both, chi_square_limit, normal_both


@pytest.mark.parametrize(
    ("freedom", "above", "limit"),
    [
        (1, 0.05, 3.841459), (1, 0.001, 10.827566), (2, 0.01, 9.210340), (4, 0.01, 13.276704), (8, 0.01, 20.090235),
        (8, 0.99, 1.646497), (30, 0.95, 18.492661), (100, 0.005, 140.169489),
       
    ],
)  # fmt: skip
def test_limits_are_those_of_the_tables(freedom: int, above: float, limit: float) -> None:
    assert chi_square_limit(freedom, above) == pytest.approx(limit, abs=2e-6)
    assert chi_square_above(limit, freedom) == pytest.approx(above, rel=1e-5)


def test_S0_03_position_x_card_lies_between_2419_and_2791() -> None:
    assert (round(chi_square_limit(2_601, 0.995)), round(chi_square_limit(2_601, 0.005))) == (2_419, 2_791)


@pytest.mark.parametrize("at", [0.01, 0.7, 2.0, 9.9, 10.1, 55.0, 300.0])
def test_two_degrees_of_freedom_are_an_exponential(at: float) -> None:
    assert chi_square_above(at, 2) == pytest.approx(math.exp(-at / 2), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(("at", "freedom"), [(7.1, 8), (20.09, 8), (950.0, 1_000), (1_107.0, 1_000), (2_790.5, 2_602)])
def test_even_degrees_of_freedom_are_a_sum_of_poisson_terms(at: float, freedom: int) -> None:
    terms = (step * math.log(at / 2) - at / 2 - math.lgamma(step + 1) for step in range(freedom // 2))
    assert chi_square_above(at, freedom) == pytest.approx(math.fsum(map(math.exp, terms)), rel=1e-9)


@pytest.mark.parametrize("freedom", [3, 8, 2_601, 2_651])
def test_series_and_fraction_meet(freedom: int) -> None:
    below, above = (chi_square_above(freedom + 2 + shift, freedom) for shift in (-1e-9, 1e-9))
    assert below == pytest.approx(above, rel=1e-8)


def test_both_sides_are_never_more_than_all() -> None:
    assert chi_square_both(2_600.33, 2_601) <= 1
    assert chi_square_both(2_418.976, 2_601) == pytest.approx(0.01, rel=1e-4)
    assert chi_square_both(2_790.536, 2_601) == pytest.approx(0.01, rel=1e-4)
    assert chi_square_above(0, 8) == 1.0


def test_the_normal_curve_has_one_percent_beyond_2_5758() -> None:
    assert normal_both(2.575829) == pytest.approx(0.01, rel=1e-6)
    assert normal_both(-2.575829) == normal_both(2.575829)
