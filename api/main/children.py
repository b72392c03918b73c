"""A child process that is kept alive: started again with growing pauses when it ends, stopped with its parent."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import Final

PAUSE_FIRST_SECONDS: Final = 0.2
PAUSE_MOST_SECONDS: Final = 10.0
STOP_SECONDS: Final = 10.0

log = logging.getLogger("studbook.children")


class Child:
    """Runs `command` until `stop`. The child watches its parent and ends when that is gone."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environ = dict(environ)
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True, name="studbook-child")

    def start(self) -> None:
        """Start it, and keep it running."""
        self._thread.start()

    def stop(self) -> None:
        """End it, by force after ten seconds."""
        self._stopping.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join(STOP_SECONDS)

    def _keep(self) -> None:
        pause = PAUSE_FIRST_SECONDS
        while not self._stopping.is_set():
            self._process = subprocess.Popen(self._command, env=self._environ, stdin=subprocess.DEVNULL)
            if self._stopping.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._stopping.is_set():
                return
            log.warning("%s ended with %s, started again in %.1f s", self._command[-1], code, pause)
            self._stopping.wait(pause)
            pause = min(pause * 2, PAUSE_MOST_SECONDS)
