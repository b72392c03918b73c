"""Processes of the machine by their parent (`ps` works everywhere)."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Process:
    """A live process."""

    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    """All that are alive."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,command="], capture_output=True, text=True, check=True
    )
    found = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return [
        Process(int(words[0]), int(words[1]), words[3].rstrip())
        for words in found
        if len(words) == 4 and not words[2].startswith("Z")
    ]


def children_of(pid: int) -> list[Process]:
    """Those that a process started."""
    return [one for one in processes() if one.parent == pid]
