"""The fairness of the shoe: its shuffle counted by several processes, and shuffles that the same checks must refuse."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Final

from adapters.broken_shuffles import BROKEN
from adapters.shoe import Shoe
from domain.fairness.tally import Tally, count, together
from domain.fairness.verdict import Check, checks
from domain.frozen import dataclass

OURS: Final = "ours"
CHUNK: Final = 20_000
"""Decks that one process counts before it tells."""
TEETH_DECKS: Final = 20_000

Progress = Callable[[str, int, int], None]
Shuffled = Callable[[str, int], Tally]
"""The tally of so many decks of the shuffle of that name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one shuffle: the checks of its decks, and of fresh ones where any but `duplicates` failed."""

    first: Tally
    checks: tuple[Check, ...]
    again: tuple[Check, ...] = ()

    @property
    def failed(self) -> tuple[str, ...]:
        """Checks that failed, and failed again where there were fresh decks. A deck that came twice fails at once."""
        twice = {one.name for one in self.again or self.checks if not one.holds} | {"duplicates"}
        return tuple(one.name for one in self.checks if not one.holds and one.name in twice)


@dataclass(frozen=True, slots=True)
class Fairness:
    """What was found of our shuffle, and the checks that each broken one failed."""

    ours: Finding
    teeth: dict[str, tuple[str, ...]]

    @property
    def holds(self) -> bool:
        """Ours is fair, and the same checks refuse each broken shuffle."""
        return not self.ours.failed and all(self.teeth.values())


def fairness(decks: int, processes: int, progress: Progress) -> Fairness:
    """Shuffle and count, each check that failed once more on as many fresh decks."""
    with crew(processes, progress) as shuffled:
        ours = judged(OURS, decks, shuffled)
        return Fairness(ours, {name: judged(name, TEETH_DECKS, shuffled).failed for name in BROKEN})


def judged(name: str, decks: int, shuffled: Shuffled) -> Finding:
    """The checks of one shuffle. One fresh repeat is allowed."""
    first = shuffled(name, decks)
    found = checks(first)
    if all(one.holds for one in found):
        return Finding(first, found)
    return Finding(first, found, checks(shuffled(name, decks)))


def judged_once(sample: bytes) -> Finding:
    """The checks of decks that were collected: there are no fresh ones. Invalid when it is no sample."""
    tally = count(sample)
    return Finding(tally, checks(tally))


@contextmanager
def crew(processes: int, progress: Progress) -> Iterator[Shuffled]:
    """Processes that shuffle and count; one only: this one does it."""
    if processes == 1:
        yield lambda name, decks: together(_told(map(_counted, *_shares(name, decks)), name, decks, progress))
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:

        def shuffled(name: str, decks: int) -> Tally:
            asked = [pool.submit(_counted, *share) for share in zip(*_shares(name, decks), strict=True)]
            return together(_told((one.result() for one in as_completed(asked)), name, decks, progress))

        try:
            yield shuffled
        finally:
            pool.shutdown(cancel_futures=True)


def _shares(name: str, decks: int) -> tuple[list[str], list[int]]:
    whole, rest = divmod(decks, CHUNK)
    shares = [CHUNK] * whole + ([rest] if rest else [])
    return [name] * len(shares), shares


def _told(tallies: Iterator[Tally], name: str, decks: int, progress: Progress) -> Iterator[Tally]:
    done, what = 0, "our shuffle" if name == OURS else name
    for one in tallies:
        done += one.decks
        progress(what, done, decks)
        yield one


def _counted(name: str, decks: int) -> Tally:
    permutation = Shoe().permutation if name == OURS else BROKEN[name]
    return count(b"".join(bytes(permutation()) for _ in range(decks)))
