"""Drawing by hand: the few shapes that plots are made of, as text of SVG documents. Whole numbers, no library.

A document has a title and a description for who cannot see it, and says nothing by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

INK: Final = "#222"
FAINT: Final = "#666"
RULE: Final = "#ddd"
COLOURS: Final = ("#0b6e4f", "#8a3b12", "#2b4c9b")

Point = tuple[int, int]


def document(width: int, height: int, title: str, about: str, body: str) -> str:
    """An SVG document on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title about" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">\n'
        f'<title id="title">{escape(title)}</title>\n<desc id="about">{escape(about)}</desc>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{body}</svg>\n'
    )


def words(at: Point, text: str, *, anchor: str = "start", size: int = 12, bold: bool = False, fill: str = INK) -> str:
    """A line of text; `at` is on its base line."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{at[0]}" y="{at[1]}" text-anchor="{anchor}" font-size="{size}"{weight} fill="{fill}">'
        f"{escape(text)}</text>\n"
    )


def rule(start: Point, end: Point, *, colour: str = RULE, width: int = 1, dashed: bool = False) -> str:
    """A straight line."""
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<line x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}" stroke="{colour}" '
        f'stroke-width="{width}"{dashes}/>\n'
    )


def box(at: Point, width: int, height: int, *, fill: str, edge: str = "none", about: str = "") -> str:
    """A rectangle; `about` is shown where a pointer rests on it."""
    said = f"><title>{escape(about)}</title></rect>" if about else "/>"
    return (
        f'<rect x="{at[0]}" y="{at[1]}" width="{max(width, 0)}" height="{max(height, 0)}" fill="{fill}" '
        f'stroke="{edge}"{said}\n'
    )


def diamond(at: Point, size: int, *, fill: str, about: str = "") -> str:
    """A diamond around a point."""
    said = f"><title>{escape(about)}</title></path>" if about else "/>"
    x, y = at
    return (
        f'<path d="M{x} {y - size}l{size} {size}l-{size} {size}l-{size} -{size}z" fill="{fill}" stroke="{INK}"{said}\n'
    )


def steps(points: Sequence[Point], colour: str) -> str:
    """What stays until it moves: across, then up or down."""
    x, y = points[0]
    path = f"M{x} {y}" + "".join(f"H{x}V{y}" for x, y in points[1:])
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-linejoin="round"/>\n'


def scaled(value: int, low: int, high: int, start: int, end: int) -> int:
    """Where a value lies between `start` and `end` when `low` to `high` is drawn there."""
    return start + (end - start) * (value - low) // max(high - low, 1)


def thinned(points: Sequence[Point]) -> list[Point]:
    """Of points that share their x the first, the lowest, the highest and the last: what a line needs, and no more."""
    found: list[Point] = []
    column: list[Point] = []
    for point in [*points, None]:
        if point is not None and (not column or column[0][0] == point[0]):
            column.append(point)
            continue
        lowest, highest = min(column, key=lambda one: one[1]), max(column, key=lambda one: one[1])
        for one in (column[0], lowest, highest, column[-1]):
            if not found or found[-1] != one:
                found.append(one)
        column = [] if point is None else [point]
    return found
