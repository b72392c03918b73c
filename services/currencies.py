"""Decimals of currencies, as whoever wires the services knows them."""

from __future__ import annotations

from collections.abc import Mapping

from domain.errors import Invalid


def exponent_in(exponents: Mapping[str, int], currency: str) -> int:
    """Decimals of a currency that is in use. Raises Invalid for one that ISO 4217 has dropped since."""
    found = exponents.get(currency)
    if found is None:
        raise Invalid(f"the exponent of {currency} is not known", field="currency")
    return found
