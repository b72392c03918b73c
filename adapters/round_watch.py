"""Incomplete rounds of all operators, for the timers: read with the projector's login, once per database."""

from __future__ import annotations

import psycopg
from psycopg import AsyncConnection

from adapters.database.connections import connect_async
from adapters.database.locks import TIMERS_LOCK
from adapters.view_store.rows import decode_as
from domain.frozen import dataclass
from domain.money import whole_minor
from domain.views.jackpots import JACKPOTS, Pool
from domain.views.lobby import LOBBY, LobbyTable
from domain.views.open_rounds import OPEN_ROUNDS, OpenRound

_ROWS = """
    SELECT r.operator, r.body FROM view_rows r JOIN view_progress p USING (model, generation)
    WHERE r.model = %s AND r.grp = %s AND p.live"""


_POOLS = """
    SELECT r.operator, r.body FROM view_rows r JOIN view_progress p USING (model, generation)
    WHERE r.model = %s AND r.grp = 'pool' AND p.live"""

_HEAD = "SELECT coalesce(max(notification_id), 0) FROM stored_events"


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """What a pool shows, for figures of the whole house."""

    operator: str
    jackpot: str
    currency: str
    meter_minor: int
    reserve_minor: int
    overflow_minor: int


class RoundWatch:
    """Holds the timers' session lock on a connection of its own; answers None while another process holds it."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._conn: AsyncConnection | None = None
        self._held = False

    async def look(self) -> tuple[list[OpenRound], list[tuple[str, LobbyTable]]] | None:
        """All incomplete rounds, and the tables with their operators; None while another process runs the timers.

        Raises psycopg.Error.
        """
        try:
            return await self._look()
        except psycopg.Error:
            await self.close()
            raise

    async def pools(self) -> list[PoolFigures]:
        """Every pool of every operator; nothing while another process runs the timers. Raises psycopg.Error."""
        if self._conn is None or not self._held:
            return []
        try:
            rows = await (await self._conn.execute(_POOLS, [JACKPOTS.name])).fetchall()
        except psycopg.Error:
            await self.close()
            raise
        return [_figures(operator, decode_as(Pool, bytes(body))) for operator, body in rows]

    async def head(self) -> int:
        """The position of the log's last event, whoever wrote it; 0 before the first look. Raises psycopg.Error."""
        if self._conn is None:
            return 0
        try:
            row = await (await self._conn.execute(_HEAD)).fetchone()
        except psycopg.Error:
            await self.close()
            raise
        return int(row[0]) if row else 0

    async def close(self) -> None:
        """Let the lock go."""
        conn, self._conn, self._held = self._conn, None, False
        if conn is not None:
            await conn.close()

    async def _look(self) -> tuple[list[OpenRound], list[tuple[str, LobbyTable]]] | None:
        if self._conn is None:
            self._conn = await connect_async(self._conninfo)
        if not self._held:
            row = await (await self._conn.execute("SELECT pg_try_advisory_lock(%s)", [TIMERS_LOCK])).fetchone()
            self._held = bool(row and row[0])
        if not self._held:
            return None
        rounds = await (await self._conn.execute(_ROWS, [OPEN_ROUNDS.name, "round"])).fetchall()
        tables = await (await self._conn.execute(_ROWS, [LOBBY.name, "table"])).fetchall()
        return (
            [decode_as(OpenRound, bytes(body)) for _, body in rounds],
            [(operator, decode_as(LobbyTable, bytes(body))) for operator, body in tables],
        )


def _figures(operator: str, pool: Pool) -> PoolFigures:
    balances = (pool.meter_micro, pool.reserve_micro, pool.overflow_micro)
    return PoolFigures(operator, pool.terms.jackpot, pool.terms.currency, *map(whole_minor, balances))
