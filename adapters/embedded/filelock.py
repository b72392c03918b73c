"""Locks on files: the kernel drops them with their holder, so that none outlives a SIGKILL."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from adapters.embedded.account import Account
from adapters.embedded.errors import EmbeddedError
from adapters.embedded.folders import new_private_file


class FileLock:
    """A lock on a file that stays there for ever (a removed lock file would be two locks)."""

    def __init__(self, path: Path, account: Account) -> None:
        self.path = path
        self.descriptor = new_private_file(path, account)

    def wait(self, seconds: float) -> None:
        """Take it alone. Raises EmbeddedError after so many seconds."""
        deadline = time.monotonic() + seconds
        while not self.try_alone():
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"embedded database: another process has been starting or stopping the one in {self.path.parent} "
                    f"for {seconds:.0f} s: wait for it, or end it"
                )
            time.sleep(0.02)

    def share(self) -> None:
        """Hold it along with others; waits while somebody holds it alone."""
        fcntl.flock(self.descriptor, fcntl.LOCK_SH)

    def try_alone(self) -> bool:
        """Take it alone if nobody else holds it; a share of our own is given up either way."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Let go, and keep the file open for the next time."""
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
