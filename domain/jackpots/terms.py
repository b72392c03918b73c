"""Which parameters a pool may have (C20, C23, C24; docs/ledger.md, Pools)."""

from __future__ import annotations

from domain.errors import CurrencyMismatch, Invalid
from domain.jackpots.events import PoolTerms
from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.variants import ruleset


def checked_terms(terms: PoolTerms) -> PoolTerms:
    """`terms` when a pool can live by them, else Invalid that names the field."""
    rules = ruleset(terms.ruleset)
    if rules.progressive is None:
        raise Invalid(f"{rules.name} has no progressive wager", field="ruleset")
    if rules.currency is not None and terms.currency != rules.currency:
        raise CurrencyMismatch(f"{rules.name} is played in {rules.currency}", field="currency")
    if not 1 <= terms.ceiling_minor <= POOL_MINOR_LIMIT:
        raise Invalid(f"a ceiling lies from 1 to {POOL_MINOR_LIMIT} minor units", field="ceiling")
    for field, amount in (("seed", terms.seed_minor), ("reset", terms.reset_minor)):
        if not 0 <= amount <= terms.ceiling_minor:
            raise Invalid(f"{field} lies from 0 to the ceiling", field=field)
    if terms.increment_ppm + terms.reserve_ppm > MICRO:
        raise Invalid("increment and reserve rate are together at most 1", field="reserve_rate")
    if terms.handpay_threshold_minor is not None and terms.handpay_threshold_minor < 0:
        raise Invalid("a threshold is 0 or more", field="handpay_threshold")
    return terms
