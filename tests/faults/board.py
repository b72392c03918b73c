"""What a person sees: progress while a fault runs, its row when it ends, the table at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.status import Status
from rich.table import Table

from tests.faults.fault import Fault, Trial

QUIET_SECONDS = 10.0
"""Without a terminal a line of progress comes at most this often."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run, as it is shown and written."""

    fault: Fault
    trial: Trial
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.trial.failures

    @property
    def word(self) -> str:
        """How it ended."""
        return "FAIL" if not self.passed else "skip" if self.trial.skipped else "pass"

    @property
    def amount(self) -> str:
        """Such as `10 kills`."""
        return f"{self.trial.done} {self.fault.unit}"

    @property
    def figures(self) -> str:
        """Name and value of each figure."""
        return ", ".join(f"{name} {value}" for name, value in self.trial.figures.items())

    @property
    def invariants(self) -> str:
        """Which were checked and held, and which did not."""
        broken = [code for code, held in self.trial.invariants.items() if not held]
        held = _ranges([int(code[1:]) for code, is_held in self.trial.invariants.items() if is_held])
        return " ".join(filter(None, [f"{held} hold" if held else "", f"BROKEN {' '.join(broken)}" if broken else ""]))

    def document(self) -> dict[str, object]:
        """The row for `--json`."""
        return {
            "fault": self.fault.code,
            "title": self.fault.title,
            "passed": self.passed,
            "skipped": self.trial.skipped,
            "wanted": self.trial.amount,
            "done": self.trial.done,
            "unit": self.fault.unit,
            "figures": self.trial.figures,
            "invariants": self.trial.invariants,
            "failures": self.trial.failures,
            "seconds": round(self.seconds, 1),
            "seed": self.trial.seed,
        }


class Board:
    """The screen; plain lines where it is no terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = None
        self._last = 0.0

    def begin(self, fault: Fault, amount: int) -> None:
        """A fault starts."""
        self._last = time.monotonic()
        if self._console.is_terminal:
            self._status = self._console.status(f"{fault.code} {fault.title}")
            self._status.start()
        else:
            self._line(f"{fault.code} {fault.title}: {amount} {fault.unit}")

    def progress(self, fault: Fault, trial: Trial, note: str) -> None:
        """It goes on."""
        text = f"{fault.code} {fault.title}: {trial.done} of {trial.amount} {fault.unit} {note}".rstrip()
        if self._status is not None:
            self._status.update(text)
        elif time.monotonic() - self._last >= QUIET_SECONDS:
            self._last = time.monotonic()
            self._line(f"    {text}")

    def end(self, row: Row) -> None:
        """Its row, at once, with each failure on a line of its own."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        parts = [part for part in (row.trial.skipped, row.amount, row.figures, row.invariants) if part]
        self._line(f"{row.word}  {row.fault.code} {row.fault.title}: {'; '.join(parts)} ({row.seconds:.1f} s)")
        for failure in row.trial.failures:
            self._line(f"      {failure}")
        if not row.passed:
            self._line(f"      again: python -m tests.faults --only {row.fault.code} --seed {row.trial.seed}")

    def table(self, rows: Sequence[Row]) -> None:
        """All of it."""
        table = Table("fault", "", "done", "figures", "invariants", "s", "result")
        for row in rows:
            table.add_row(
                row.fault.code, row.fault.title, row.amount, row.figures, row.invariants, f"{row.seconds:.1f}", row.word
            )
        self._console.print(table)
        failed = sum(not row.passed for row in rows)
        spent = sum(row.seconds for row in rows)
        self._line(f"{len(rows)} faults in {spent:.0f} s, {failed} failed")

    def _line(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def _ranges(numbers: list[int]) -> str:
    """Such as `I1-I8 I10`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"I{run[0]}" if len(run) == 1 else f"I{run[0]}-I{run[-1]}" for run in runs)
