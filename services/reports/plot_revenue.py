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
PANEL: Final = 280
HANDLE: Final = 90
GGR: Final = 90
WIDEST: Final = 60
LABELLED: Final = 12
"""Up to so many days each has its figures written out; beyond that every nth day is named."""


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
    low, high = min(0, *(one.ggr_minor for one in days), 0), max(0, *(one.ggr_minor for one in days), 0)
    ggr_top, ggr_floor = floor + 34, floor + 34 + GGR
    zero = scaled(0, low, high, ggr_floor, ggr_top)
    most = max(1, *(one.handle_minor for one in days), 1)
    bars = []
    step = (RIGHT - LEFT) // len(days) if len(days) < RIGHT - LEFT else 1
    width = max(min(step - 4, WIDEST), 1)
    for nth, one in enumerate(days):
        x = LEFT + (RIGHT - LEFT) * nth // len(days)
        tall = max(scaled(one.handle_minor, 0, most, 0, HANDLE), 0)
        end = scaled(one.ggr_minor, low, high, ggr_floor, ggr_top)
        handle, ggr = decimal_text(one.handle_minor, exponent), decimal_text(one.ggr_minor, exponent)
        bars.append(box((x, floor - tall), width, tall, fill="#fff", edge=INK, about=f"{one.day}: handle {handle}"))
        bars.append(
            box((x, min(end, zero)), width, abs(end - zero), fill=COLOURS[0], edge=INK, about=f"{one.day}: GGR {ggr}")
        )
        if nth % (1 + (len(days) - 1) // LABELLED) == 0:
            middle = x + width // 2
            bars.append(words((middle, ggr_floor + 18), one.day[5:], anchor="middle", size=11, fill=FAINT))
            bars.append(words((middle, floor - tall - 4), handle, anchor="middle", size=10))
            bars.append(words((middle, min(end, zero) - 4), ggr, anchor="middle", size=10))
    total = _Day("", sum(one.handle_minor for one in days), sum(one.ggr_minor for one in days))
    shown = f"handle {decimal_text(total.handle_minor, exponent)}, GGR {decimal_text(total.ggr_minor, exponent)}"
    return (
        words((20, top), currency, size=14, bold=True)
        + words((RIGHT, top), shown, anchor="end")
        + words((20, floor - HANDLE // 2), "Handle", fill=FAINT)
        + words((20, ggr_top + GGR // 2), "GGR", fill=FAINT)
        + rule((LEFT, floor), (RIGHT, floor), colour=INK)
        + rule((LEFT, zero), (RIGHT, zero), colour=INK)
        + "".join(bars)
    )
