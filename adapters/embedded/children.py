"""Servers that this process started: who they are, that their ends are noticed, and that they may outlive us."""

from __future__ import annotations

import signal
import subprocess
from typing import Final


class ServerProcess(subprocess.Popen[bytes]):
    """A database server. It may go on when its starter ends, because others use it: that is no oversight."""

    def __del__(self) -> None:
        """Say nothing (the base class warns of a process that goes on)."""


_CHILDREN: Final[dict[int, ServerProcess]] = {}


def remember(process: ServerProcess) -> None:
    """Keep a server that was just started, so that its end is noticed: a dead child stays a zombie until asked."""
    _CHILDREN[process.pid] = process


def reap() -> None:
    """Take note of those of our servers that have ended, so that none of them stays a zombie."""
    for pid, process in list(_CHILDREN.items()):
        if process.poll() is not None:
            _CHILDREN.pop(pid, None)


def end_child(process: ServerProcess, seconds: float = 60) -> None:
    """End a server whose start was broken off: fast shutdown, harder when that takes too long."""
    for name, patience in ((signal.SIGINT, seconds), (signal.SIGQUIT, 10.0), (signal.SIGKILL, None)):
        process.send_signal(name)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue
        break
    reap()
