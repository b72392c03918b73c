"""Progress of the demo, on standard error: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

LINE_SECONDS: Final = 5.0


class Progress:
    """Told what is being done and how many rounds are over."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._done = 0
        self._what = ""
        self._said = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        """Show the bar where there is a terminal."""
        if sys.stderr.isatty():
            columns = (TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("starting", total=self._rounds)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def doing(self, what: str) -> None:
        """A new stage begins."""
        self._what = what
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=what)
        else:
            self._say()

    def round_done(self) -> None:
        """One more round is over."""
        self._done += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done)
        elif time.monotonic() - self._said >= LINE_SECONDS:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        print(f"demo: {self._what}, {self._done} of {self._rounds} rounds", file=sys.stderr, flush=True)
