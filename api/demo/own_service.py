"""A service of the demo's own: `studbook serve` as a child process, on a database that is thrown away at the end."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from api.commands.stoppable import undisturbed
from api.demo.faults import DemoFailed

READY_SECONDS: Final = 120.0
STOP_SECONDS: Final = 30.0
ROOT_FOLDER: Final = Path("/var/lib/studbook")


@dataclass(frozen=True, slots=True)
class OwnService:
    """Address and key, the folder of the database, and what a command needs to find it."""

    url: str
    key: str
    data_dir: Path
    environ: dict[str, str]


@contextmanager
def own_service() -> Iterator[OwnService]:
    """Start a service and stop it at the end; its folder goes with it."""
    folder = new_folder()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("STUDBOOK_")}
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--json", "--data-dir", str(folder)]
    with tempfile.TemporaryFile() as errors:
        process: subprocess.Popen[bytes] | None = None
        try:
            with undisturbed():
                process = subprocess.Popen(
                    command,
                    env=environ,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    start_new_session=True,  # Ctrl-C is for us: we stop it in order
                )
            ready = json.loads(_first_line(process) or "{}")
            if "url" not in ready:
                errors.seek(0)
                said = errors.read().decode("utf-8", "replace").strip().splitlines()
                raise DemoFailed(f"the demo's own service did not start: {said[-1] if said else 'it said nothing'}")
            yield OwnService(ready["url"], ready["key"], folder, environ)
        finally:
            if process is not None:
                _stop(process)
            remove_folder(folder)


def new_folder(purpose: str = "demo") -> Path:
    """A name for the folder of a database that is thrown away, in the system's temporary one.

    As root the database runs under an account of its own, which must be able to reach it.
    """
    base = Path(tempfile.gettempdir()).resolve()
    if os.geteuid() == 0 and not all(path.stat().st_mode & 0o001 for path in (base, *base.parents)):
        base = ROOT_FOLDER
    return base / f"studbook-{purpose}-{uuid4().hex[:12]}"


def remove_folder(folder: Path) -> None:
    """Remove it with all that is in it; what cannot be removed is told. Nobody writes there any more: the service has
    ended, and with it, even broken off, the making of its database.
    """
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as fault:
        sys.stderr.write(f"studbook: {folder} is left behind, remove it: {fault.strerror}\n")


def _first_line(process: subprocess.Popen[bytes]) -> bytes:
    """What the service prints when it is ready; nothing when it ends or takes too long."""
    assert process.stdout is not None
    until = time.monotonic() + READY_SECONDS
    while (left := until - time.monotonic()) > 0:
        if select.select([process.stdout], [], [], min(left, 1.0))[0]:
            return process.stdout.readline()
    return b""


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
