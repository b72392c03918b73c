"""What a long run feels like: latencies by tenths of the run, memory over its rounds. Itself of bounded size."""

from __future__ import annotations

import math
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

TENTHS: Final = 10
_STEP: Final = math.log(1.02)
"""Latencies are counted in classes 2 % apart."""


@dataclass(slots=True)
class Latencies:
    """Seconds, by tenths of a run."""

    _classes: list[Counter[int]] = field(default_factory=lambda: [Counter() for _ in range(TENTHS)])

    def note(self, seconds: float, share: float) -> None:
        """Something took so long when this share of the run was done."""
        self._classes[min(TENTHS - 1, int(share * TENTHS))][round(math.log(max(seconds, 1e-6)) / _STEP)] += 1

    def p99(self, *tenths: int) -> float:
        """The 99th percentile of some tenths, of all when none is named."""
        count = sum((self._classes[tenth] for tenth in tenths or range(TENTHS)), Counter[int]())
        left = math.ceil(0.01 * count.total())
        for one in sorted(count, reverse=True):
            left -= count[one]
            if left <= 0:
                return math.exp(one * _STEP)
        return 0.0

    def rise(self) -> float:
        """How many times the p99 of the first tenth that of the last is."""
        return self.p99(TENTHS - 1) / self.p99(0)


@dataclass(slots=True)
class Memory:
    """Resident memory of some processes, noted now and then."""

    samples: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    """By name of the process: how much was done, and MB."""

    def note(self, done: int, pids: dict[str, int]) -> None:
        """Look at each of them."""
        for name, pid in pids.items():
            self.samples.setdefault(name, []).append((done, resident_mb(pid)))

    def slope(self, name: str, each: int, after: int) -> float | None:
        """MB gained for each so many done, by least squares over what was noted past `after`; None: too few."""
        return slope([one for one in self.samples.get(name, ()) if one[0] >= after], each)


def slope(samples: Sequence[tuple[int, float]], each: int) -> float | None:
    """Of at least five points."""
    if len(samples) < 5:
        return None
    x = sum(done for done, _ in samples) / len(samples)
    y = sum(size for _, size in samples) / len(samples)
    spread = sum((done - x) ** 2 for done, _ in samples)
    return sum((done - x) * (size - y) for done, size in samples) / spread * each


def resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 where there is none."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return int(told.strip() or 0) / 1024
