"""The four games as a casino sets them up: pools, tables, and what a player may put on them. Amounts: minor units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set as its page describes it. `side_price` is None where the side wager has no fixed price."""

    name: str
    ruleset: str
    seats: int | None
    side: str
    side_price: int | None
    raises_to_minimum: bool = False
    right_to_left: bool = False

    @property
    def is_shared(self) -> bool:
        """One hand for all players."""
        return self.seats is None


LIVE: Final = Game("live", "live-5plus1-v1", None, "five_plus_one", None)
EURO: Final = Game("euro", "euro-progressive-v1", 4, "progressive", 50, right_to_left=True)
DOLLAR: Final = Game("dollar", "dollar-jackpot-v1", 5, "progressive", 100, raises_to_minimum=True)
LAND: Final = Game("land", "land-progressive-v1", 7, "progressive", 100)
GAMES: Final = (LIVE, EURO, DOLLAR, LAND)


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """A pool to open. The two floors are what the page guarantees for a royal and for a straight flush."""

    name: str
    game: Game
    currency: str
    seed: int
    reset: int
    increment_rate: str
    reserve_rate: str = "0"
    royal_floor: int = 0
    straight_flush_floor: int = 0


POOLS: Final = (
    PoolPlan("euro", EURO, "EUR", 2_500_000, 2_500_000, "0.40", "0.05"),
    PoolPlan("dollar", DOLLAR, "USD", 10_000_000, 10_000_000, "0.30", "0", 10_000_000, 1_000_000),
    PoolPlan("land", LAND, "USD", 150_000, 100_000, "0.70", "0.10"),
)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to open. `regulars` are how many of its currency's players come to it, `joining` how many at once.

    A table of scripted rounds takes its cards from a feed and its players from another table of the game.
    """

    name: str
    game: Game
    currency: str
    ante_min: int
    ante_max: int
    chip: int
    regulars: int = 0
    joining: tuple[int, int] = (0, 0)
    scripted: bool = False


TABLES: Final = (
    TablePlan("live-1", LIVE, "EUR", 100, 20_000, 100, 30, (20, 30)),
    TablePlan("live-2", LIVE, "USD", 500, 50_000, 500, 10, (4, 10)),
    TablePlan("euro-1", EURO, "EUR", 50, 1_000, 10, 5, (2, 4)),
    TablePlan("euro-2", EURO, "EUR", 1_000, 10_000, 100, 5, (2, 4)),
    TablePlan("dollar-1", DOLLAR, "USD", 500, 30_000, 100, 6, (2, 5)),
    TablePlan("dollar-2", DOLLAR, "USD", 500, 30_000, 100, 6, (2, 5)),
    TablePlan("land-1", LAND, "USD", 500, 10_000, 100, 9, (3, 7)),
    TablePlan("land-2", LAND, "USD", 1_000, 25_000, 500, 9, (3, 7)),
    TablePlan("euro-feed", EURO, "EUR", 50, 1_000, 10, scripted=True),
    TablePlan("dollar-feed", DOLLAR, "USD", 500, 30_000, 100, scripted=True),
    TablePlan("land-feed", LAND, "USD", 500, 10_000, 100, scripted=True),
)

PLAYERS_PER_CURRENCY: Final = 40
CURRENCIES: Final = ("EUR", "USD")
