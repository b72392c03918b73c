"""What the players choose: numbers that follow from a seed, so that a demo can be played again.

They decide stakes, seats and who joins. No card ever depends on them: cards come from the service's shoe.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A row of choices of its own for each name below the same seed."""

    def __init__(self, seed: int, *names: str) -> None:
        self._start = "/".join((str(seed), *names)).encode()
        self._made = 0

    def below(self, end: int) -> int:
        """A number from 0 up to `end`, which is not reached."""
        self._made += 1
        return int.from_bytes(sha256(self._start + self._made.to_bytes(8, "big")).digest(), "big") % end

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both possible."""
        return least + self.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.below(100) < percent

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def some_of(self, options: Sequence[T], count: int) -> list[T]:
        """So many different ones of the options, in an order of chance."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
