"""How often the processes that run for long look for reference cycles."""

from __future__ import annotations

import gc
import threading
import time
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


SELDOM_SECONDS: Final = 600.0
"""Between two looks of a process that makes no cycles at all, in case that something else in it does."""


def settle_for_good() -> None:
    """As `settle_down`, for a process whose work leaves no cycles: the projector's batches left none (a test counts),
    and a tenth of its time went into looking for them among the rows that it keeps.
    """
    settle_down()
    gc.disable()
    threading.Thread(target=_look_seldom, daemon=True).start()


def _look_seldom() -> None:
    while True:
        time.sleep(SELDOM_SECONDS)
        gc.collect()


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
