"""What every query needs: where to read, the clock, and how many decimals a currency has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from domain.frozen import dataclass
from services.currencies import exponent_in
from services.ports import Clock
from services.ports_reads import Views


@dataclass(frozen=True, slots=True)
class Reads:
    """`exponents` maps a currency to the decimals of its minor unit."""

    views: Views
    clock: Clock
    exponents: Mapping[str, int] = field(repr=False)

    def exponent(self, currency: str) -> int:
        """Decimals of a currency that is in use. Raises Invalid for one that ISO 4217 has dropped since."""
        return exponent_in(self.exponents, currency)
