"""Servers that this process started: who they are, that their ends are noticed, and that they may outlive us."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from contextlib import suppress
from typing import Final, Self


class ServerProcess(subprocess.Popen[bytes]):
    """A database server. It may go on when its starter ends, because others use it: that is no oversight."""

    def __del__(self) -> None:
        """Say nothing (the base class warns of a process that goes on)."""


GROUP_SECONDS: Final = 5.0
"""How long the killed processes of a group are waited for."""

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


class Lives:
    """A pipe whose other end a program and all its helpers hold, by inheritance: it is at its end when they all are."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.pipe()

    def __enter__(self) -> Self:
        """Pass `theirs` to the program."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close what is still open."""
        self._give()
        os.close(self._ours)

    def wait(self, seconds: float) -> bool:
        """Whether all who hold it end within so long."""
        self._give()
        return bool(select.select([self._ours], [], [], seconds)[0])

    def _give(self) -> None:
        """Theirs alone from now on."""
        if self.theirs >= 0:
            os.close(self.theirs)
            self.theirs = -1


def end_group(process: subprocess.Popen[str], lives: Lives) -> None:
    """Kill a program that was started in a session of its own, with every helper that it has, and see them gone."""
    with suppress(ProcessLookupError, PermissionError):  # macOS calls a group of zombies forbidden
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    lives.wait(GROUP_SECONDS)
