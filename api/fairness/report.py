"""What `studbook fairness` tells: an object for programs, lines for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.fairness.verdict import Check

TITLES: Final = {
    "positions": "each card at each place",
    "categories": "hands of seat 1 by category",
    "family": "next card, runs, seats, hands",
    "duplicates": "no deck twice",
}


def check_object(one: Check) -> dict[str, object]:
    """A check as JSON; numbers that are no integers with six digits behind the point, probabilities as they are."""
    return {
        "name": one.name,
        "value": one.value if one.p == one.value else _rounded(one.value),
        "least": one.least if one.p == one.value else _rounded(one.least),
        "most": _rounded(one.most),
        "p": one.p,
        "holds": one.holds,
        "about": one.about,
    }


def check_lines(checks: Sequence[Check], heading: str) -> Iterator[str]:
    """A table of the checks."""
    yield heading
    yield f"  {'check':<30} {'value':>11}   {'must be':<22} {'p':>8}"
    for one in checks:
        p = "" if one.p is None else f"{one.p:8.2g}"
        line = f"  {TITLES[one.name]:<30} {_number(one.value):>11}   {_limits(one):<22} {p:>8}  "
        yield line + ("ok" if one.holds else f"FAILED: {one.about}")


def teeth_lines(teeth: Mapping[str, Sequence[str]], decks: int) -> Iterator[str]:
    """What the same checks said of shuffles that are known to be bad."""
    yield f"the same checks on {decks:,} decks of shuffles that are known to be bad"
    for name, failed in teeth.items():
        yield f"  {name:<30} " + (f"refused: {', '.join(failed)}" if failed else "NOT REFUSED")


def _limits(one: Check) -> str:
    if one.least is not None and one.most is not None:
        return f"{_number(one.least)} to {_number(one.most)}"
    return f"{_number(one.least)} or more" if one.least is not None else f"{_number(one.most)} or less"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    if value >= 1:
        return f"{value:,.1f}"
    return f"{value:.2g}" if math.isfinite(value) else "inf"


def _rounded(value: float | None) -> float | None:
    return round(value, 6) if isinstance(value, float) else value
