"""What a fault is, and what its run is given: an amount, a folder, a seed, and a place to say what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Figure = int | float | str

LIVENESS: Final = 5
"""What must answer or recover may take so many times its figure here: the machine may have other work to do."""


class Skipped(Exception):
    """This machine lacks what the fault needs; the text says what, and how to get it."""


@dataclass(slots=True)
class Trial:
    """One run of one fault. Failures are collected in words, so that a run shows all of them."""

    amount: int
    """How many units to do."""
    folder: Path
    """An empty folder of its own; the fault starts its stages there."""
    seed: int
    """Every random choice comes from it."""
    tell: Callable[[int, str], None] = lambda _done, _note: None
    done: int = 0
    figures: dict[str, Figure] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    invariants: dict[str, bool] = field(default_factory=dict)
    skipped: str = ""
    """Why it was not done on this machine."""

    def progress(self, done: int, note: str = "") -> None:
        """So many units are done; `note` says what is under way."""
        self.done = done
        self.tell(done, note)

    def figure(self, name: str, value: Figure) -> None:
        """A number for the table and `--json`."""
        self.figures[name] = round(value, 3) if isinstance(value, float) else value

    def count(self, name: str, more: int) -> None:
        """Add to a figure that is counted over several stages."""
        self.figure(name, int(self.figures.get(name, 0)) + more)

    def in_time(self, name: str, seconds: float, allowed: float) -> None:
        """How long something took; the table shows the longest, it fails at five times what is allowed."""
        known = self.figures.get(name, 0.0)
        self.figure(name, max(seconds, known if isinstance(known, float) else 0.0))
        limit = LIVENESS * allowed
        self.expect(seconds <= limit, f"{name} above {limit:g} ({LIVENESS} times the {allowed:g} of the mark)")

    def expect(self, holds: bool, what: str) -> None:
        """What must hold, in words that name it when it does not; the run goes on."""
        if not holds and what not in self.failures:
            self.failures.append(what)

    def checked(self, found: Mapping[str, list[str]]) -> None:
        """Invariants by code (I1 and so on), each with what breaks it; an empty list: it holds."""
        for code, breaches in found.items():
            self.invariants[code] = self.invariants.get(code, True) and not breaches
            for breach in breaches:
                self.expect(False, f"{code}: {breach}")

    def spells(self, most: int) -> Iterator[tuple[range, Path]]:
        """The units in spells of so many, each with a folder for a stage of its own, so that a long run checks as it
        goes and its log stays within memory."""
        for first in range(0, self.amount, most):
            folder = self.folder / f"spell-{first}"
            folder.mkdir(mode=0o755)
            yield range(first, min(first + most, self.amount)), folder


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the reliability table."""

    code: str
    """Such as F01."""
    title: str
    small: int
    """How many units `make faults` does."""
    long: int
    """How many `make soak` does."""
    unit: str
    """What is counted: kills, cells, cuts."""
    run: Callable[[Trial], None]
