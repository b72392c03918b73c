"""A pool's parameters as answers show them."""

from __future__ import annotations

from domain.jackpots.events import PoolTerms
from domain.money import MICRO
from services.answers import JackpotTerms


def terms_shown(terms: PoolTerms) -> JackpotTerms:
    """The parameters that may change: amounts in minor units, rates as decimal strings."""
    return JackpotTerms(
        terms.reset_minor,
        rate_text(terms.increment_ppm),
        rate_text(terms.reserve_ppm),
        terms.ceiling_minor,
        terms.fixed_prize_funding.value,
        terms.multi_winner_policy.value,
        terms.handpay_threshold_minor,
    )


def rate_text(ppm: int) -> str:
    """A rate as a decimal string with at least two decimals, such as "0.40"."""
    whole, part = divmod(ppm, MICRO)
    decimals = f"{part:06d}".rstrip("0").ljust(2, "0")
    return f"{whole}.{decimals}"
