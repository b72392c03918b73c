"""The ratios against their bars and aims, as an SVG document drawn by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from api.bench.report import shown, verdict

WIDTH: Final = 880
ROW: Final = 34
TOP: Final = 56
LEFT: Final = 300
SPAN: Final = 380
DECADES: Final = (0.1, 10.0)
"""The scale: the value as a multiple of its bar, from a tenth to ten times; better is always to the right."""

_COLOURS: Final = {"aim reached": "#0b6e4f", "reached": "#2b4c9b", "MISSED": "#b3261e"}


def plot(result: Mapping[str, Any]) -> str:
    """One bar for each ratio; the line is what must be reached, the diamond what is aimed at."""
    ratios = list(result["ratios"].values())
    height = TOP + ROW * len(ratios) + 40
    rows = "".join(_row(one, TOP + ROW * nth) for nth, one in enumerate(ratios))
    end = TOP + ROW * len(ratios)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n'
        "<title>studbook bench: ratios against their bars</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        f'<text x="20" y="24" font-size="15" font-weight="bold">Ratios as multiples of their bars</text>\n'
        f'<text x="20" y="42" fill="#666">line: the bar; diamond: the aim; better is to the right</text>\n'
        f"{rows}"
        f'<line x1="{_across(1)}" y1="{TOP - 6}" x2="{_across(1)}" y2="{end}" stroke="#222"/>\n'
        f"{_scale((0.1, 0.2, 0.5, 1, 2, 5, 10), end)}</svg>\n"
    )


def _row(one: Mapping[str, Any], top: int) -> str:
    middle = top + ROW // 2
    reached, aim = times(one, one["value"]), times(one, one["aim"])
    word = verdict(one)
    x, at = _across(reached), _across(aim)
    text = f"{shown(one['value'])} (bar {one['bar']:g}, aim {one['aim']:g})"
    return (
        f'<text x="20" y="{middle + 4}">{escape(one["title"])}</text>\n'
        f'<rect x="{LEFT}" y="{middle - 8}" width="{max(x - LEFT, 1)}" height="16" fill="{_COLOURS[word]}"/>\n'
        f'<path d="M{at} {middle - 7}l6 7l-6 7l-6 -7z" fill="#fff" stroke="#222"/>\n'
        f'<text x="{LEFT + SPAN + 10}" y="{middle + 4}">{escape(text)}</text>\n'
    )


def times(one: Mapping[str, Any], value: float) -> float:
    """How many times as good as the bar a value is."""
    value = max(float(value), 1e-9)
    return float(one["bar"]) / value if one["at_most"] else value / float(one["bar"])


def _across(multiple: float) -> int:
    low, high = (math.log(one) for one in DECADES)
    place = min(max(math.log(multiple), low), high)
    return LEFT + round(SPAN * (place - low) / (high - low))


def _scale(marks: Sequence[float], end: int) -> str:
    return "".join(
        f'<text x="{_across(one)}" y="{end + 18}" text-anchor="middle" fill="#666">{one:g}</text>\n' for one in marks
    )
