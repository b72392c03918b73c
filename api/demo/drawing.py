"""A drawing of the meters over the log: a panel for each pool, a step for each contribution, a fall for each award."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from api.demo.books import PoolBook, Prize
from api.demo.money import meter, money

WIDTH: Final = 760
PANEL: Final = 150
LEFT: Final = 20
RIGHT: Final = 20
TOP: Final = 44
PLOT_HEIGHT: Final = 76
COLOURS: Final = ("#0b6e4f", "#8a3b12", "#2b4c9b")


def drawing(pools: Sequence[PoolBook]) -> str:
    """An SVG document."""
    height = PANEL * len(pools) + 20
    last = max(pool.course[-1][0] for pool in pools)
    panels = "".join(_panel(pool, nth, last) for nth, pool in enumerate(pools))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n'
        f"<title>Meters of {len(pools)} progressive pools</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n{panels}'
        f'<text x="{LEFT}" y="{height - 8}" fill="#666">from the first to the last event, position {last:,}</text>\n'
        "</svg>\n"
    )


def _panel(pool: PoolBook, nth: int, last: int) -> str:
    top = nth * PANEL + TOP
    course = pool.course
    low, high = min(one for _, one in course), max(one for _, one in course)
    points = [(_across(position, last), _down(micro, low, high, top)) for position, micro in course]
    colour = COLOURS[nth % len(COLOURS)]
    prizes = ", ".join(f"{one.hand.lower().replace('_', ' ')} {money(one.amount)}" for one in largest(pool))
    end_x, end_y = points[-1]
    floor = top + PLOT_HEIGHT
    return (
        f'<text x="{LEFT}" y="{top - 26}" font-size="14" font-weight="bold">{pool.ruleset}</text>\n'
        f'<text x="{WIDTH - RIGHT}" y="{top - 26}" text-anchor="end" font-size="14" fill="{colour}">'
        f"{meter(course[-1][1])} {pool.currency}</text>\n"
        f'<text x="{LEFT}" y="{top - 10}" fill="#666">{meter(low)} to {meter(high)}; '
        f"prizes: {prizes or 'none'}</text>\n"
        f'<line x1="{LEFT}" y1="{floor}" x2="{WIDTH - RIGHT}" y2="{floor}" stroke="#ddd"/>\n'
        f'<path d="{_steps(points)}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-linejoin="round"/>\n'
        f'<circle cx="{end_x}" cy="{end_y}" r="3" fill="{colour}"/>\n'
    )


def largest(pool: PoolBook) -> list[Prize]:
    """The three largest prizes of a pool."""
    return sorted(pool.prizes, key=lambda one: one.amount, reverse=True)[:3]


def _across(position: int, last: int) -> int:
    return LEFT + (WIDTH - LEFT - RIGHT) * position // max(last, 1)


def _down(micro: int, low: int, high: int, top: int) -> int:
    return top + PLOT_HEIGHT - PLOT_HEIGHT * (micro - low) // max(high - low, 1)


def _steps(points: Sequence[tuple[int, int]]) -> str:
    """A meter stays where it is until it moves: across, then up or down."""
    x, y = points[0]
    return f"M{x} {y}" + "".join(f"H{x}V{y}" for x, y in points[1:])
