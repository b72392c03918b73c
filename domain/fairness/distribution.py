"""Chi-square and normal probabilities and limits, to some twelve digits, from the standard library alone.

The chi-square distribution is the regularised incomplete gamma function: its series below the mean, its continued
fraction above, as every textbook of numerical methods has them. No table and no approximation by a normal curve.
"""

from __future__ import annotations

import math
from typing import Final

_STEPS_MOST: Final = 100_000
_PRECISE: Final = 1e-15
_TINY: Final = 1e-300


def chi_square_above(statistic: float, freedom: int) -> float:
    """The probability of a greater value than `statistic`, with so many degrees of freedom (1 or more)."""
    half, at = freedom / 2, statistic / 2
    if at <= 0:
        return 1.0
    scale = math.exp(half * math.log(at) - at - math.lgamma(half))
    return 1 - scale * _series(half, at) if at < half + 1 else scale * _fraction(half, at)


def chi_square_both(statistic: float, freedom: int) -> float:
    """Two-sided: the probability of a value as far out as `statistic`, on either side."""
    above = chi_square_above(statistic, freedom)
    return min(1.0, 2 * min(above, 1 - above))


def chi_square_limit(freedom: int, above: float) -> float:
    """The value that is exceeded with probability `above` (0 to 1, both excluded)."""
    low, high = 0.0, freedom + 10.0
    while chi_square_above(high, freedom) > above:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_above(middle, freedom) > above else (low, middle)
    return (low + high) / 2


def normal_both(deviation: float) -> float:
    """Two-sided: the probability of a value so many standard deviations away from the mean, or more."""
    return math.erfc(abs(deviation) / math.sqrt(2))


def _series(half: float, at: float) -> float:
    """The lower incomplete gamma function without its scale."""
    term = total = 1 / half
    for step in range(1, _STEPS_MOST):
        term *= at / (half + step)
        total += term
        if term < total * _PRECISE:
            break
    return total


def _fraction(half: float, at: float) -> float:
    """The upper one, by the modified method of Lentz."""
    base = at + 1 - half
    ratio, inverse = 1 / _TINY, 1 / base
    total = inverse
    for step in range(1, _STEPS_MOST):
        top = -step * (step - half)
        base += 2
        inverse = 1 / (_away(top * inverse + base))
        ratio = _away(base + top / ratio)
        factor = inverse * ratio
        total *= factor
        if abs(factor - 1) < _PRECISE:
            break
    return total


def _away(value: float) -> float:
    """Not zero, which nothing is divided by."""
    return value if abs(value) > _TINY else _TINY
