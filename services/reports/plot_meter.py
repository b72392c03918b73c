"""The meter of each pool over a time: its course as steps, awards as diamonds, contributions as bars below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.money import MICRO
from services.drawing import COLOURS, FAINT, INK, box, diamond, document, rule, scaled, steps, thinned, words
from services.reports.columns import number
from services.reports.jackpot_history import COURSE
from services.reports.printing import NOTHING, Exponents, decimal_text
from services.reports.scope import Scope
from services.reports.tables import Cell, Printed

WIDTH: Final = 860
LEFT: Final = 20
RIGHT: Final = 840
PANEL: Final = 280
TOP: Final = 64
HEIGHT: Final = 100
LANES: Final = 3
"""Lines above the meter on which awards are named."""
LANE: Final = 14
LETTER: Final = 6
"""About how wide a letter of them is."""
BARS: Final = 40
"""Height of the bars of contributions."""
BINS: Final = 48
LABELS: Final = 8
"""How many awards of a pool are named, the largest for which there is room; all are drawn and told by their tips."""

CONTRIBUTED: Final = "jackpot.contributed"
OPENED: Final = "jackpot.opened"


class _Step(NamedTuple):
    at: datetime
    event: str
    category: str
    prize_minor: int
    moved_micro: int
    meter_micro: int


class _Frame(NamedTuple):
    """From when to when, and in which zone the times are written."""

    begin: datetime
    end: datetime
    zone: ZoneInfo

    def across(self, at: datetime) -> int:
        """Where a time lies."""
        return scaled(_micros(at - self.begin), 0, _micros(self.end - self.begin), LEFT, RIGHT)


def meter_plot(printed: Printed, exponents: Exponents) -> str:
    """The report `jackpot-history` as a picture."""
    pools: defaultdict[tuple[str, str], list[_Step]] = defaultdict(list)
    for row in printed.table(COURSE).objects():
        pools[str(row["currency"]), str(row["jackpot"])].append(_step(row))
    names = ", ".join(pool for _, pool in pools)
    title = f"Meters of {printed.scope.operator}"
    if not pools:
        return document(WIDTH, TOP + 20, title, NOTHING, words((LEFT, TOP), f"{title}: {NOTHING}"))
    frame = _frame(printed.scope, [one for found in pools.values() for one in found])
    panels = "".join(
        _panel(nth, key, found, frame, exponents[key[0]]) for nth, (key, found) in enumerate(sorted(pools.items()))
    )
    about = f"A panel for each pool: {names}. Line: the meter. Diamonds: awards. Bars: contributions."
    head = words((LEFT, 22), title, size=15, bold=True) + words(
        (LEFT, 40), "line: the meter; diamonds: awards; bars: contributions", fill=FAINT
    )
    return document(WIDTH, TOP + PANEL * len(pools), title, about, head + panels)


def _step(row: dict[str, Cell]) -> _Step:
    return _Step(
        datetime.fromisoformat(str(row["at"])),
        str(row["event"]),
        str(row["category"]),
        number(row, "prize_minor"),
        number(row, "moved_micro"),
        number(row, "meter_micro"),
    )


def _frame(scope: Scope, found: Sequence[_Step]) -> _Frame:
    """The time asked about, as far as there is anything to draw."""
    begin = scope.begin or min(one.at for one in found)
    last = max(one.at for one in found)
    end = last if scope.end is None else scope.end
    return _Frame(begin.astimezone(UTC), max(end.astimezone(UTC), begin + timedelta(seconds=1)), scope.zone)


def _panel(nth: int, key: tuple[str, str], found: Sequence[_Step], frame: _Frame, exponent: int) -> str:
    currency, pool = key
    top, colour = TOP + nth * PANEL, COLOURS[nth % len(COLOURS)]
    floor = top + 34 + LANES * LANE + HEIGHT
    course = _course(found, frame)
    low, high = min(micro for _, micro in course), max(micro for _, micro in course)
    points = thinned([(frame.across(at), scaled(micro, low, high, floor, floor - HEIGHT)) for at, micro in course])
    last = f"{_whole(found[-1].meter_micro, exponent)} {currency}"
    return (
        words((LEFT, top + 12), pool, size=14, bold=True)
        + words((RIGHT, top + 12), last, anchor="end", size=14)
        + words((LEFT, top + 28), f"{_whole(low, exponent)} to {_whole(high, exponent)} {currency}", fill=FAINT)
        + rule((LEFT, floor), (RIGHT, floor))
        + steps([*points, (RIGHT, points[-1][1])], colour)
        + _awards(found, frame, (low, high, floor), exponent)
        + _contributions(found, frame, floor + 10, exponent)
        + _times(frame, floor + 10 + BARS + 16)
    )


def _course(found: Sequence[_Step], frame: _Frame) -> list[tuple[datetime, int]]:
    """When the meter stood where; it stood somewhere before the first step, unless the pool was opened with it. Of an
    instant only the end counts: nobody sees the meter empty between an award and its reset.
    """
    first = found[0]
    before = [] if first.event.startswith(OPENED) else [(frame.begin, first.meter_micro - first.moved_micro)]
    return [*before, *{one.at: one.meter_micro for one in found}.items()]


def _awards(found: Sequence[_Step], frame: _Frame, scale: tuple[int, int, int], exponent: int) -> str:
    """A diamond where the meter stood when the award was made; the largest are named, as far as there is room."""
    low, high, floor = scale
    ends: list[list[tuple[int, int]]] = [[] for _ in range(LANES)]
    drawn, named = [], 0
    for one in sorted((one for one in found if one.prize_minor), key=lambda one: -one.prize_minor):
        x = frame.across(one.at)
        stood = min(max(one.meter_micro - one.moved_micro, low), high)
        y = scaled(stood, low, high, floor, floor - HEIGHT)
        text = f"{one.category.lower().replace('_', ' ')} {decimal_text(one.prize_minor, exponent)}"
        lane = _room(ends, x, len(text) * LETTER) if named < LABELS else None
        if lane is not None:
            named += 1
            line = floor - HEIGHT - 8 - lane * LANE
            drawn += [rule((x, line + 2), (x, y)), words((x, line), text, anchor=_anchor(x), size=11)]
        drawn.append(diamond((x, y), 5, fill="#fff", about=text))
    return "".join(drawn)


def _anchor(x: int) -> str:
    return "end" if x > (LEFT + RIGHT) // 2 else "start"


def _room(ends: list[list[tuple[int, int]]], x: int, width: int) -> int | None:
    """The first line on which a text of this width has room; None where there is none."""
    start, end = (x - width, x) if _anchor(x) == "end" else (x, x + width)
    for lane, taken in enumerate(ends):
        if all(end < one or other < start for one, other in taken):
            taken.append((start - 4, end + 4))
            return lane
    return None


def _contributions(found: Sequence[_Step], frame: _Frame, top: int, exponent: int) -> str:
    """What came in, in as many bars as there is room for."""
    sums = [0] * BINS
    for one in found:
        if one.event.startswith(CONTRIBUTED):
            place = scaled(frame.across(one.at), LEFT, RIGHT + 1, 0, BINS)
            sums[min(max(place, 0), BINS - 1)] += one.moved_micro
    most, width = max(sums), (RIGHT - LEFT) // BINS
    bars = []
    for nth, micro in enumerate(sums):
        tall = scaled(micro, 0, most, 0, BARS)
        if micro:
            x = LEFT + (RIGHT - LEFT) * nth // BINS
            bars.append(box((x, top + BARS - tall), width - 2, tall, fill=FAINT, about=_whole(micro, exponent)))
    return "".join(bars) + rule((LEFT, top + BARS), (RIGHT, top + BARS), colour=INK)


def _times(frame: _Frame, y: int) -> str:
    """Five times along the axis, in the operator's zone."""
    span = frame.end - frame.begin
    form = "%Y-%m-%d" if span > timedelta(days=5) else "%d %b %H:%M" if span > timedelta(days=1) else "%H:%M"
    marks = []
    for nth in range(5):
        at = frame.begin + span * nth / 4
        anchor = "start" if nth == 0 else "end" if nth == 4 else "middle"
        marks.append(words((frame.across(at), y), f"{at.astimezone(frame.zone):{form}}", anchor=anchor, fill=FAINT))
    return "".join(marks)


def _whole(micro: int, exponent: int) -> str:
    return decimal_text(micro // MICRO, exponent)


def _micros(span: timedelta) -> int:
    return span // timedelta(microseconds=1)
