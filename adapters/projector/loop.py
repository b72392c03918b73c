"""The projector: one process per database keeps the read models up to date, whatever happens to its connection.

It holds a session lock; a second projector waits for it. It is woken by the writer's NOTIFY and looks by itself
every second. A lost connection is made again with growing pauses. An event that a model cannot take stops that model
just before it: the reason stands in `view_progress`, the other models go on, and the event is tried again with
growing pauses, since a new version of the program may take it. It is passed over only when an operator has recorded
that (`skipping`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from threading import Event as Signal
from typing import Any, Final

import psycopg
from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.locks import PROJECTOR_LOCK
from adapters.database.settings import DatabaseSettings, Role, one_line
from adapters.projector.batches import Memory, advance
from adapters.projector.facts import BATCH
from adapters.projector.folding import stopped_at
from adapters.projector.quiet import QuietLog
from adapters.projector.skipping import released
from adapters.projector.storage import (
    Generation,
    add_first_generations,
    live_generations,
    lock_models,
    prepare_session,
)
from domain.views import MODELS
from domain.views.model import Model

CHANNEL: Final = "studbook_events"
POLL_SECONDS: Final = 1.0
BUSY: Final = 30
"""A batch of so many events says that there is traffic."""
PACE_SECONDS: Final = 0.05
"""Then batches begin so far apart, since one costs the same for few events as for many: less work, and hardly later."""
LOADED: Final = 300
"""A batch of so many says that the machine has much to do."""
LOADED_PACE_SECONDS: Final = 0.1
"""Then they begin so far apart: rows that many of the events change, such as a table's, are written half as often."""
_LOCK_SECONDS: Final = 0.2
_PAUSE_FIRST, _PAUSE_MOST = 0.1, 5.0
_RETRY_FIRST, _RETRY_MOST = 1.0, 60.0


@dataclass(slots=True)
class _Retry:
    """When a stopped model is tried again, and how long the pause after that is."""

    at: float
    pause: float


@dataclass(slots=True)
class Projector:
    """Keeps `models` up to date on one connection at a time; `run` ends only when `stop` is set."""

    conninfo: str
    stop: Signal
    models: Mapping[str, Model[Any]] = field(default_factory=lambda: MODELS)
    batch: int = BATCH
    clock: Callable[[], float] = time.monotonic
    log: QuietLog = field(default_factory=lambda: QuietLog(logging.getLogger("studbook.projector")))
    _memory: Memory = field(default_factory=Memory)
    _retries: dict[str, _Retry] = field(default_factory=dict)

    def run(self) -> None:
        """Work until `stop` is set; errors are logged and waited out."""
        pause = _PAUSE_FIRST
        while not self.stop.is_set():
            try:
                with connect(self.conninfo) as conn:
                    prepare_session(conn)
                    if self._wait_for_lock(conn):
                        pause = _PAUSE_FIRST
                        self._follow(conn)
            except (psycopg.Error, StartRefused) as error:
                self.log.warning("projector lost its connection, again in %.1f s: %s", pause, one_line(error))
            except Exception as error:  # nothing may end the loop
                self.log.warning("projector failed, again in %.1f s: %s: %s", pause, type(error).__name__, error)
            else:
                continue
            self.stop.wait(pause)
            pause = min(pause * 2, _PAUSE_MOST)

    def _wait_for_lock(self, conn: Connection) -> bool:
        while not self.stop.is_set():
            row = conn.execute("SELECT pg_try_advisory_lock(%s)", [PROJECTOR_LOCK]).fetchone()
            if row is not None and row[0]:
                return True
            self.stop.wait(_LOCK_SECONDS)
        return False

    def _follow(self, conn: Connection) -> None:
        self._memory.recent.clear()  # whatever happened since
        conn.execute(f"LISTEN {CHANNEL}")
        add_first_generations(conn, list(self.models.values()))
        while not self.stop.is_set():
            began = self.clock()
            if not self.step(conn):
                for _ in conn.notifies(timeout=POLL_SECONDS, stop_after=1):
                    pass
            else:
                self.stop.wait(max(0.0, began + pace(self._memory.count, self.batch) - self.clock()))

    def step(self, conn: Connection) -> bool:
        """Bring each group of models one batch further; whether any of them read something."""
        row = conn.execute("SELECT max(notification_id) FROM stored_events").fetchone()
        head = row[0] if row and row[0] else 0
        live = live_generations(conn, list(self.models.values()))
        free = released(conn) if any(one.stopped is not None for one in live) else frozenset()
        due = sorted(
            (one for one in live if one.position < head and (one.model.name in free or self._is_due(one))),
            key=_position,
        )
        worked = False
        for position, group in groupby(due, key=_position):
            worked |= self._advance(conn, position, list(group))
        return worked

    def _advance(self, conn: Connection, position: int, group: list[Generation]) -> bool:
        models = [one.model for one in group]
        with conn.transaction():
            lock_models(conn, models)
            # A rebuild may have put other generations in place since we looked.
            here = [one for one in live_generations(conn, models) if one.position == position]
            if not here:
                return True
            now, count = advance(conn, self._memory, here, self.batch)
        self._note(here, now)
        return count > 0 and any(after.position > before.position for before, after in zip(here, now, strict=True))

    def _is_due(self, one: Generation) -> bool:
        retry = self._retries.get(one.model.name)
        return one.stopped is None or retry is None or self.clock() >= retry.at

    def _note(self, before: list[Generation], now: list[Generation]) -> None:
        """Plan the next try of what has stopped, and say so once."""
        fresh: list[tuple[str, str]] = []
        for old, new in zip(before, now, strict=True):
            name = new.model.name
            if new.stopped is None:
                if old.stopped is not None:
                    self.log.warning("%s goes on past %s", name, old.stopped)
                self._retries.pop(name, None)
                continue
            known = self._retries.get(name)
            if known is None or old.stopped != new.stopped:
                fresh.append((name, new.stopped))
                known = _Retry(0.0, _RETRY_FIRST)
            self._retries[name] = _Retry(self.clock() + known.pause, min(known.pause * 2, _RETRY_MOST))
        if fresh:
            self.log.warning("%s", stopped_at(fresh))


def pace(count: int, limit: int = BATCH) -> float:
    """Seconds from the begin of a batch of so many events, at most `limit`, to that of the next one.

    A slower pace makes larger batches, so it is kept until events come half as fast as when it was taken up. A full
    batch says that more are there already.
    """
    if count < BUSY or count >= limit:
        return 0.0
    return LOADED_PACE_SECONDS if count >= LOADED else PACE_SECONDS


def _position(one: Generation) -> int:
    return one.position


def run_projector(settings: DatabaseSettings, stop: Signal) -> None:
    """Keep the read models of the database up to date until `stop` is set; never raises for what can be waited out."""
    Projector(settings.conninfo(Role.PROJECTOR, "studbook projector"), stop).run()
