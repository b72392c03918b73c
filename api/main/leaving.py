"""The end of a serving process whose database hangs: its tasks wait for answers that do not come, and the event loop
waits for its tasks. What has been put away by then is all that can be; the process leaves without the rest.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Final

from api.main.environment import SERVE_PID

LEAVE_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 0.5
ORPHAN_SECONDS: Final = 5.0
"""What a process beside the API may finish once the one that started it is gone."""


class Leaving:
    """One process's last resort. `at_last` is done first: a process with children ends them."""

    def __init__(self) -> None:
        self.at_last: Callable[[], None] = lambda: None
        self._timer: threading.Timer | None = None

    def soon(self) -> None:
        """Leave in a moment, unless the loop ends by itself before."""
        self._timer = threading.Timer(LEAVE_SECONDS, self._leave)
        self._timer.daemon = True
        self._timer.start()

    def not_needed(self) -> None:
        """The loop has ended."""
        if self._timer is not None:
            self._timer.cancel()

    def _leave(self) -> None:
        try:
            self.at_last()
        finally:
            os._exit(0)


LEAVING: Final = Leaving()


async def end_with_parent() -> None:
    """A serving process that `serve` started does not outlive it."""
    parent = os.environ.get(SERVE_PID)
    if parent is None or int(parent) == os.getpid():
        return
    while os.getppid() == int(parent):
        await asyncio.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def end_after_parent(parent: int, stop: threading.Event) -> None:
    """A process beside the API is told to stop when the one that started it is gone, and ends by force where it waits
    for a database that hangs: it loses nothing by that, and goes on where it stood when it is started again.
    """
    while not stop.wait(LOOK_SECONDS):
        if os.getppid() != parent:
            stop.set()
            time.sleep(ORPHAN_SECONDS)
            os._exit(1)
