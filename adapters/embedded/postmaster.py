"""The server process of a cluster: is it there, where does it listen, is it truly ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final

from adapters.embedded.children import reap
from domain.frozen import dataclass

FAST_SECONDS: Final = 60.0
"""What a fast shutdown may take, with all that it writes."""


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A live server on the cluster: its process and where it listens (a socket's folder, or an address).

    `host` is empty while the server has not said yet where it listens.
    """

    pid: int
    host: str
    port: int


def find_postmaster(cluster: Path) -> Postmaster | None:
    """The live server of the cluster, None when there is none (a stale pid file names none)."""
    try:
        text = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace")
        pid = int(text.split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    if not serves(pid, cluster):
        return None
    match text.splitlines():
        case [_, _, _, port, sockets, address, *_, status] if status.strip() in {"ready", "stopping", "standby"}:
            return Postmaster(pid, sockets.strip() or address.strip(), int(port))
    return Postmaster(pid, "", 0)


def serves(pid: int, cluster: Path) -> bool:
    """Whether the process is alive and is a PostgreSQL server on this cluster (process numbers are used again)."""
    reap()
    command = _command(pid)
    program = command.split(" -", 1)[0].rstrip().rsplit("/", 1)[-1]
    if program != "postgres":
        return False
    if f" {cluster} " in f"{command} ":
        return True
    with suppress(OSError):
        return Path(f"/proc/{pid}/cwd").samefile(cluster)
    return False


def _command(pid: int) -> str:
    """The process's command; empty when it is dead (a zombie has none)."""
    if sys.platform.startswith("linux"):
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")).rstrip()
        except OSError:
            return ""
    state, _, command = subprocess.run(
        ["/bin/ps", "-ww", "-o", "stat=,command=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip().partition(" ")  # fmt: skip
    return "" if state.startswith("Z") else command.strip()


def stop_postmaster(pid: int, cluster: Path, within: float = inf) -> None:
    """Fast shutdown (sessions are ended, everything is on disk); harder, without loss, if that takes too long.

    Who cannot wait says `within` how many seconds to come back: a server that hangs is then told to end at once, which
    it does by itself, and kills those of its processes that do not.
    """
    until = time.monotonic() + within
    for name, patience in ((signal.SIGINT, FAST_SECONDS), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0)):
        with suppress(ProcessLookupError):
            if serves(pid, cluster):
                os.kill(pid, name)
        left = max(0.0, until - time.monotonic())
        if wait_gone(pid, cluster, min(patience, left)) or (name is signal.SIGQUIT and left < patience):
            return


def wait_gone(pid: int, cluster: Path, seconds: float) -> bool:
    """Whether the server has ended within so many seconds."""
    deadline = time.monotonic() + seconds
    while serves(pid, cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
