"""How often the processes that run for long look for reference cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (20_000, 20, 50)
"""Python's own 700 (2,000 since 3.12) makes the collector walk over the cached states hundreds of times a second, and
finds nothing there: states, events and rows hold no cycles.
"""


def settle_down() -> None:
    """Call once when everything is loaded: what is there now stays and is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


@contextmanager
def settled_down() -> Iterator[None]:
    """The same for one piece of long work; afterwards all is as it was."""
    before = gc.get_threshold()
    settle_down()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
