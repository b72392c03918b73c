"""Is there such an operator, player, round or pool? See services.reports.known."""

from __future__ import annotations

from typing import Final

from psycopg import Connection

from domain.errors import Invalid
from services.reports.known import asked_about
from services.reports.scope import Scope

_KNOWN: Final = """
    SELECT EXISTS (SELECT FROM operators WHERE operator = %(operator)s)
        OR EXISTS (SELECT FROM stored_events WHERE operator = %(operator)s)
"""


def require_operator(conn: Connection, operator: str) -> None:
    """Raises Invalid where there is neither a key's operator of this name nor an event of one."""
    row = conn.execute(_KNOWN, {"operator": operator}).fetchone()
    if row is None or not row[0]:
        raise Invalid(f"there is no operator {operator!r}", field="operator")


_STREAM: Final = "SELECT EXISTS (SELECT FROM stored_events WHERE originator_id = %s)"


def require_asked(conn: Connection, scope: Scope) -> None:
    """Raises Invalid, naming the field, where the operator is not there, or what a report was asked about."""
    require_operator(conn, scope.operator)
    for field, stream, shown in asked_about(scope):
        row = conn.execute(_STREAM, [stream]).fetchone()
        if row is None or not row[0]:
            raise Invalid(f"{scope.operator} has no {shown}", field=field)
