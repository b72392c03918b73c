"""Part of a rebuild in a process of its own, on a connection of its own: models are independent of each other, and
some can be folded player by player (`sharing`).

The process is a fork, since it is there at once with all that is loaded. It tells the position it has reached through a
pipe; when nobody reads that any more, as after a `kill -9`, it ends. While it lives it shares a lock that a rebuild
takes alone before it removes rows, so none of its rows come after that.
"""

from __future__ import annotations

import json
import os
import select
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import psycopg
from psycopg import Connection
from psycopg.conninfo import make_conninfo

from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.locks import REBUILD_LOCK, REBUILD_PART_LOCK
from adapters.database.settings import one_line
from adapters.projector.building import Part, Progress, RebuildRefused, build
from adapters.projector.sharing import Share
from adapters.projector.storage import Generation, prepare_session

EVENTS_MIN: Final = 20_000
"""A log that is shorter is folded sooner by one process."""
FIRST_PERCENT: Final = 82
"""So many of a hundred players are folded by the one process where the other one folds other models besides: then both
take about as long."""

_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM stored_events"
_HELD: Final = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = %s
        AND classid = %s AND objid = %s AND objsubid = 2)"""


def parts(conn: Connection, group: Sequence[Generation]) -> tuple[Part, Part] | None:
    """What this process folds, and what another one does; None where that would not help, or where threads run here,
    which a fork would leave out. The first folds nothing but events by player, the other one all the rest.
    """
    row = conn.execute(_HEAD).fetchone()
    upto = row[0] if row else 0
    mine = [replace(one, model=replace(one.model, reads=one.model.by_player)) for one in group if one.model.by_player]
    is_alone = threading.active_count() == 1
    if not mine or not is_alone or len(os.sched_getaffinity(0)) < 2 or upto < EVENTS_MIN:
        return None
    percent = FIRST_PERCENT if len(mine) < len(group) else 50
    first = Part(mine, upto, Share((one.model for one in mine), 0, percent))
    return first, Part(group, upto, Share((one.model for one in group), percent, 100))


@dataclass(slots=True)
class Apart:
    """The other process, as seen from here."""

    pid: int
    pipe: int
    group: Sequence[Generation]
    _position: int = 0
    _told: dict[str, Any] = field(default_factory=dict)
    _rest: bytes = b""

    def position(self) -> int:
        """How far it has said that it is."""
        while not self._told and select.select([self.pipe], [], [], 0)[0]:
            self._read()
        return self._position

    def result(self, progress: Progress) -> list[Generation]:
        """Wait for its generations. Raises RebuildRefused."""
        while not self._told:
            self._read()
            progress(self._position)
        if "fault" in self._told:
            raise RebuildRefused(self._told["fault"])
        positions = self._told["positions"]
        return [replace(one, position=positions[one.model.name]) for one in self.group]

    def _read(self) -> None:
        """One read of what it says: a JSON object a line."""
        got = os.read(self.pipe, 65_536)
        if not got:
            self._told = {"fault": "a process of the rebuild was ended; nothing has changed"}
        *lines, self._rest = (self._rest + got).split(b"\n")
        for line in lines:
            said = json.loads(line)
            self._position = said.get("position", self._position)
            if "position" not in said:
                self._told = said


@contextmanager
def build_apart(conn: Connection, part: Part, batch: int) -> Iterator[Apart]:
    """Fold this part in another process; it has ended when this ends."""
    conninfo = make_conninfo(conn.info.dsn, password=conn.info.password)
    owner = conn.info.backend_pid
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(reading)
            _work(conninfo, owner, part, batch, writing)
        finally:
            os._exit(0)  # nothing of the parent's is cleaned up here
    os.close(writing)
    try:
        yield Apart(pid, reading, part.group)
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _work(conninfo: str, owner: int, part: Part, batch: int, pipe: int) -> None:
    """Fold, and say how it ended, in the other process."""
    with suppress(BrokenPipeError):
        try:
            with connect(conninfo) as conn:
                prepare_session(conn)
                conn.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", REBUILD_PART_LOCK)
                _require_owner(conn, owner)
                made = build(conn, part, batch, lambda position: _say(pipe, {"position": position}))
        except (psycopg.Error, StartRefused, RebuildRefused) as error:
            _say(pipe, {"fault": one_line(error)})
        except BrokenPipeError:
            raise
        except Exception as error:  # it is told to whoever asked for the rebuild
            _say(pipe, {"fault": f"{type(error).__name__}: {one_line(error)}"})
        else:
            _say(pipe, {"positions": {one.model.name: one.position for one in made}})


def _require_owner(conn: Connection, owner: int) -> None:
    """The rebuild that this is a part of still has its lock: each later one waits for this process."""
    row = conn.execute(_HELD, [owner, *REBUILD_LOCK]).fetchone()
    if row is None or not row[0]:
        raise RebuildRefused("the rebuild has lost its connection")


def _say(pipe: int, what: dict[str, Any]) -> None:
    os.write(pipe, json.dumps(what).encode() + b"\n")
