"""What is there after a fault: the log, the answers kept in it, the read models live and rebuilt. Taken at one time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from psycopg import Connection

from adapters.database.settings import Role
from adapters.event_store import LogReader
from adapters.event_store.rows import recorded
from adapters.projector import dump_hash, rebuild
from domain.chain import RawEvent
from services.chain import Anchor, Verdict, verify_chain
from services.ports import Recorded

Connect = Callable[[Role], Connection]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the log's own table keeps it; `body` None: it is made from the events."""

    status: int
    body: bytes | None
    position: int


@dataclass(frozen=True, slots=True)
class Projection:
    """A live read model: how far it is, why it stopped, and SHA-256 of its rows, live and folded anew from 0."""

    name: str
    position: int
    stopped: str | None
    live: str
    rebuilt: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """All of it."""

    rows: list[RawEvent]
    events: list[Recorded]
    verdict: Verdict
    kept: dict[tuple[str, str], Kept]
    """By operator and Idempotency-Key."""
    projections: list[Projection]
    at: datetime

    @property
    def head(self) -> int:
        """The position of the last event."""
        return self.rows[-1].position if self.rows else 0


def gather(connect: Connect, anchors: Collection[Anchor] = (), *, with_models: bool = True) -> Evidence:
    """Read it. With models: nobody may write meanwhile, since the live rows are compared with those folded anew."""
    with connect(Role.PROJECTOR) as conn:
        models = models_of(conn) if with_models else []
        rows = list(LogReader(conn).raw())
    with connect(Role.WRITER) as conn:
        found = conn.execute("SELECT operator, key, status, body, position FROM idempotency WHERE scope = 'key'")
        kept = {
            (operator, key): Kept(status, None if body is None else bytes(body), position)
            for operator, key, status, body, position in found
        }
    events = [recorded(row.position, row.stream, row.version, row.name, row.state) for row in rows]
    return Evidence(rows, events, verify_chain(rows, anchors), kept, models, datetime.now(UTC))


def models_of(conn: Connection, progress: Callable[[int], None] = lambda _: None) -> list[Projection]:
    """Each live model before and after it was folded anew from position 0. Nobody may write meanwhile. `progress` is
    told the position reached."""
    rows = conn.execute(
        "SELECT model, position, stopped_reason FROM view_progress WHERE live ORDER BY model"
    ).fetchall()
    live = {name: dump_hash(conn, name) for name, _, _ in rows}
    if all(stopped is None for _, _, stopped in rows):
        rebuild(conn, progress=progress)
    return [Projection(name, position, stopped, live[name], dump_hash(conn, name)) for name, position, stopped in rows]


def wait_until(condition: Callable[[], bool], seconds: float, pause: float = 0.05) -> bool:
    """Whether it came about in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True
