"""A child process that is kept alive: started again with growing pauses when it ends, stopped with its parent."""

from __future__ import annotations

import logging
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final

PAUSE_FIRST_SECONDS: Final = 0.2
PAUSE_MOST_SECONDS: Final = 10.0
STEADY_SECONDS: Final = 60.0
"""A child that has lived for so long is steady: its end has nothing to do with the ones before."""
STOP_SECONDS: Final = 1.5
"""It loses nothing when it is killed, and may hang with its database, for which nobody who stops it should wait."""
KILLED_SECONDS: Final = 0.2
"""How long the end of what was killed is waited for."""

log = logging.getLogger("studbook.children")


class Child:
    """Runs `command` until `stop`. The child watches its parent and ends when that is gone."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environ = dict(environ)
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True, name="studbook-child")

    @property
    def pid(self) -> int | None:
        """The number of the process, None before its start."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, and keep it running."""
        self._thread.start()

    def stop(self, within: float = STOP_SECONDS) -> None:
        """End it, by force after so many seconds."""
        self._stopping.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(within)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread.is_alive():
            self._thread.join(KILLED_SECONDS)

    def _keep(self) -> None:
        pause = 0.0
        while not self._stopping.is_set():
            began = time.monotonic()
            self._process = subprocess.Popen(self._command, env=self._environ, stdin=subprocess.DEVNULL)
            if self._stopping.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._stopping.is_set():
                return
            pause = pause_after(pause, time.monotonic() - began)
            log.warning("%s ended with %s, started again in %.1f s", self._command[-1], code, pause)
            self._stopping.wait(pause)


def end_all(children: Sequence[Child], within: float = STOP_SECONDS) -> None:
    """Stop them side by side, by force after so many seconds."""
    threads = [threading.Thread(target=one.stop, args=(within,)) for one in children]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def pause_after(pause: float, lived: float) -> float:
    """Seconds until a child that lived for `lived` is started again; `pause` is what there was before its start."""
    if lived >= STEADY_SECONDS:
        return PAUSE_FIRST_SECONDS
    return min(max(pause * 2, PAUSE_FIRST_SECONDS), PAUSE_MOST_SECONDS)
