"""`studbook settle` and the second settlement give the same answer to any line, to the byte."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.second_settlement import answer
from services.calculator import answer_line

RANKS: Final = "A23456789TJQKA"
DECK: Final = [rank + suit for rank in RANKS[1:] for suit in "cdhs"]
RUNS: Final = [list(RANKS[low : low + 5]) for low in range(10)]
"""The ranks of all straights."""
SEATS: Final = {"live-5plus1-v1": 4, "euro-progressive-v1": 4, "dollar-jackpot-v1": 5, "land-progressive-v1": 7}
METERS: Final = (0, 9, 10, 999, 1_000_003, 9_999_999, 12_345_678, 500_000_009)


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**64), st.sampled_from(sorted(SEATS)))
def test_any_line_is_answered_twice_alike(seed: int, ruleset: str) -> None:
    row = Dealt(Random(seed), ruleset).row()
    first = json.loads(answer_line(json.dumps(row).encode()).line)
    assert first == answer(row)


class Dealt:
    """A round in which strong hands, ties and borders are no rarity."""

    def __init__(self, random: Random, ruleset: str) -> None:
        self.random, self.ruleset = random, ruleset
        self.free = random.sample(DECK, len(DECK))
        self.strong = random.choice((0.0, 0.3, 0.9))
        self.last = self.free[:5]

    def row(self) -> dict[str, Any]:
        random = self.random
        dealer = self._border() if random.random() < 0.3 else self._hand()
        shared = self._hand() if self.ruleset == "live-5plus1-v1" else None
        seats = [self._seat(shared or self._hand()) for _ in range(random.randint(1, SEATS[self.ruleset]))]
        row: dict[str, Any] = {"id": "x", "ruleset": self.ruleset, "dealer": dealer}
        row |= seats[0] if len(seats) == 1 else {"seats": seats}
        if any("progressive" in one["side"] for one in seats):
            row |= {"meter": random.choice(METERS), "reset": random.choice(METERS)}
        return row

    def _seat(self, cards: list[str]) -> dict[str, Any]:
        random = self.random
        side = ("five_plus_one", random.choice((1, 50, 777)))
        if self.ruleset != "live-5plus1-v1":
            side = ("progressive", 50 if self.ruleset == "euro-progressive-v1" else 100)
        return {
            "player": cards,
            "ante": random.choice((1, 50, 333, 30_000, 10**9)),
            "side": dict([side]) if random.random() < 0.8 else {},
            "decision": random.choice(("call", "call", "fold", "timeout")),
        }

    def _border(self) -> list[str]:
        """Ace and king or queen, and three below."""
        tops = ["A", self.random.choice("KQ"), *self.random.sample("23456789TJ", 3)]
        return self._taken([next(card for card in self.free if card[0] == top) for top in tops])

    def _hand(self) -> list[str]:
        """Five cards; a strong hand, or one with the ranks of the hand before, now and then."""
        random = self.random
        wanted = self.free[:5]
        if random.random() < self.strong:
            ranks = random.choice((random.choice(RUNS), self.last, random.sample(self.free, 2), self.free[:3]))
            suits = random.choice(("c", "d", "h", "s", "cdhs", "cdhs"))
            close = [card for card in self.free if card[0] in {one[0] for one in ranks} and card[1] in suits]
            each = list({card[0]: card for card in close}.values()) if len(ranks) == 5 else close
            wanted = [*each, *(card for card in self.free if card not in each and card[1] in suits)][:5]
        self.last = self._taken(wanted)
        return self.last

    def _taken(self, cards: list[str]) -> list[str]:
        cards = [*cards, *(card for card in self.free if card not in cards)][:5]
        self.free = [card for card in self.free if card not in cards]
        return self.random.sample(cards, 5)
