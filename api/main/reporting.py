"""`studbook report`, on the projector's login: it reads all events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.event_store import LogReader
from adapters.projector import FactReader
from api.main.database import prepare
from api.main.environment import environment, operators_zone
from api.main.faults import told
from api.main.known import require_asked
from api.main.place import Place
from services.reports.asking import CellName
from services.reports.run import Source, explain, run
from services.reports.scope import Scope
from services.reports.tables import Kind, Printed

Progress = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it goes."""


zone = operators_zone
"""The operators' zone, in which gaming days begin. StartRefused when STUDBOOK_ZONE names none."""


@told()
def report(place: Place, kind: Kind, scope: Scope, progress: Progress) -> Printed:
    """The report over the operator's events, read now from the log."""
    with reading(place) as (conn, head):
        require_asked(conn, scope)
        return run(kind, scope, FactReader().told(conn, scope.operator), lambda at: progress("events", at, head))


@told()
def sources(place: Place, kind: Kind, scope: Scope, cell: CellName) -> tuple[Source, ...]:
    """The events that a number of the report comes from."""
    with reading(place) as (conn, _):
        require_asked(conn, scope)
        return explain(kind, scope, FactReader().told(conn, scope.operator), cell)


@contextmanager
def reading(place: Place, name: str = "studbook report") -> Iterator[tuple[Connection, int]]:
    """A connection that reads all events, and the position of the last one."""
    with ExitStack() as stack:
        prepare(place, stack)
        conn = stack.enter_context(connect(environment().settings.conninfo(Role.PROJECTOR, name)))
        schema_state(conn)
        yield conn, _head(conn)


def _head(conn: Connection) -> int:
    found = LogReader(conn).head()
    return 0 if found is None else found[0]
