"""RTP against theory: for each wager its 99 % band, the theory in the middle of it, and where the return lies."""

from __future__ import annotations

from typing import Final

from services.drawing import COLOURS, FAINT, INK, box, diamond, document, rule, scaled, words
from services.reports.columns import number
from services.reports.printing import HASH, NOTHING, Exponents, decimal_text
from services.reports.rtp_control import CONTROL
from services.reports.tables import Cell, Printed

WIDTH: Final = 860
ROW: Final = 46
TOP: Final = 84
LEFT: Final = 400
RIGHT: Final = 700
WIDEST: Final = 3
"""Half-bands to either side that are drawn; what lies beyond stands at the edge, with an arrow in its words."""
BAND: Final = "#d5e8e0"
PER_MILLE: Final = 1_000


def rtp_plot(printed: Printed, exponents: Exponents) -> str:
    """The report `rtp-control` as a picture."""
    rows = printed.table(CONTROL).objects()
    title = f"RTP control of {printed.scope.operator}"
    if not rows:
        return document(WIDTH, TOP, title, NOTHING, words((20, 60), f"{title}: {NOTHING}"))
    about = "; ".join(f"{one['ruleset']} {one['wager']}: {one['verdict']}" for one in rows)
    height = TOP + ROW * len(rows) + 10
    lines = "".join(_row(one, TOP + ROW * nth, exponents) for nth, one in enumerate(rows))
    end = TOP + ROW * len(rows)
    head = (
        words((20, 22), title, size=15, bold=True)
        + words(
            (20, 40), "box: 99 % band; line: theory; diamond: actual return, white within, black outside", fill=FAINT
        )
        + words((_across(-PER_MILLE), TOP - 10), "band from", anchor="middle", size=11, fill=FAINT)
        + words((_across(0), TOP - 10), "theory", anchor="middle", size=11, fill=FAINT)
        + words((_across(PER_MILLE), TOP - 10), "to", anchor="middle", size=11, fill=FAINT)
        + rule((_across(0), TOP - 4), (_across(0), end), colour=INK)
    )
    return document(WIDTH, height, title, about, lines + head)


def _row(one: dict[str, Cell], top: int, exponents: Exponents) -> str:
    middle = top + ROW // 2
    hands = f"{number(one, 'hands'):,} hands, staked "
    staked = f"{decimal_text(number(one, 'staked_minor'), exponents[str(one['currency'])])} {one['currency']}"
    name = f"{one['ruleset']} {one['wager']}"
    return (
        words((20, middle - 3), name, bold=True)
        + words((20, middle + 13), f"{str(one['ruleset_hash'])[:HASH]}, {hands}{staked}", size=11, fill=FAINT)
        + _band(one, middle)
        + words((RIGHT + 18, middle - 3), f"{_percent(one['rtp_ppm'])} of {_percent(one['theory_ppm'])}")
        + words((RIGHT + 18, middle + 13), str(one["verdict"]), size=11, bold=one["verdict"] in {"ABOVE", "BELOW"})
        + rule((20, top + ROW), (WIDTH - 20, top + ROW))
    )


def _band(one: dict[str, Cell], middle: int) -> str:
    """The band, and the return measured in half-bands; nothing where there is no theory or no stake."""
    rtp, theory, half = one["rtp_ppm"], one["theory_ppm"], one["band_ppm"]
    if not isinstance(rtp, int) or not isinstance(theory, int) or not isinstance(half, int) or half == 0:
        return words((_across(0) + 8, middle + 4), "no band", size=11, fill=FAINT)
    start, end = _across(-PER_MILLE), _across(PER_MILLE)
    at = (rtp - theory) * PER_MILLE // half
    tip = f"{_percent(rtp)}, theory {_percent(theory)}, band {_percent(one['low_ppm'])} to {_percent(one['high_ppm'])}"
    fill = "#fff" if abs(at) <= PER_MILLE else INK
    return box((start, middle - 9), end - start, 18, fill=BAND, edge=COLOURS[0]) + diamond(
        (_across(at), middle), 7, fill=fill, about=tip
    )


def _across(mille: int) -> int:
    most = WIDEST * PER_MILLE
    return scaled(min(max(mille, -most), most), -most, most, LEFT, RIGHT)


def _percent(cell: Cell) -> str:
    """Two decimals; people compare pictures, the report has all of them."""
    return "-" if not isinstance(cell, int) else f"{decimal_text(round(cell, -2) // 100, 2)} %"
