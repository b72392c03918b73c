"""The end of a serving process, which has one deadline for all of it: what was begun is answered, the connections are
put away, the processes beside the API end. Each part takes what the ones before have left (F27).

Where the database hangs, tasks wait for answers that do not come, and the event loop waits for its tasks. What has been
put away by then is all that can be; the process leaves without the rest.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from api.main.environment import SERVE_PID, started_by

END_SECONDS: Final = 8.0
"""From the signal to the end of everything: two seconds less than is promised, which a busy machine may take."""
ANSWER_SECONDS: Final = 5
"""How long what was begun is waited for; then it is answered 503 with Retry-After. Whole, as the server wants it."""
PUT_AWAY_SECONDS: Final = 1.0
"""How long the end of a process waits for its database."""
LEAVE_SECONDS: Final = 0.4
"""How long the loop may take to end by itself after that."""
CHILDREN_SECONDS: Final = 0.5
"""What is kept of the whole for the processes beside the API, where serving processes below this one take the rest."""
DATABASE_SECONDS: Final = 0.3
"""What an embedded database has to end in, where all the rest has taken its time; it goes on ending by itself."""
LAST_SECONDS: Final = 1.0
"""How much later than it should the end may be before it is made."""
LOOK_SECONDS: Final = 0.5
ORPHAN_SECONDS: Final = 5.0
"""What a process beside the API may finish once the one that started it is gone."""


class Leaving:
    """One process's deadline and its last resort. `at_last` is done first: a process with children ends them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_last: Callable[[], None] = lambda: None
        self._clock = clock
        self._until: float | None = None
        self._timer: threading.Timer | None = None

    def told(self) -> bool:
        """The signal has come: END_SECONDS begin. A second signal changes nothing, and False says so."""
        if self._until is not None:
            return False
        self._until = self._clock() + END_SECONDS
        return True

    @property
    def is_told(self) -> bool:
        """Whether a signal has come."""
        return self._until is not None

    def left(self, most: float = END_SECONDS, *, kept: float = 0.0) -> float:
        """Seconds that a part of the end may take: at most so many, and none of what is `kept` for those that follow.
        `most` where nobody was told, such as at the end of a start that was refused.
        """
        if self._until is None:
            return most
        return max(0.0, min(most, self._until - self._clock() - kept))

    def soon(self) -> None:
        """Leave in a moment, unless the loop ends by itself before."""
        self._timer = threading.Timer(self.left(LEAVE_SECONDS), self._leave)
        self._timer.daemon = True
        self._timer.start()

    def not_needed(self) -> None:
        """The loop has ended."""
        if self._timer is not None:
            self._timer.cancel()

    def enforce(self) -> None:
        """In a thread of its own: whatever hangs after a signal, a start that was broken off included, the process is
        gone LAST_SECONDS after its time is over.
        """
        while self._until is None:
            time.sleep(LOOK_SECONDS)
        time.sleep(self.left() + LAST_SECONDS)
        self._leave()

    def _leave(self) -> None:
        try:
            self.at_last()
        finally:
            os._exit(0)


LEAVING: Final = Leaving()


def stop_when_told() -> threading.Event:
    """What a process beside the API stops by: SIGTERM or SIGINT sets it, and the end of the process that started it."""
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    threading.Thread(target=end_after_parent, args=(started_by(), stop), daemon=True).start()
    return stop


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
