"""One process per database makes the exports of all operators, one after the other.

It holds a session lock; a second one waits for it. It is woken when somebody asks and looks by itself every second.
Whatever kills it, the export that it had begun is begun again, by it or by the next; one that kills it each time is
given up after ATTEMPTS_MOST.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event as Signal
from typing import Final, NamedTuple

import psycopg
from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.locks import EXPORTER_LOCK
from adapters.database.settings import one_line
from adapters.export_store import CHANNEL
from adapters.exporter.jobs import Jobs
from domain.exports import ATTEMPTS_MOST, FILE_BYTES_MOST, Export

POLL_SECONDS: Final = 1.0
LOCK_SECONDS: Final = 1.0
NOTE_SECONDS: Final = 0.5
FIGURES_SECONDS: Final = 2.0
FORGET_SECONDS: Final = 60.0
_PAUSE_FIRST, _PAUSE_MOST = 0.1, 5.0

log = logging.getLogger("studbook.exporter")


class Failed(Exception):
    """An export cannot be made; why, for who asked for it."""


class Stopped(Exception):
    """The process is told to end while it makes an export."""


class Made(NamedTuple):
    """What was written: the manifest as JSON, how many bytes, up to which position of the log."""

    manifest: str
    size: int
    position: int


Work = Callable[[Connection, Export, Path, Callable[[int], None]], Made]
"""Writes an export to a path, telling how far it is. Raises Failed."""


class Exporter:
    """Works until `stop` is set; errors are logged and waited out. `conninfo` is the projector's login."""

    def __init__(self, conninfo: str, work: Work) -> None:
        self._conninfo = conninfo
        self._work = work
        self._done = 0
        self._failed = 0
        self._due = {"figures": 0.0, "forget": 0.0}

    def run(self, stop: Signal) -> None:
        """Make exports until `stop` is set."""
        pause = _PAUSE_FIRST
        while not stop.is_set():
            try:
                with connect(self._conninfo) as conn:
                    if self._have_lock(conn, stop):
                        pause = _PAUSE_FIRST
                        self._serve(conn, stop)
            except (psycopg.Error, StartRefused) as fault:
                log.warning("the exporter waits for the database: %s", one_line(fault))
            except Exception as fault:  # nothing may end the loop
                log.error("the exporter failed: %s: %s", type(fault).__name__, fault)
            stop.wait(pause)
            pause = min(pause * 2, _PAUSE_MOST)

    def _have_lock(self, conn: Connection, stop: Signal) -> bool:
        while not stop.is_set():
            row = conn.execute("SELECT pg_try_advisory_lock(%s)", [EXPORTER_LOCK]).fetchone()
            if row is not None and row[0]:
                return True
            stop.wait(LOCK_SECONDS)
        return False

    def _serve(self, conn: Connection, stop: Signal) -> None:
        conn.execute(f"LISTEN {CHANNEL}".encode())
        jobs = Jobs(conn)
        self._due = {"figures": 0.0, "forget": 0.0}
        while not stop.is_set():
            while not stop.is_set() and (one := jobs.next()) is not None:
                self._make(conn, jobs, one, stop)
            if self._is_due("figures", FIGURES_SECONDS):
                jobs.figures(self._done, self._failed)
            if self._is_due("forget", FORGET_SECONDS):
                jobs.forget()
            for _ in conn.notifies(timeout=POLL_SECONDS, stop_after=1):
                pass

    def _is_due(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now < self._due[what]:
            return False
        self._due[what] = now + seconds
        return True

    def _make(self, conn: Connection, jobs: Jobs, one: Export, stop: Signal) -> None:
        if one.attempts >= ATTEMPTS_MOST:
            self._give_up(jobs, one, f"its making was broken off {ATTEMPTS_MOST} times; ask for less, or tell us")
            return
        jobs.begin(one)
        noted = time.monotonic()

        def progress(position: int) -> None:
            nonlocal noted
            if stop.is_set():
                raise Stopped
            if time.monotonic() - noted >= NOTE_SECONDS:
                noted = time.monotonic()
                jobs.note(one, position)

        try:
            with tempfile.TemporaryDirectory(prefix="studbook-") as folder:
                path = Path(folder) / "export"
                made = self._work(conn, one, path, progress)
                if made.size > FILE_BYTES_MOST:
                    raise Failed(f"the file has {made.size} bytes, more than {FILE_BYTES_MOST}; ask for a shorter time")
                jobs.keep(one, path, made.manifest, made.position)
            self._done += 1
        except Failed as fault:
            self._give_up(jobs, one, str(fault))
        except Stopped:
            jobs.back(one)
        except psycopg.Error:
            raise
        except Exception as fault:
            log.exception("export %s of %s failed", one.export, one.kind)
            self._give_up(jobs, one, f"a fault of ours ({type(fault).__name__}); it is in the service's log")

    def _give_up(self, jobs: Jobs, one: Export, why: str) -> None:
        self._failed += 1
        jobs.fail(one, why)
