"""Helpers of the embedded database's tests: folders of their own, and processes that can be killed."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from adapters.embedded import Cluster
from tests.postgres import remove_if_unused, shared_folder

PLAIN_USER = "nobody"

_PRELUDE = """
import os, signal, sys, threading, time
import psycopg
from adapters.embedded import Cluster, EmbeddedError, default_data_dir
folder = os.environ["FOLDER"]
"""
_AS_PLAIN_USER = """
if os.geteuid() == 0:
    import pwd
    entry = pwd.getpwnam("nobody")
    os.setgroups([]); os.setgid(entry.pw_gid); os.setuid(entry.pw_uid)
"""

HOLD = (
    "signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background job of a shell ignores it
    "cluster = Cluster.start(folder); print(cluster.pid, flush=True); time.sleep(120)"
)
"""A process that starts or joins the server, says its number, and keeps it."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """The name of a data folder that does not exist yet; what a test leaves there is stopped and removed."""
    chosen = shared_folder() / f"own-{uuid.uuid4().hex[:10]}"
    yield chosen / "data"
    remove_if_unused(chosen / "data")
    remove_if_unused(chosen)


def python(code: str, folder: Path, *, plain: bool = False) -> subprocess.Popen[str]:
    """A process of its own that runs `code`; `plain`: as a plain user even when we are root."""
    text = _PRELUDE + (_AS_PLAIN_USER if plain else "") + code
    env = {**os.environ, "FOLDER": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", text]
    return subprocess.Popen(command, env=env, text=True, cwd="/",
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def ran(code: str, folder: Path, *, plain: bool = False) -> str:
    """What `code` printed; it must end well and leave standard error empty."""
    out, err = python(code, folder, plain=plain).communicate(timeout=120)
    assert err == ""
    return out


def first_line(process: subprocess.Popen[str]) -> str:
    """The first line that a process prints, or a failure with its error."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line, process.stderr.read() if process.stderr else ""
    return line


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL and reap."""
    process.kill()
    process.communicate()


def plain_parent(folder: Path) -> Path:
    """The data folder's parent, made, and given to the plain user when we are root."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        entry = pwd.getpwnam(PLAIN_USER)
        os.chown(folder.parent, entry.pw_uid, entry.pw_gid)
    return folder.parent


def add_row(cluster: Cluster, number: int) -> None:
    """Commit a row in a table of the superuser's own."""
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        conn.execute("CREATE TABLE IF NOT EXISTS kept (n bigint)")
        conn.execute("INSERT INTO kept VALUES (%s)", [number])


def rows(cluster: Cluster) -> list[int]:
    """The numbers committed."""
    with psycopg.connect(cluster.superuser()) as conn:
        return [n for (n,) in conn.execute("SELECT n FROM kept ORDER BY n").fetchall()]


def servers_of(folder: Path) -> list[int]:
    """Processes, by number, that were started as a server on this data folder (`ps` works everywhere)."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,stat=,command="], capture_output=True, text=True, check=True
    )
    found = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [
        int(pid) for pid, state, command in found if f"-D {folder}/cluster " in command and not state.startswith("Z")
    ]


def wait_for(path: Path, seconds: float = 60) -> None:
    """Until the file is there."""
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.002)
