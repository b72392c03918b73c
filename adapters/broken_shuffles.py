"""Shuffles with known faults: what a statistic of shuffles must refuse, or it proves nothing.

Nothing is ever dealt from them: only `api/main/fairness.py` may import this module, which a test holds. Their entropy
is the operating system's, so that each one's fault is its own.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import Final

from domain.cards import DECK

_SIZE: Final = len(DECK)
_MASK: Final = 0xFFFF_FFFF


def swap_with_any() -> list[int]:
    """Each card changes places with any of the 52: 52^52 ways, which 52! does not divide."""
    order = list(range(_SIZE))
    for place, number in enumerate(struct.unpack(f"{_SIZE}I", os.urandom(4 * _SIZE))):
        other = number % _SIZE
        order[place], order[other] = order[other], order[place]
    return order


def byte_mod_52() -> list[int]:
    """Fisher-Yates, but a byte's remainder is taken as it comes: 52 does not divide 256."""
    order = list(range(_SIZE))
    for high, byte in zip(range(_SIZE - 1, 0, -1), os.urandom(_SIZE - 1), strict=True):
        pick = byte % (high + 1)
        order[high], order[pick] = order[pick], order[high]
    return order


def seed_of_16_bits() -> list[int]:
    """Fisher-Yates from a generator that looks random (xorshift), but can start in 65,536 ways only."""
    state = int.from_bytes(os.urandom(2), "big") + 1
    order = list(range(_SIZE))
    for high in range(_SIZE - 1, -1, -1):
        for shift in (13, -17, 5):
            state ^= (state << shift & _MASK) if shift > 0 else state >> -shift
        pick = state % (high + 1)
        order[high], order[pick] = order[pick], order[high]
    return order


BROKEN: Final[dict[str, Callable[[], list[int]]]] = {
    "swap-with-any": swap_with_any,
    "byte-mod-52": byte_mod_52,
    "seed-of-16-bits": seed_of_16_bits,
}
"""By name."""
