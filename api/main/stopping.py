"""The server as `serve` runs it, in one process or several: the deadline of its end begins with the signal (F27)."""

from __future__ import annotations

import signal
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

from api.main.leaving import CHILDREN_SECONDS, LEAVING


class Server(uvicorn.Server):
    """Serves in this process."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come."""
        LEAVING.told()
        super().handle_exit(sig, frame)


class Supervisor(Multiprocess):
    """Keeps serving processes; one that does not end is not waited for without end."""

    def run(self) -> None:
        """Until a signal comes."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told)
        super().run()

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
