"""A log that stays readable when something fails again and again: at most ten lines a minute."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Final

LINES_PER_MINUTE: Final = 10
_MINUTE: Final = 60.0


class QuietLog:
    """Passes ten warnings a minute on; the next that passes says how many did not."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._passed: deque[float] = deque()
        self._held = 0

    def warning(self, text: str, *values: object) -> None:
        """Log a warning, unless ten have been logged within the last minute."""
        now = self._clock()
        while self._passed and now - self._passed[0] >= _MINUTE:
            self._passed.popleft()
        if len(self._passed) >= LINES_PER_MINUTE:
            self._held += 1
            return
        self._passed.append(now)
        if self._held:
            text, values = f"{text} (%d lines left out)", (*values, self._held)
            self._held = 0
        self._log.warning(text, *values)
