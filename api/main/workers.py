"""Several serving processes behind one port: whichever answers `/metrics` asks the others for their figures.

`serve` names a folder when it starts more than one. Each process takes the lowest number that is free there (a file
lock, which a dead process gives back) and listens on a Unix socket of that number. So a series belongs to one process,
and a process that takes the place of a dead one goes on under its number, beginning again at zero, as counters may.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from api import metrics

WORKERS_DIR: Final = "STUDBOOK_WORKERS_DIR"
"""Set by `serve` for several serving processes: the folder where they find each other."""

ASK_SECONDS: Final = 1.0
"""A process that does not answer for so long is left out; `studbook_workers` counts those that did."""

_FULL: Final = b"full\n"
_OPEN: Final = b"open\n"
_MOST: Final = 1024


class Workers:
    """This process among those of one `serve`; `refresh` brings up to date what is looked up only when asked."""

    def __init__(self, folder: Path | None, refresh: Callable[[], None]) -> None:
        self._folder = folder
        self._refresh = refresh
        self._name: str | None = None
        self._lock = -1
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Take a number and listen; nothing where this process is the only one."""
        if self._folder is None:
            return
        self._name, self._lock = _claimed(self._folder)
        path = self._socket(self._name)
        path.unlink(missing_ok=True)  # of the dead process that had the number
        self._server = await asyncio.start_unix_server(self._answer, path)

    async def stop(self) -> None:
        """Give the number back."""
        if self._server is not None:
            self._server.close()
        if self._lock >= 0:
            os.close(self._lock)

    async def text(self, *, full: bool) -> tuple[list[bytes], int]:
        """The figures of all serving processes, and of how many."""
        asked = [self._asked(one, full=full) for one in self._neighbours()]
        found = [self._own(full=full), *[one for one in await asyncio.gather(*asked) if one]]
        return found, len(found)

    def _own(self, *, full: bool) -> bytes:
        self._refresh()
        return metrics.own(self._name, full=full)

    def _neighbours(self) -> list[Path]:
        if self._folder is None:
            return []
        return sorted(one for one in self._folder.glob("*.sock") if one.stem != self._name)

    async def _asked(self, path: Path, *, full: bool) -> bytes:
        """What a neighbour says; empty when it is gone or too busy."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ASK_SECONDS):
                reader, writer = await asyncio.open_unix_connection(path)
                try:
                    writer.write(_FULL if full else _OPEN)
                    return await reader.read()
                finally:
                    writer.close()
        return b""

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            wanted = await reader.readline()
            writer.write(self._own(full=wanted == _FULL))
            await writer.drain()
        writer.close()

    def _socket(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{name}.sock"


def _claimed(folder: Path) -> tuple[str, int]:
    """The lowest free number and the lock that holds it."""
    for number in range(_MOST):
        descriptor = os.open(folder / f"{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return str(number), descriptor
    raise RuntimeError(f"more than {_MOST} serving processes")
