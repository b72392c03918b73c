"""The heat map of position x card as an SVG document drawn by hand: how far each count is from what is expected."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from domain.cards import DECK
from domain.fairness.tally import PLACES, SIZE

CELL: Final = 14
LEFT: Final = 64
TOP: Final = 84
EDGES: Final = (-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0)
"""Standard deviations at which the colour changes."""
COLOURS: Final = ("#08306b", "#2166ac", "#67a9cf", "#d1e5f0", "#f7f7f7", "#fddbc7", "#ef8a62", "#b2182b", "#67001f")


def heat_map(positions: Sequence[Sequence[int]], decks: int) -> str:
    """One square for each place (down) and card (across), coloured by standard deviations from the mean."""
    width, height = LEFT + SIZE * CELL + 24, TOP + SIZE * CELL + 70
    squares: defaultdict[int, list[str]] = defaultdict(list)
    spread = math.sqrt(decks * PLACES) / SIZE
    for place, row in enumerate(positions):
        for card, found in enumerate(row):
            colour = sum((found - decks / SIZE) / spread > edge for edge in EDGES)
            squares[colour].append(f"M{LEFT + card * CELL} {TOP + place * CELL}h{CELL}v{CELL}h-{CELL}z")
    paths = "".join(f'<path fill="{COLOURS[one]}" d="{"".join(squares[one])}"/>\n' for one in sorted(squares))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="10" fill="#222">\n'
        f"<title>studbook fairness: position x card over {decks} shuffles</title>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text x="20" y="26" font-size="15" font-weight="bold">Position x card over {decks:,} shuffles</text>\n'
        f'<text x="20" y="46" font-size="12" fill="#666">each square: how often a card lay at a place, as standard '
        f"deviations from {decks / SIZE:,.1f}</text>\n"
        f"{_names()}{paths}{_key(TOP + SIZE * CELL + 24)}</svg>\n"
    )


def _names() -> str:
    cards = "".join(
        f'<text x="{LEFT + nth * CELL + CELL // 2}" y="{TOP - 6}" text-anchor="middle" font-size="8">{card}</text>\n'
        for nth, card in enumerate(DECK)
    )
    places = "".join(
        f'<text x="{LEFT - 8}" y="{TOP + nth * CELL + 10}" text-anchor="end">{nth}</text>\n'
        for nth in range(0, SIZE, 4)
    )
    middle = TOP + SIZE * CELL // 2
    turned = f'<text transform="translate(22 {middle}) rotate(-90)" text-anchor="middle">index in the deck</text>\n'
    return cards + places + turned


def _key(top: int) -> str:
    words = (f"below {EDGES[0]:g}", *(f"to {edge:g}" for edge in EDGES[1:]), f"above {EDGES[-1]:g}")
    return "".join(
        f'<rect x="{LEFT + nth * 80}" y="{top}" width="{CELL}" height="{CELL}" fill="{colour}" stroke="#999"/>'
        f'<text x="{LEFT + nth * 80 + CELL + 6}" y="{top + 11}">{word}</text>\n'
        for nth, (colour, word) in enumerate(zip(COLOURS, words, strict=True))
    )
