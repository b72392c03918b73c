"""Read models compared with a fresh fold of the events: here, or in a process beside for a log that is long."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.sharedctypes import Synchronized
from typing import Final

from psycopg import Connection

from adapters.database.connections import connect
from adapters.projector import compare_models
from api.main.garbage import settled_down
from services.audit import Finding

BESIDE_EVENTS: Final = 20_000
"""A shorter log is read twice in the time that another process takes to begin."""
FINDINGS_MOST: Final = 20
LOOK_SECONDS: Final = 0.2

Wait = Callable[[Callable[[int], None]], list[Finding]]
"""Waits for what was found; is told the position reached."""


@contextmanager
def models_of(conn: Connection, conninfo: str, head: int) -> Iterator[Wait]:
    """What waits for the comparison, which begins at once in a process of its own where the log is long, and else on
    `conn` when it is asked for. `conninfo` is the projector's login.
    """
    if head < BESIDE_EVENTS:
        yield lambda progress: compared(conn, progress)
        return
    spawn = multiprocessing.get_context("spawn")
    reached = spawn.Value("q", 0)
    with ProcessPoolExecutor(1, spawn, _begin, (reached,)) as other:
        asked = other.submit(_compared_beside, conninfo)
        try:
            yield lambda progress: _waited(asked, reached, progress)
        except BaseException:
            for process in other._processes.values():  # who is interrupted does not wait for it
                process.terminate()
            raise


def compared(conn: Connection, progress: Callable[[int], None]) -> list[Finding]:
    """Where read models are not what the events say."""
    return [
        Finding("models", one.position, f"{one.model}: {one.reason or f'row {one.grp} {one.key} of {one.operator}'}")
        for one in compare_models(conn, limit=FINDINGS_MOST, progress=progress)
    ]


def _waited(asked: Future[list[Finding]], reached: Synchronized[int], progress: Callable[[int], None]) -> list[Finding]:
    while True:
        try:
            return asked.result(LOOK_SECONDS)
        except TimeoutError:
            progress(reached.value)


_REACHED: list[Synchronized[int]] = []


def _begin(reached: Synchronized[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends this process
    _REACHED.append(reached)


def _compared_beside(conninfo: str) -> list[Finding]:
    def note(position: int) -> None:
        _REACHED[0].value = position

    with connect(conninfo) as conn, settled_down():
        return compared(conn, note)
