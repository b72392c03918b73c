"""Units of money.

Wallets count whole minor units of an ISO 4217 currency (names end in `_minor`), the ledger counts
micro-units, 10^-6 of a minor unit (names end in `_micro`). Never a float, never a division without a
stated rounding (docs/ledger.md, Units).
"""

from __future__ import annotations

from typing import Final

from domain.errors import Invalid
from domain.frozen import dataclass

MICRO: Final = 1_000_000
"""Micro-units in one minor unit."""

AMOUNT_MINOR_MAX: Final = 10**15
"""The largest wallet amount, in minor units."""

POOL_MINOR_LIMIT: Final = 9 * 10**9
"""Meter, reserve and overflow of a pool are each below this, so that micro-units stay below 2^53."""

RATE_DECIMALS_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of a stake as parts per million, so that stake x rate is whole micro-units."""

    ppm: int

    def share_micro(self, stake_minor: int) -> int:
        """The share of `stake_minor`, exact, in micro-units."""
        return stake_minor * self.ppm


def parse_rate(text: str, field: str = "rate") -> Rate:
    """Read a decimal string from "0" to "1" with at most six decimals; anything else is Invalid."""
    whole, dot, decimals = text.partition(".")
    digits = whole + decimals
    if not digits.isascii() or not digits.isdigit() or not whole or (dot and not decimals):
        raise Invalid('a rate is a decimal string such as "0.40"', field=field)
    if len(whole) > 1 or len(decimals) > RATE_DECIMALS_MAX:
        raise Invalid("a rate lies from 0 to 1 and has at most six decimals", field=field)
    ppm = int(whole) * MICRO + int(decimals.ljust(RATE_DECIMALS_MAX, "0"))
    if ppm > MICRO:
        raise Invalid("a rate lies from 0 to 1", field=field)
    return Rate(ppm)


def whole_minor(micro: int) -> int:
    """Whole minor units in a balance of micro-units, rounded down; for balances of zero and more."""
    return micro // MICRO
