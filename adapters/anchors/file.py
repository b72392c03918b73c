"""The file of anchors as its one writer sees it: lines are added and on disk before anyone hears of them."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final, Self

from adapters.anchors.folder import Folder
from adapters.anchors.reading import LINE_MOST, last_line, payload_of
from domain.anchors import Noted

_MODE: Final = 0o600


class AnchorFile:
    """Opened by one process at a time; `last` is the newest anchor and its line. Faults of the disk are OSError."""

    def __init__(self, path: Path, descriptor: int, lock: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self._lock = lock
        self.last: tuple[Noted, str] | None = None
        self._find_end()

    @classmethod
    def open(cls, folder: Folder) -> Self | None:
        """None while another process writes there. ValueError when the last line is no anchor."""
        lock = os.open(folder.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _MODE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            return cls(folder.anchors, os.open(folder.anchors, flags, _MODE), lock)
        except BlockingIOError:
            os.close(lock)
            return None
        except BaseException:
            os.close(lock)
            raise

    def append(self, noted: Noted, token: str) -> None:
        """Add a line and wait until it is on disk; after a fault nothing of it stays."""
        self._cut()
        line = f"{token}\n".encode("ascii")
        try:
            if os.write(self._descriptor, line) != len(line):
                raise OSError(28, "no space left on device")
            os.fsync(self._descriptor)
        except OSError:
            self._cut()
            raise
        self._end += len(line)
        self.last = noted, token

    def close(self) -> None:
        """Let others write."""
        os.close(self._descriptor)
        os.close(self._lock)

    def _find_end(self) -> None:
        """What was begun and not ended, when the process or the machine died, was never told to anyone."""
        size = os.fstat(self._descriptor).st_size
        tail = os.pread(self._descriptor, LINE_MOST, max(0, size - LINE_MOST))
        self._end = size - (len(tail) - tail.rfind(b"\n") - 1)
        self._cut()
        if (token := last_line(self._path)) is not None:
            self.last = payload_of(token), token

    def _cut(self) -> None:
        if os.fstat(self._descriptor).st_size > self._end:
            os.ftruncate(self._descriptor, self._end)
