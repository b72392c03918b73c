"""Two gaming days of two pools on the real store, and ways to plant what must not be there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from psycopg import Connection

from adapters.codec import CODEC
from adapters.event_store import LogReader, PostgresLog
from adapters.event_store.rows import recorded
from api.main.reconciling import read
from services.ports import Recorded
from services.reconcile.asked import Question
from services.reconcile.breaks import Break
from services.reconcile.run import Run
from tests.domain.showdowns import EURO
from tests.postgres import Database
from tests.support.cards import FLUSH, HIGH, ROYAL, hand
from tests.support.casino import Casino, Play

FIRST, SECOND = date(2026, 1, 2), date(2026, 1, 3)
NOW = datetime(2026, 1, 4, 12, tzinfo=UTC)


async def two_days(database: Database) -> None:
    """Seed, contributions, a reset, awards by pool and house, a void of yesterday's round, a correction, a transfer."""
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        for player in ("ann", "bob"):
            await casino.player(player, "EUR")
            await casino.deposit(player, 500_000, transaction=f"in-{player}")
        await casino.jackpot("j", EURO, reserve_ppm=100_000)
        await casino.jackpot("k", EURO, seed_minor=5_000, reset_minor=1_000)
        await casino.table("t", EURO, jackpot="j")
        first = await casino.played("t", {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2))})
        await casino.played("t", {"ann": Play(1, hand(ROYAL, 1)), "bob": Play(2, hand(HIGH, 2), call=False)})
        casino.clock.forward(86_400)
        await casino.played("t", {"ann": Play(1, hand(HIGH, 1)), "bob": Play(2, hand(FLUSH, 2))})
        await casino.void(first)
        await casino.correct("j", 1_500_000)
        await casino.transfer("k", "j", 2_000_000)
        await casino.withdraw("ann", 1_000, transaction="out-ann")
        await casino.played("t", {"ann": Play(1, hand(HIGH, 1))})
        await casino.roll_back("out-ann")
    await log.aclose()


def question(first: date = FIRST, last: date = SECOND, pool: str | None = None) -> Question:
    return Question("op", ZoneInfo("UTC"), first, last, pool, NOW)


@contextmanager
def planted(database: Database) -> Iterator[Connection]:
    """A connection that may change anything; nothing of it stays."""
    with database.tamper() as conn, conn.transaction(force_rollback=True):
        yield conn


def ran(conn: Connection, asked: Question | None = None) -> Run:
    return read(conn, asked or question(), lambda *_: None)[0]


def breaks_of(conn: Connection) -> list[Break]:
    return list(ran(conn).asked_breaks)


def events(conn: Connection, kind: type[Any], pool: str = "j") -> list[Recorded]:
    """The pool's events of a class."""
    rows = [row for row in LogReader(conn).raw() if row.stream == f"op/jackpot/{pool}"]
    found = [recorded(row.position, row.stream, row.version, row.name, row.state) for row in rows]
    return [one for one in found if isinstance(one.event, kind)]


def rewrite(conn: Connection, one: Recorded, event: Any) -> None:
    """Another event in the place of one; the chain is somebody else's to look after."""
    _, state = CODEC.encode(event, one.meta, one.entry, one.recorded_at)
    conn.execute("UPDATE stored_events SET state = %s WHERE notification_id = %s", [state, one.position])


def shift_balances(conn: Connection, after: Recorded, micro: int) -> None:
    """Let all later events of the pool, and its row of the read model, follow a meter that was posted otherwise."""
    for one in events(conn, object):
        move = getattr(one.event, "move", None)
        if one.position > after.position and move is not None:
            moved = replace(move, meter_after_micro=move.meter_after_micro + micro)
            rewrite(conn, one, replace(one.event, move=moved))
    alter_row(conn, lambda row: row | {"meter_micro": row["meter_micro"] + micro})


def alter_row(conn: Connection, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """The stored row of pool j."""
    where = "WHERE model = 'jackpots' AND grp = 'pool' AND key = 'j'"
    found = conn.execute(f"SELECT body FROM view_rows {where}").fetchall()
    assert len(found) == 1
    body = json.dumps(change(json.loads(bytes(found[0][0]))), separators=(",", ":")).encode()
    conn.execute(f"UPDATE view_rows SET body = %s {where}", [body])


def named(found: Sequence[Break]) -> list[tuple[str, str, int | None, str, str]]:
    """Class, what about, position, expected, found."""
    return [(one.kind.value, one.about, one.position, one.expected, one.found) for one in found]
