"""Amounts for people: minor units of euro and dollar as decimals, without a float on the way."""

from __future__ import annotations

from typing import Final

MICRO: Final = 1_000_000


def money(minor: int, currency: str = "") -> str:
    """25134 is `251.34`; with a currency `251.34 EUR`. (The demo's currencies have two decimals.)"""
    whole, cents = divmod(abs(minor), 100)
    text = f"{'-' if minor < 0 else ''}{whole:,}.{cents:02d}"
    return f"{text} {currency}" if currency else text


def meter(micro: int) -> str:
    """Micro-units as money, the fraction of a minor unit cut off, as a meter shows it."""
    return money(micro // MICRO)
