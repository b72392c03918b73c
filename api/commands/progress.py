"""Progress of long work, on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function to be told what is done, how far it is, and how far it goes.

    The bar's own thread begins with what is told first: who divides the work by a fork does that before.
    """
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    shown = Progress(console=Console(stderr=True), transient=True)
    tasks: dict[str, TaskID] = {}

    def tell(what: str, at: int, end: int) -> None:
        if not tasks:
            shown.start()
        if what not in tasks:
            tasks[what] = shown.add_task(what, total=max(end, 1))
        shown.update(tasks[what], completed=at, total=max(end, 1))

    try:
        yield tell
    finally:
        shown.stop()


def _nothing(_what: str, _at: int, _end: int) -> None:
    """Nobody is looking."""
