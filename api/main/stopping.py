"""The server as `serve` runs it, in one process or several: the deadline of its end begins with the signal (F27).

Whatever signals follow the first one, what was begun is finished as it would have been: the deadline is near enough.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from socket import socket
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.supervisors import Multiprocess, multiprocess

from api.main.leaving import CHILDREN_SECONDS, LEAVING

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
START_SECONDS: Final = 300.0
"""What a serving process may take until it answers for the first time."""
LOOK_SECONDS: Final = 0.2


class Server(uvicorn.Server):
    """Serves in this process."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come. The first alone counts: at a second SIGINT uvicorn would put nothing away."""
        if LEAVING.told():
            super().handle_exit(sig, frame)

    def heed(self) -> None:
        """Hear signals from now on; uvicorn itself begins only when its loop runs."""
        for number in SIGNALS:
            signal.signal(number, self.handle_exit)


class Serving(multiprocess.Process):
    """One of several serving processes: it serves as one alone does.

    uvicorn kills one that does not answer within seconds, and so every one that starts on a machine with much other
    work, one after the other. Here it has START_SECONDS until its first answer.
    """

    _has_answered = False
    _until = 0.0

    def start(self) -> None:
        """Begin."""
        self._until = time.monotonic() + START_SECONDS
        super().start()

    def is_alive(self, timeout: float = 5) -> bool:
        """Whether it runs and answers, or may still be starting."""
        if not self.process.is_alive():
            return False
        answers = self.ping(timeout if self._has_answered else 0)
        self._has_answered |= answers
        return answers or LEAVING.is_told or (not self._has_answered and time.monotonic() < self._until)

    def _healthcheck(self, timeout: float) -> bool | None:
        """As uvicorn asks; but who stops the service is not kept waiting by one that hangs."""
        until = time.monotonic() + timeout
        try:
            self.parent_conn.send(b"ping")
            while not self.parent_conn.poll(max(0.0, min(until - time.monotonic(), LOOK_SECONDS))):
                if LEAVING.is_told or time.monotonic() >= until:
                    return None
            return bool(self.parent_conn.recv())
        except (OSError, EOFError):
            return None

    @property
    def server(self) -> uvicorn.Server:
        """The server that runs in it."""
        if self._server is None:
            self._server = Server(self.config)
        return self._server


multiprocess.Process = Serving  # type: ignore[misc]  # Multiprocess makes its processes by this name alone


class Supervisor(Multiprocess):
    """Keeps serving processes; one that does not end is not waited for without end."""

    def __init__(self, config: uvicorn.Config, sockets: Sequence[socket]) -> None:
        super().__init__(config, list(sockets))
        for number in SIGNALS:
            signal.signal(number, self._told)

    def _told(self, number: int, _frame: FrameType | None) -> None:
        LEAVING.told()
        self.signal_queue.append(number)

    def join_all(self) -> None:
        """Wait for them; what hangs is killed in time to end the rest."""
        for one in self.processes:
            one.process.join(LEAVING.left(kept=CHILDREN_SECONDS))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()
