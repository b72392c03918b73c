"""Commands that start processes end them whatever ends the command."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final


@dataclass(slots=True)
class _Held:
    """How many `undisturbed` are open, and the signal that came meanwhile."""

    depth: int = 0
    number: int | None = None


_HELD: Final = _Held()


@contextmanager
def stoppable() -> Iterator[None]:
    """A signal that ends us lets us stop what we started."""

    def leave(number: int, _frame: FrameType | None) -> None:
        if _HELD.depth:
            _HELD.number = number
        else:
            sys.exit(128 + number)

    before = {one: signal.signal(one, leave) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def undisturbed() -> Iterator[None]:
    """A signal waits until the end of this: between the start of a process and the moment when it is known here, an
    exception would leave it running.
    """
    _HELD.depth += 1
    try:
        yield
    finally:
        _HELD.depth -= 1
        number, _HELD.number = _HELD.number, None
        if number is not None:
            sys.exit(128 + number)
