"""What a rule set returns under optimal play: exact fractions from counts of deals.

The counts are whole numbers (`services.certificates` has them, `adapters.enumeration` makes them); the pay tables are
those of the second settlement, which was written from the games' pages alone. A figure is of one player at one seat:
the cards of other seats are unknown to the player and change no figure's mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Final

from domain.frozen import dataclass
from domain.second_settlement import GAMES, HANDS, Game

OUTCOMES: Final = ("FOLD", "DEALER_NOT_QUALIFIED", "WIN", "PUSH", "LOSE")
HANDS_OF_FIVE: Final = comb(52, 5)
WITH_UP_CARD: Final = HANDS_OF_FIVE * 47
DEALS: Final = WITH_UP_CARD * comb(46, 4)
ROYAL, STRAIGHT_FLUSH = HANDS.index("ROYAL_FLUSH"), HANDS.index("STRAIGHT_FLUSH")


@dataclass(frozen=True, slots=True)
class Counts:
    """Deals under optimal play by hand (from high card to royal flush) and outcome (OUTCOMES), DEALS in all;
    `called`: of WITH_UP_CARD hands with an up-card, by hand, those with which the player calls;
    `own`: all hands of five; `best_of_six`: the best five of the player's hand and the up-card, WITH_UP_CARD in all.
    """

    main: tuple[tuple[int, ...], ...]
    called: tuple[int, ...]
    own: tuple[int, ...]
    best_of_six: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Theory:
    """One wager of stake 1 returns X, its stake included where that returns: `rtp` is X's mean, exact as `variance`.

    A wager of stake s returns s x rtp on average, with the variance s x s x variance. MAIN is ante and call of one
    seat, of which X is what returns beyond the call's stake, per ante; `stake_mean` is what it stakes, in antes.
    """

    kind: str
    rtp: Fraction
    variance: Fraction
    stake_mean: Fraction = Fraction(1)


def main_wagers(ruleset: str, counts: Counts) -> dict[str, Theory]:
    """ANTE (a fold returns nothing), CALL (given that the player called) and MAIN (S0-16 to S0-19 and their like)."""
    rows = [
        (deals, *returned(GAMES[ruleset], hand, outcome))
        for hand, row in enumerate(counts.main)
        for outcome, deals in zip(OUTCOMES, row, strict=True)
    ]
    whole = [(deals, Fraction(ante + call - (2 if called else 0))) for deals, ante, call, called in rows]
    played = sum(deals for deals, _, _, called in rows if called)
    return {
        "ANTE": _theory("ANTE", [(deals, Fraction(ante)) for deals, ante, _, _ in rows]),
        "CALL": _theory("CALL", [(deals, Fraction(call, 2)) for deals, _, call, called in rows if called]),
        "MAIN": _theory("MAIN", whole, 1 + Fraction(2 * played, DEALS)),
    }


def returned(game: Game, hand: int, outcome: str) -> tuple[int, int, bool]:
    """What an ante of 1 and its call of 2 return in antes, and whether there was a call."""
    match outcome:
        case "FOLD":
            return 0, 0, False
        case "DEALER_NOT_QUALIFIED":
            return 2, 2 * (1 + (game.unqualified or {}).get(hand, 0)), True
        case "WIN":
            return 2, 2 * (1 + game.call[hand]), True
        case "PUSH":
            return 1, 2, True
        case "LOSE":
            return 0, 0, True
        case _:
            raise ValueError(f"outcome: {outcome!r}")


def side_wager(ruleset: str, counts: Counts) -> Theory | None:
    """The 5+1 BONUS (S0-08, S0-21); None where there is none."""
    odds = GAMES[ruleset].side
    if odds is None:
        return None
    rows = [(deals, Fraction(odds[hand] + 1 if hand in odds else 0)) for hand, deals in enumerate(counts.best_of_six)]
    return _theory("SIDE", rows)


def progressive_wager(ruleset: str, counts: Counts, meter_minor: int = 0) -> Theory | None:
    """The progressive wager of a player who is paid alone, at a meter of so many whole minor units; None where there
    is none. At 0 only fixed prizes and floors count: the lowest that any parameters can give.
    """
    game = GAMES[ruleset]
    if not game.fixed:
        return None
    rows = [(deals, Fraction(prize(game, hand, meter_minor), game.price)) for hand, deals in enumerate(counts.own)]
    return _theory("PROGRESSIVE", rows)


def prize(game: Game, hand: int, meter_minor: int) -> int:
    """What a hand wins from a pool that shows this meter, in minor units (S2-21, S3-18, S4-07, C21)."""
    floor = (game.floors or {}).get(hand, 0)
    if hand == ROYAL:
        return max(floor, meter_minor)
    if hand == STRAIGHT_FLUSH and game.ten_percent:
        return max(floor, meter_minor // 10)
    return (game.fixed or {}).get(hand, 0)


def progressive_parts(ruleset: str, counts: Counts, meter_minor: int) -> dict[str, Fraction]:
    """The return of a progressive wager by what pays it: fixed prizes, 10 % and 100 % of the meter (or its floor)."""
    game, parts = GAMES[ruleset], {"fixed": 0, "percent_10": 0, "percent_100": 0}
    for hand, deals in enumerate(counts.own):
        percent_10 = hand == STRAIGHT_FLUSH and game.ten_percent
        name = "percent_100" if hand == ROYAL else "percent_10" if percent_10 else "fixed"
        parts[name] += deals * prize(game, hand, meter_minor)
    return {name: Fraction(amount, HANDS_OF_FIVE * game.price) for name, amount in parts.items()}


def break_even_meter(ruleset: str, counts: Counts) -> int:
    """The least meter, in minor units, at which a progressive wager by itself returns no less than its stake."""

    def returns(meter_minor: int) -> bool:
        return sum(progressive_parts(ruleset, counts, meter_minor).values()) >= 1

    return _least(returns)


def _least(holds: Callable[[int], bool]) -> int:
    """The least whole number from 0 on for which something holds that holds for all larger ones."""
    high = 1
    while not holds(high):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _theory(kind: str, rows: Iterable[tuple[int, Fraction]], stake_mean: Fraction = Fraction(1)) -> Theory:
    """Mean and variance of a value by how many deals have it."""
    by_value: dict[Fraction, int] = {}
    for deals, value in rows:
        by_value[value] = by_value.get(value, 0) + deals
    total = sum(by_value.values())
    mean = sum((deals * value for value, deals in by_value.items()), Fraction(0)) / total
    square = sum((deals * value * value for value, deals in by_value.items()), Fraction(0)) / total
    return Theory(kind, mean, square - mean * mean, stake_mean)


def theories(ruleset: str, counts: Counts, meter_minor: int = 0) -> Mapping[str, Theory]:
    """All wagers of a rule set: ANTE, CALL, MAIN, and SIDE or PROGRESSIVE."""
    found = main_wagers(ruleset, counts)
    for one in (side_wager(ruleset, counts), progressive_wager(ruleset, counts, meter_minor)):
        if one is not None:
            found[one.kind] = one
    return found
