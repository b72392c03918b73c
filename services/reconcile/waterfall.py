"""A pool's day as a picture: opening, each term, closing, as an SVG document."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final, NamedTuple

from domain.jackpots.identity import Term
from services.reconcile.days import PoolDay
from services.reports.printing import decimal_text

WIDTH: Final = 860
LEFT: Final = 24
TOP: Final = 70
HEIGHT: Final = 240
FOOT: Final = 78
UP: Final = "#0b6e4f"
DOWN: Final = "#b3261e"
WHOLE: Final = "#2b4c9b"
LEAST: Final = 1
"""Pixels of the thinnest bar."""

LABELS: Final[Mapping[Term, str]] = {
    Term.SEED: "seed",
    Term.RESETS: "resets",
    Term.CONTRIBUTIONS: "contributions",
    Term.CORRECTIONS: "corrections",
    Term.TRANSFERS: "transfers",
    Term.VOID_SHORTFALL: "shortfall",
    Term.AWARDS: "awards",
}
"""Short enough for all of them side by side."""


class _Frame(NamedTuple):
    """Pixels for each bar, the scale in micro-units, and the currency's decimals."""

    step: int
    low: int
    high: int
    exponent: int

    def down(self, micro: int) -> int:
        """Where an amount lies."""
        return TOP + HEIGHT - HEIGHT * (micro - self.low) // max(self.high - self.low, 1)


_Bar = tuple[str, int, int, str]
"""What it is, where it begins and ends in micro-units, its colour."""


def waterfall(day: PoolDay, exponent: int) -> str:
    """The picture. `exponent` is the number of decimals of the pool's currency."""
    bars = _bars(day)
    low, high = _reach(bars)
    frame = _Frame((WIDTH - 2 * LEFT) // len(bars), low, high, exponent)
    drawn = "".join(_bar(one, nth, frame) for nth, one in enumerate(bars))
    height = TOP + HEIGHT + FOOT
    ways = "events and ledger" if day.model is None else "events, ledger and read model"
    verdict = f"{ways} agree" if day.holds else "the ways do not agree: see the breaks"
    title = f"{day.pool} on {day.day.isoformat()}, {day.currency}"
    base = frame.down(low)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        f'<text x="{LEFT}" y="26" font-size="16" font-weight="bold">{escape(title)}</text>\n'
        f'<text x="{LEFT}" y="46" fill="{"#666" if day.holds else DOWN}">meter, reserve and overflow; {verdict}; '
        f"the scale begins at {_money(low, exponent)}</text>\n"
        f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - LEFT}" y2="{base}" stroke="#bbb"/>\n'
        f"{drawn}</svg>\n"
    )


def _bars(day: PoolDay) -> list[_Bar]:
    at = day.opening_micro
    bars: list[_Bar] = [("opening", 0, at, WHOLE)]
    for term in Term:
        micro = day.terms.get(term, 0)
        if micro:
            bars.append((LABELS[term], at, at + micro, UP if micro > 0 else DOWN))
            at += micro
    return [*bars, ("closing", 0, day.closing_micro, WHOLE)]


def _reach(bars: list[_Bar]) -> tuple[int, int]:
    """The scale: from zero, or from just below the lowest bar's end where all the change is far above zero."""
    ends = [end for _, _, end, _ in bars]
    low, high = min(ends), max(ends)
    spread = max(high - low, 1)
    floor = max(low - spread // 4, 0) if low > 2 * spread else min(low, 0)
    return floor, max(high, floor + 1)


def _bar(bar: _Bar, nth: int, frame: _Frame) -> str:
    title, begin, end, colour = bar
    whole, step = colour == WHOLE, frame.step
    x, width = LEFT + nth * step + step // 8, step * 3 // 4
    top, bottom = sorted((frame.down(end), frame.down(frame.low if whole else begin)))
    middle = x + width // 2
    value = _money(end if whole else end - begin, frame.exponent, signed=not whole)
    link = LEFT + (nth + 1) * step + step // 8
    level = frame.down(end)
    joined = (
        f'<line x1="{x + width}" y1="{level}" x2="{link}" y2="{level}" stroke="#999" stroke-dasharray="3 3"/>\n'
        if title != "closing"
        else ""
    )
    return (
        f'<rect x="{x}" y="{top}" width="{width}" height="{max(bottom - top, LEAST)}" fill="{colour}"/>\n{joined}'
        f'<text x="{middle}" y="{top - 7}" text-anchor="middle">{value}</text>\n'
        f'<text x="{middle}" y="{TOP + HEIGHT + 22}" text-anchor="middle" fill="#444">{escape(title)}</text>\n'
    )


def _money(micro: int, exponent: int, *, signed: bool = False) -> str:
    """The amount in units of the currency; beyond its decimals only as far as there is something."""
    text = decimal_text(micro, exponent + 6)
    whole, _, decimals = text.partition(".")
    kept = decimals[:exponent] + decimals[exponent:].rstrip("0")
    shown = f"{whole}.{kept}" if kept else whole
    return f"+{shown}" if signed and micro > 0 else shown
