"""The pools of an operator as the read model has them stored, for who holds them against the log."""

from __future__ import annotations

from typing import Final

from psycopg import Connection

from adapters.projector.storage import live_generations
from adapters.view_store.rows import RowError, decode_as
from domain.views.jackpots import JACKPOTS, Pool

_ROWS: Final = """
    SELECT key, body FROM view_rows WHERE model = %s AND generation = %s AND operator = %s AND grp = 'pool'"""


def stored_pools(conn: Connection, operator: str) -> tuple[int, dict[str, Pool]] | None:
    """How far the live model has come, and its pools by id; one that cannot be read is not among them. None where no
    projector has run yet.
    """
    live = live_generations(conn, [JACKPOTS])
    if not live:
        return None
    found = {}
    for key, body in conn.execute(_ROWS, [JACKPOTS.name, live[0].number, operator]).fetchall():
        try:
            found[key] = decode_as(Pool, body)
        except RowError:
            continue
    return live[0].position, found
