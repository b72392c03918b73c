"""Is there such an operator? A name that was mistyped must not read as one without any activity."""

from __future__ import annotations

from typing import Final

from psycopg import Connection

from domain.errors import Invalid

_KNOWN: Final = """
    SELECT EXISTS (SELECT FROM operators WHERE operator = %(operator)s)
        OR EXISTS (SELECT FROM stored_events WHERE operator = %(operator)s)
"""


def require_operator(conn: Connection, operator: str) -> None:
    """Raises Invalid where there is neither a key's operator of this name nor an event of one."""
    row = conn.execute(_KNOWN, {"operator": operator}).fetchone()
    if row is None or not row[0]:
        raise Invalid(f"there is no operator {operator!r}", field="operator")
