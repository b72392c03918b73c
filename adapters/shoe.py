"""The shoe: an unbiased shuffle of one deck from the operating system's entropy (S0-03; docs/architecture.md, Cards).

Fisher-Yates from the top: 51 choices, each uniform among the cards that are left. A byte that would favour
some of them is thrown away and another is taken (rejection sampling). Every shuffle draws its own bytes and
keeps none of them, so that no memory holds a card of the next round and no forked process repeats this one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from domain.cards import DECK
from domain.dealing import Deck
from domain.errors import Unavailable

EntropySource = Callable[[int], bytes]
"""Given a number of bytes, exactly that many bytes that nobody can foretell."""

SALT_BYTES: Final = 32
_BLOCK_BYTES: Final = 96
_MAX_BLOCKS: Final = 32
# (the highest index still to fill, the first byte value that would favour some choices)
_STEPS: Final = tuple((high, 256 - 256 % (high + 1)) for high in range(len(DECK) - 1, 0, -1))


class EntropyFailure(Unavailable):
    """The source of randomness fails or repeats itself: no card is dealt from it."""


class Shoe:
    """Shuffles. `entropy` is the operating system's generator; only tests hand in another.

    Building one draws twice: a source that fails, comes short or repeats itself raises EntropyFailure at start.
    """

    __slots__ = ("_entropy", "_last_salt")

    def __init__(self, entropy: EntropySource | None = None) -> None:
        self._entropy = os.urandom if entropy is None else entropy
        self._last_salt = b""
        self._fresh_salt()
        self._fresh_salt()

    def shuffle(self) -> Deck:
        """A deck in an order drawn afresh, each of the 52! equally likely, with a fresh salt of 32 bytes.

        Raises EntropyFailure, and never falls back to a weaker source.
        """
        order = self.permutation()
        return Deck(tuple(DECK[index] for index in order), self._fresh_salt())

    def permutation(self) -> list[int]:
        """The numbers 0 to 51 in a random order: the shuffle itself, which the statistical tests count."""
        order = list(range(len(DECK)))
        block, at, blocks = self._draw(_BLOCK_BYTES), 0, 1
        for high, limit in _STEPS:
            while True:
                if at == _BLOCK_BYTES:
                    if blocks == _MAX_BLOCKS:
                        raise EntropyFailure("the source of randomness gives no usable bytes")
                    block, at, blocks = self._draw(_BLOCK_BYTES), 0, blocks + 1
                byte = block[at]
                at += 1
                if byte < limit:
                    break
            pick = byte % (high + 1)
            order[high], order[pick] = order[pick], order[high]
        return order

    def _fresh_salt(self) -> bytes:
        salt = self._draw(SALT_BYTES)
        if salt == self._last_salt:
            raise EntropyFailure("the source of randomness repeats itself")
        self._last_salt = salt
        return salt

    def _draw(self, count: int) -> bytes:
        try:
            drawn = self._entropy(count)
        except (OSError, NotImplementedError) as error:
            raise EntropyFailure(f"the operating system gives no randomness: {error}") from error
        if len(drawn) != count:
            raise EntropyFailure(f"the source of randomness gave {len(drawn)} of {count} bytes")
        return drawn
