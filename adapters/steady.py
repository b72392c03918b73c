"""A clock that does not jump when the machine's does (F09).

Time that passes is counted by the kernel's steady counter; what time it is, the machine's clock says. Small corrections
of the machine's clock are followed at once. When it jumps, the process keeps its own time, tells so in its log, and
comes up to the machine's by one second in a hundred: so no betting window is cut or opened again, and no key or token
expires early. A process that is started takes the machine's time as it is.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Final

STEP_SECONDS: Final = 0.5
"""A correction of the machine's clock up to this is followed at once."""

SLEW: Final = 0.01
"""After a jump our time runs so much faster or slower, until it is the machine's again."""

UNTOLD_MOST: Final = 100

log = logging.getLogger("studbook.clock")


def since_boot() -> float:
    """Seconds that only ever grow, the machine's sleep included where the system counts it (Linux)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


ELAPSED: Final[Callable[[], float]] = since_boot if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic


class SteadyTime:
    """Seconds since 1970 that never jump. One for a process: all of its parts agree."""

    __slots__ = ("_base", "_elapsed", "_last", "_untold", "_wall", "jumps", "off")

    def __init__(self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = ELAPSED) -> None:
        self._wall = wall
        self._elapsed = elapsed
        self._last = elapsed()
        self._base = wall() - self._last
        self.off = 0.0
        """Seconds that the machine's clock is ahead of ours since it jumped; 0 while they agree."""
        self.jumps = 0
        """Jumps of the machine's clock since the start."""
        self._untold: deque[float] = deque(maxlen=UNTOLD_MOST)

    def seconds(self) -> float:
        """The time now."""
        at = self._elapsed()
        wall = self._wall()
        apart = wall - at - self._base
        may_be = STEP_SECONDS + SLEW * (at - self._last)
        if -may_be <= apart <= may_be:
            self._last = at
            self._base = wall - at
            if self.off:
                self._agree(may_be)
            return wall
        return self._kept(at, apart, may_be)

    def take_jumps(self) -> list[float]:
        """The seconds of each jump since this was last asked, UNTOLD_MOST of them at most; looks at the clock first."""
        self.seconds()
        found = list(self._untold)
        self._untold.clear()
        return found

    def _kept(self, at: float, apart: float, may_be: float) -> float:
        """Our own time, a little nearer to the machine's than before."""
        if abs(apart - self.off) > may_be:
            self._jumped(
                apart - self.off,
                f"this process keeps its own time and comes up to it by 1 s in {1 / SLEW:.0f} s; set it right, or "
                "restart the process to take it over at once",
            )
        nearer = SLEW * (at - self._last)
        step = min(nearer, apart) if apart > 0 else max(-nearer, apart)
        self._last = at
        self._base += step
        self.off = apart - step
        return at + self._base

    def _agree(self, may_be: float) -> None:
        agreed = "the machine's time and that of this process agree again"
        if abs(self.off) > may_be:
            self._jumped(-self.off, agreed)
        else:
            log.warning("%s", agreed)
        self.off = 0.0

    def _jumped(self, seconds: float, so: str) -> None:
        self.jumps += 1
        self._untold.append(seconds)
        log.error("the machine's clock jumped by %+.3f s: %s", seconds, so)


STEADY: Final = SteadyTime()
"""That of this process."""
