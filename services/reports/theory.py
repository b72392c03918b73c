"""What wagers ought to return, as a control needs it: certified means and variances with whole numerators.

A prize that is a part of the meter is worth what the meter is worth: so a progressive wager is compared with the theory
at the meter that its own showdown found, and no assumption about meters is made.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from domain.money import MICRO
from domain.returns import HANDS_OF_FIVE, Theory, progressive_wager
from domain.rules import ruleset_hash
from domain.variants import RULESETS
from services.certificates import certified, theory
from services.reports.columns import PPM

MAIN: Final = "MAIN"
"""Ante and call of one seat together, per ante: what is won or lost on both and the ante itself."""

PROGRESSIVE: Final = "PROGRESSIVE"


class Expected(NamedTuple):
    """Mean and variance of what a unit of stake returns, as whole numbers over denominators that a game's wagers share,
    whatever the meter: so sums of them are exact.
    """

    mean: int
    mean_over: int
    variance: int
    variance_over: int

    @property
    def ppm(self) -> int:
        """The mean in millionths, rounded down."""
        return self.mean * PPM // self.mean_over


@lru_cache(4_096)
def expected(ruleset: str, hash_: str, kind: str, meter_minor: int = 0) -> Expected | None:
    """Of a wager of this kind, `MAIN` too; None where nothing is certified of the rule set with that hash."""
    if not is_certified(ruleset, hash_):
        return None
    if kind == PROGRESSIVE:
        found = progressive_wager(ruleset, certified(ruleset).counts, meter_minor)
        price = _price(ruleset)
        return None if found is None else _over(found, HANDS_OF_FIVE * price, (HANDS_OF_FIVE * price) ** 2)
    known = theory(ruleset).get(kind)
    return None if known is None else _over(known, known.rtp.denominator, known.variance.denominator)


@lru_cache(64)
def call_ppm(ruleset: str, hash_: str) -> int | None:
    """How often a hand is called under optimal play, in millionths, rounded down; None where nothing is certified."""
    if not is_certified(ruleset, hash_):
        return None
    main = theory(ruleset)[MAIN]
    often = (main.stake_mean - 1) / RULESETS[ruleset].call_multiple
    return int(often * PPM)


@lru_cache(64)
def is_certified(ruleset: str, hash_: str) -> bool:
    """Whether that is the rule set that is published now: an older one of the same name has no theory here."""
    return ruleset in RULESETS and ruleset_hash(RULESETS[ruleset]) == hash_


def whole_meter(micro: int) -> int:
    """The meter as prizes are worked out on it."""
    return micro // MICRO


def _price(ruleset: str) -> int:
    rules = RULESETS[ruleset].progressive
    return 1 if rules is None else rules.stake_minor


def _over(one: Theory, mean_over: int, variance_over: int) -> Expected:
    return Expected(_whole(one.rtp * mean_over), mean_over, _whole(one.variance * variance_over), variance_over)


def _whole(number: Fraction) -> int:
    if number.denominator != 1:
        raise ValueError(f"{number} is not whole over the denominator of its game")
    return number.numerator
