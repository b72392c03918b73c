"""Progress of long work, on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function to be told what is done, how far it is, and how far it goes."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        tasks = {}

        def tell(what: str, at: int, end: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what, total=max(end, 1))
            shown.update(tasks[what], completed=at, total=max(end, 1))

        yield tell
