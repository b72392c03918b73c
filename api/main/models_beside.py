"""Read models compared with a fresh fold of the events: here, or in a process beside for a log that is long.

That process is a fork where no threads run, since it is there at once with all that is loaded. It tells through a pipe
how far it is, and then what it found; when nobody reads that any more, as after a `kill -9`, it ends.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final

from psycopg import Connection

from adapters.database.connections import connect
from adapters.projector import compare_models
from api.main.garbage import settled_down
from domain.errors import Unavailable
from services.audit import Finding

BESIDE_EVENTS: Final = 20_000
"""A shorter log is read twice in the time that another process takes to begin."""
FINDINGS_MOST: Final = 20
TOLD_TIMES: Final = 200
"""How often the other process says how far it is: the pipe holds so much while nobody reads it."""

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
    context: Any = multiprocessing.get_context("fork" if threading.active_count() == 1 else "spawn")
    ours, theirs = context.Pipe(duplex=False)
    other = context.Process(target=_compare_beside, args=(conninfo, head, ours, theirs), daemon=True)
    other.start()
    theirs.close()
    try:
        yield lambda progress: _waited(ours, progress)
    finally:
        ours.close()
        other.terminate()  # who is interrupted does not wait for what it finds
        other.join()


def compared(conn: Connection, progress: Callable[[int], None]) -> list[Finding]:
    """Where read models are not what the events say."""
    return [
        Finding("models", one.position, f"{one.model}: {one.reason or f'row {one.grp} {one.key} of {one.operator}'}")
        for one in compare_models(conn, limit=FINDINGS_MOST, progress=progress)
    ]


def _waited(ours: Pipe, progress: Callable[[int], None]) -> list[Finding]:
    """What the other process found. Raises what ended it, Unavailable where it could not tell."""
    while True:
        try:
            said: int | list[Finding] | Exception = ours.recv()
        except EOFError:
            raise Unavailable("the process that compares read models was ended") from None
        if isinstance(said, Exception):
            raise said
        if not isinstance(said, int):
            return said
        progress(said)


def _compare_beside(conninfo: str, head: int, ours: Pipe, theirs: Pipe) -> None:
    """Compare, and say how it ended, in the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ours.close()
    told = 0

    def tell(position: int) -> None:
        nonlocal told
        if position - told > head // TOLD_TIMES:
            told = position
            theirs.send(position)

    try:
        with connect(conninfo) as conn, settled_down():
            theirs.send(compared(conn, tell))
    except BrokenPipeError:
        pass  # nobody waits any more
    except Exception as fault:
        theirs.send(fault)
