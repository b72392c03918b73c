"""The four rule sets as their pages give them, row by row, for the second settlement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.second_settlement.ranking import FLUSH, FULL, QUADS, ROYAL, STRAIGHT, STRAIGHT_FLUSH, TRIPS


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set as its page gives it. Odds are "to 1", by hand from high card to royal flush; `price` and prizes of
    the progressive wager are minor units.
    """

    call: tuple[int, ...]
    up_card: int = 4
    price: int = 0
    unqualified: Mapping[int, int] | None = None
    side: Mapping[int, int] | None = None
    fixed: Mapping[int, int] | None = None
    ten_percent: bool = False
    floors: Mapping[int, int] | None = None
    bets_pairs_late: bool = False
    last_seat_first: bool = False


GAMES: Final[Mapping[str, Game]] = {
    "live-5plus1-v1": Game(  # S0-05, S0-20, S0-21
        call=(1, 1, 2, 3, 5, 7, 10, 25, 50, 100),
        up_card=0,
        side={TRIPS: 7, STRAIGHT: 10, FLUSH: 15, FULL: 20, QUADS: 100, STRAIGHT_FLUSH: 200, ROYAL: 1000},
    ),
    "euro-progressive-v1": Game(  # S2-14, S2-13, S2-05, S2-21, S2-10, S2-20
        call=(1, 1, 2, 3, 4, 6, 10, 20, 50, 200),
        price=50,
        unqualified={FULL: 3, QUADS: 5, STRAIGHT_FLUSH: 25, ROYAL: 100},
        fixed={TRIPS: 200, STRAIGHT: 300, FLUSH: 1500, FULL: 2500, QUADS: 25_000, STRAIGHT_FLUSH: 125_000},
        bets_pairs_late=True,
        last_seat_first=True,
    ),
    "dollar-jackpot-v1": Game(  # S3-15, S3-09, S3-18
        call=(1, 1, 2, 3, 4, 5, 7, 20, 50, 200),
        price=100,
        fixed={FLUSH: 5_000, FULL: 10_000, QUADS: 50_000},
        ten_percent=True,
        floors={STRAIGHT_FLUSH: 1_000_000, ROYAL: 10_000_000},
    ),
    "land-progressive-v1": Game(  # S4-05, S4-06, S4-07
        call=(1, 1, 2, 3, 4, 5, 7, 20, 50, 100),
        price=100,
        fixed={FLUSH: 5_000, FULL: 7_500, QUADS: 10_000},
        ten_percent=True,
    ),
}
