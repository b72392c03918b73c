"""Two hundred ways to change the stored log behind our back: each is found (F21)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest
import pytest_asyncio
from psycopg import Connection

from adapters.event_store import LogReader
from domain.chain import RawEvent, link
from services.chain import Anchor, Fault, verify_chain
from tests.adapters.event_store_support import deposits, opened, put, stored
from tests.postgres import Database, new_database

PLAYERS, ROUNDS, EACH, SEED, ANCHOR_EVERY = 6, 10, 25, 7, 8
COLUMNS = "originator_id, originator_version, topic, state, notification_id, operator_seq, hash"


@pytest_asyncio.fixture
async def written(database: Database) -> AsyncIterator[tuple[Database, list[RawEvent]]]:
    """Sixty events in six wallets of two operators."""
    async with opened(database.conninfo("writer")) as log:
        for version in range(1, ROUNDS + 1):
            await put(
                log,
                [event for n in range(PLAYERS) for event in deposits(f"p{n}", [version], f"op-{n % 2}", amount=n + 1)],
            )
    yield database, stored(database)


Tamper = Callable[[Connection, list[RawEvent], random.Random], Fault]
"""Changes the log and tells what must be found: position, since, and a part of the reason."""


def update(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    position = dice.randint(1, len(rows))
    conn.execute("UPDATE stored_events SET state = state || ' '::bytea WHERE notification_id = %s", [position])
    return Fault(position, position, "hash does not follow")


def delete(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    position = dice.randint(1, len(rows) - 1)
    conn.execute("DELETE FROM stored_events WHERE notification_id = %s", [position])
    return Fault(position, position, "missing")


def cut_tail(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    left = dice.randint(0, len(rows) - 1)
    conn.execute("DELETE FROM stored_events WHERE notification_id > %s", [left])
    return Fault(left + 1, left + 1, f"an anchor holds {len(rows)} events")


def drop_stream(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    stream = dice.choice(rows).stream
    conn.execute("DELETE FROM stored_events WHERE originator_id = %s", [stream])
    first = min(row.position for row in rows if row.stream == stream)
    return Fault(first, first, "missing")


def insert(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    """A copy of an event under a new version, in the middle or at the end; what follows moves on by one."""
    position = dice.randint(1, len(rows) + 1)
    conn.execute(
        "UPDATE stored_events SET notification_id = notification_id + 1000 WHERE notification_id >= %s", [position]
    )
    conn.execute("UPDATE stored_events SET notification_id = notification_id - 999 WHERE notification_id > 1000")
    conn.execute(
        f"INSERT INTO stored_events ({COLUMNS}) SELECT originator_id, 999, topic, state, %s, 999, hash"
        " FROM stored_events WHERE notification_id <> %s LIMIT 1",
        [position, position],
    )
    return Fault(position, position, "version 999")


def reorder(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    first, second = sorted(dice.sample(range(1, len(rows) + 1), 2))
    for old, new in ((first, 1000), (second, first), (1000, second)):
        conn.execute("UPDATE stored_events SET notification_id = %s WHERE notification_id = %s", [new, old])
    return Fault(first, first, "")


def swap(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    """Two deposits of different wallets change places, name and bytes."""
    one, other = dice.sample(rows, 2)
    while one.stream == other.stream:
        other = dice.choice(rows)
    for target, source in ((one, other), (other, one)):
        conn.execute(
            "UPDATE stored_events SET topic = %s, state = %s WHERE notification_id = %s",
            [source.name, source.state, target.position],
        )
    first = min(one.position, other.position)
    return Fault(first, first, "hash does not follow")


def rechain(conn: Connection, rows: list[RawEvent], dice: random.Random) -> Fault:
    """An event is changed, and every hash from there on is made anew."""
    position = dice.randint(2, len(rows))
    previous = rows[position - 2].hash
    for row in rows[position - 1 :]:
        fields = row._asdict()
        del fields["hash"], fields["operator"]
        fields["state"] += b" " if row.position == position else b""
        previous = link(previous, **fields)
        conn.execute(
            "UPDATE stored_events SET state = %s, hash = %s WHERE notification_id = %s",
            [fields["state"], previous, row.position],
        )
    anchors = [anchor.position for anchor in anchors_of(rows)]
    found = min(anchor for anchor in anchors if anchor >= position)
    since = max((anchor for anchor in anchors if anchor < found), default=0) + 1
    return Fault(found, since, "an anchor holds")


def anchors_of(rows: list[RawEvent]) -> list[Anchor]:
    wanted = {*range(ANCHOR_EVERY, len(rows), ANCHOR_EVERY), len(rows)}
    return [Anchor(row.position, row.hash) for row in rows if row.position in wanted]


@pytest.mark.parametrize("tamper", [update, delete, cut_tail, drop_stream, insert, reorder, swap, rechain])
def test_F21_whatever_is_done_to_the_table_is_found(written: tuple[Database, list[RawEvent]], tamper: Tamper) -> None:
    database, rows = written
    dice = random.Random(SEED)
    with database.tamper() as conn:
        for _ in range(EACH):
            with conn.transaction(force_rollback=True):
                wanted = tamper(conn, rows, dice)
                found = verify_chain(LogReader(conn).raw(), anchors_of(rows)).fault
            assert found is not None
            assert (found.position, found.since) == (wanted.position, wanted.since)
            assert wanted.reason in found.reason
    assert verify_chain(stored(database), anchors_of(rows)).fault is None


def test_F21_no_false_alarm_on_a_copy_read_under_another_time_zone(
    written: tuple[Database, list[RawEvent]], template: str
) -> None:
    database, rows = written
    with new_database(database.cluster, template) as copy, database.tamper() as source, copy.tamper() as target:
        with source.cursor().copy(f"COPY stored_events ({COLUMNS}) TO STDOUT") as out:
            text = b"".join(out)
        with target.cursor().copy(f"COPY stored_events ({COLUMNS}) FROM STDIN") as into:
            into.write(text)
        target.execute("SET timezone = 'Pacific/Chatham'")
        target.execute("SET bytea_output = 'escape'")
        verdict = verify_chain(LogReader(target, page=13).raw(), anchors_of(rows))
    assert (verdict.events, verdict.fault) == (len(rows), None)


def test_F21_the_table_refuses_change_through_every_login(written: tuple[Database, list[RawEvent]]) -> None:
    database, rows = written
    for role in ("owner", "writer", "projector", "request", "backup"):
        for statement in (
            "UPDATE stored_events SET hash = hash",
            "DELETE FROM stored_events",
            "TRUNCATE stored_events",
        ):
            with database.connect(role) as conn, pytest.raises(psycopg.Error):
                conn.execute(statement.encode())
    assert stored(database) == rows
