"""Handle and GGR of each gaming day: two rows of bars, each day's figures beneath them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from services.drawing import COLOURS, FAINT, INK, box, document, rule, scaled, words
from services.reports.columns import number
from services.reports.daily_revenue import DAYS
from services.reports.printing import NOTHING, Exponents, decimal_text
from services.reports.tables import Printed

WIDTH: Final = 860
LEFT: Final = 90
RIGHT: Final = 840
TOP: Final = 74
PANEL: Final = 290
HANDLE: Final = 90
GGR: Final = 90
WIDEST: Final = 60
LABELLED: Final = 12
"""Up to so many days each has its figures written out; beyond that every nth day is named, and the largest figures."""


class _Day(NamedTuple):
    day: str
    handle_minor: int
    ggr_minor: int


def revenue_plot(printed: Printed, exponents: Exponents) -> str:
    """The report `daily-revenue` as a picture."""
    found: defaultdict[str, list[_Day]] = defaultdict(list)
    for row in printed.table(DAYS).objects():
        day = _Day(str(row["day"]), number(row, "handle_minor"), number(row, "ggr_minor"))
        found[str(row["currency"])].append(day)
    title = f"Handle and GGR of {printed.scope.operator} by gaming day"
    if not found:
        return document(WIDTH, TOP + 20, title, NOTHING, words((20, TOP), f"{title}: {NOTHING}"))
    head = words((20, 22), title, size=15, bold=True) + words(
        (20, 40),
        f"upper bars: handle; lower bars: GGR, below the line a loss; days of {printed.scope.zone.key}",
        fill=FAINT,
    )
    panels = "".join(
        _panel(TOP + nth * PANEL, currency, days, exponents[currency])
        for nth, (currency, days) in enumerate(sorted(found.items()))
    )
    about = "; ".join(f"{currency}: {len(days)} days" for currency, days in sorted(found.items()))
    return document(WIDTH, TOP + PANEL * len(found), title, about, head + panels)


def _panel(top: int, currency: str, days: Sequence[_Day], exponent: int) -> str:
    floor = top + 20 + HANDLE
    end = floor + 34 + GGR
    low, high = min(0, *(one.ggr_minor for one in days), 0), max(0, *(one.ggr_minor for one in days), 0)
    zero = scaled(0, low, high, end, end - GGR)
    total = _Day("", sum(one.handle_minor for one in days), sum(one.ggr_minor for one in days))
    shown = f"handle {decimal_text(total.handle_minor, exponent)}, GGR {decimal_text(total.ggr_minor, exponent)}"
    return (
        words((20, top), currency, size=14, bold=True)
        + words((RIGHT, top), shown, anchor="end")
        + words((20, floor - HANDLE // 2), "Handle", fill=FAINT)
        + words((20, end - GGR // 2), "GGR", fill=FAINT)
        + rule((LEFT, floor), (RIGHT, floor), colour=INK)
        + rule((LEFT, zero), (RIGHT, zero), colour=INK)
        + "".join(_handle(nth, days, floor, exponent) for nth in range(len(days)))
        + "".join(_ggr(nth, days, (low, high, end), exponent) for nth in range(len(days)))
    )


def _handle(nth: int, days: Sequence[_Day], floor: int, exponent: int) -> str:
    """A day's handle; of many days the largest alone has its figure written out, the others tell it by their tips."""
    one, most = days[nth], max(day.handle_minor for day in days)
    tall, text = max(scaled(one.handle_minor, 0, most, 0, HANDLE), 0), decimal_text(one.handle_minor, exponent)
    x, width = _place(nth, len(days))
    drawn = box((x, floor - tall), width, tall, fill="#fff", edge=INK, about=f"{one.day}: handle {text}")
    if len(days) <= LABELLED or one.handle_minor == most:
        drawn += words((x + width // 2, floor - tall - 4), text, anchor="middle", size=10)
    return drawn


def _ggr(nth: int, days: Sequence[_Day], scale: tuple[int, int, int], exponent: int) -> str:
    """A day's revenue from the line of zero up or down; of many days the best and the worst have their figures."""
    low, high, end = scale
    one, text = days[nth], decimal_text(days[nth].ggr_minor, exponent)
    zero, edge = (scaled(minor, low, high, end, end - GGR) for minor in (0, one.ggr_minor))
    x, width = _place(nth, len(days))
    drawn = box(
        (x, min(edge, zero)), width, abs(edge - zero), fill=COLOURS[0], edge=INK, about=f"{one.day}: GGR {text}"
    )
    if len(days) <= LABELLED or one.ggr_minor in {low, high}:
        beside = edge - 4 if one.ggr_minor >= 0 else edge + 12
        drawn += words((x + width // 2, beside), text, anchor="middle", size=10)
    if nth % (1 + (len(days) - 1) // LABELLED) == 0:
        drawn += words((x + width // 2, end + 30), one.day[5:], anchor="middle", size=11, fill=FAINT)
    return drawn


def _place(nth: int, count: int) -> tuple[int, int]:
    """Where a day's bar begins, and how wide it is."""
    width = max(min((RIGHT - LEFT) // count - 4, WIDEST), 1)
    return LEFT + (RIGHT - LEFT) * nth // count, width
