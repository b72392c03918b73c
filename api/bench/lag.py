"""How far the read models are behind the log, in time: watched from outside while the load goes on."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

import psycopg

from api.bench.faults import BenchFailed

LOOK_SECONDS: Final = 0.02
WAIT_SECONDS: Final = 30.0
_LOOK: Final = """
    SELECT (SELECT max(notification_id) FROM studbook.stored_events),
           (SELECT min(position) FROM studbook.view_progress WHERE live)"""

QUIET_SECONDS: Final = 60.0


def await_read_models(conninfo: str, seconds: float = QUIET_SECONDS) -> None:
    """Wait until no model is behind the log, so that what is measured next shares the machine with no work on what was
    measured before. BenchFailed when that takes too long.
    """
    until = time.perf_counter() + seconds
    with psycopg.connect(conninfo, autocommit=True) as conn:
        while True:
            head, seen = _ends(conn)
            if seen >= head:
                return
            if time.perf_counter() > until:
                raise BenchFailed(f"the read models of {conn.info.dbname} are still {head - seen} events behind")
            time.sleep(LOOK_SECONDS)


def _ends(conn: psycopg.Connection) -> tuple[int, int]:
    """The log's end, and how far the model is that is furthest behind."""
    row = conn.execute(_LOOK, prepare=True).fetchone()
    return ((row[0] or 0), (row[1] or 0)) if row else (0, 0)


@dataclass(slots=True)
class LagWatch:
    """Looks every 20 ms at the log's end and at the model that is furthest behind.

    A lag is the time from the look that first saw an end of the log to the look that first saw every model there, so
    it is too long by up to one look, never too short by more.
    """

    conninfo: str
    lags: list[float] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _fault: Exception | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._watch, daemon=True, name="bench-lag")
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(WAIT_SECONDS + 10)
        if kind is None and self._fault is not None:
            raise self._fault

    def _watch(self) -> None:
        try:
            with psycopg.connect(self.conninfo, autocommit=True) as conn:
                self._look(conn)
        except psycopg.Error as fault:
            self._fault = fault

    def _look(self, conn: psycopg.Connection) -> None:
        """Until told to stop, and then until the models have caught up."""
        ahead: deque[tuple[float, int]] = deque()
        until = float("inf")
        while time.perf_counter() < until:
            head, seen = _ends(conn)
            now = time.perf_counter()
            if not self._stop.is_set() and (not ahead or ahead[-1][1] < head):
                ahead.append((now, head))
            while ahead and ahead[0][1] <= seen:
                self.lags.append(now - ahead.popleft()[0])
            if self._stop.is_set():
                if not ahead:
                    return
                until = min(until, now + WAIT_SECONDS)
            time.sleep(LOOK_SECONDS)
        self.lags += [time.perf_counter() - since for since, _ in ahead]
