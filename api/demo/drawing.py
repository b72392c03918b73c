"""A drawing of the meters over the log: a panel for each pool, a step for each contribution, a fall for each award."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from api.demo.books import PoolBook, Prize
from api.demo.money import meter, money
from services.drawing import COLOURS, FAINT, document, rule, scaled, steps, words

WIDTH: Final = 760
PANEL: Final = 150
LEFT: Final = 20
RIGHT: Final = 20
TOP: Final = 44
PLOT_HEIGHT: Final = 76


def drawing(pools: Sequence[PoolBook]) -> str:
    """An SVG document."""
    height = PANEL * len(pools) + 20
    last = max(pool.course[-1][0] for pool in pools)
    panels = "".join(_panel(pool, nth, last) for nth, pool in enumerate(pools))
    foot = words((LEFT, height - 8), f"from the first to the last event, position {last:,}", fill=FAINT)
    about = "; ".join(f"{one.ruleset}: {meter(one.course[-1][1])} {one.currency}" for one in pools)
    return document(WIDTH, height, f"Meters of {len(pools)} progressive pools", about, panels + foot)


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
        words((LEFT, top - 26), pool.ruleset, size=14, bold=True)
        + words(
            (WIDTH - RIGHT, top - 26), f"{meter(course[-1][1])} {pool.currency}", anchor="end", size=14, fill=colour
        )
        + words((LEFT, top - 10), f"{meter(low)} to {meter(high)}; prizes: {prizes or 'none'}", fill=FAINT)
        + rule((LEFT, floor), (WIDTH - RIGHT, floor))
        + steps(points, colour)
        + f'<circle cx="{end_x}" cy="{end_y}" r="3" fill="{colour}"/>\n'
    )


def largest(pool: PoolBook) -> list[Prize]:
    """The three largest prizes of a pool."""
    return sorted(pool.prizes, key=lambda one: one.amount, reverse=True)[:3]


def _across(position: int, last: int) -> int:
    return scaled(position, 0, last, LEFT, WIDTH - RIGHT)


def _down(micro: int, low: int, high: int, top: int) -> int:
    return scaled(micro, low, high, top + PLOT_HEIGHT, top)
