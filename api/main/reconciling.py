"""`studbook reconcile`, on the projector's login: it reads all events and the stored read model, in one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from psycopg import Connection

from adapters.codec import CodecError
from adapters.database.connections import connect
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.event_store import LogReader
from adapters.event_store.rows import recorded
from adapters.projector import stored_pools
from api.main.database import prepare
from api.main.environment import environment
from api.main.faults import told
from api.main.known import require_operator
from api.main.place import Place
from domain.errors import Unavailable
from services.ports import NewerEvent, Told
from services.reconcile.asked import Question, StoredModel, StoredPool, Unread
from services.reconcile.run import Run, reconcile

Progress = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it goes."""


@told()
def run(place: Place, question: Question, progress: Progress) -> tuple[Run, dict[int, str]]:
    """The run, and the chain's hash at the end of each day that was asked about, by position."""
    with ExitStack() as stack:
        prepare(place, stack)
        conn = stack.enter_context(connect(environment().settings.conninfo(Role.PROJECTOR, "studbook reconcile")))
        schema_state(conn)
        stack.enter_context(conn.transaction())
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        require_operator(conn, question.operator)
        try:
            return read(conn, question, progress)
        except NewerEvent as newer:
            raise Unavailable(str(newer)) from None


def read(conn: Connection, question: Question, progress: Progress) -> tuple[Run, dict[int, str]]:
    """The same on a connection that sees one state of the database. Raises NewerEvent."""
    found = LogReader(conn).head()
    head = 0 if found is None else found[0]
    log, model = _log(conn, question.operator), _model(conn, question)
    made = reconcile(question, log, model, lambda at: progress("events", at, head))
    closings = {made.closings[day] for day in made.closings if question.has(day)}
    return made, {position: _hash(conn, position) for position in closings if position}


def _log(conn: Connection, operator: str) -> Iterator[Told | Unread]:
    """The operator's events in order."""
    for row in LogReader(conn).raw():
        if row.operator != operator:
            continue
        try:
            yield Told(recorded(row.position, row.stream, row.version, row.name, row.state), row.name, None)
        except CodecError as fault:
            yield Unread(row.position, row.stream, row.name, " ".join(str(fault).split()))


def _model(conn: Connection, question: Question) -> StoredModel | None:
    found = stored_pools(conn, question.operator)
    if found is None:
        return None
    position, pools = found
    stored = {
        name: StoredPool(pool.meter_micro, pool.reserve_micro, pool.overflow_micro, pool.position)
        for name, pool in pools.items()
    }
    return StoredModel(position, stored)


def _hash(conn: Connection, position: int) -> str:
    row = conn.execute("SELECT hash FROM stored_events WHERE notification_id = %s", [position]).fetchone()
    return "" if row is None else bytes(row[0]).hex()
