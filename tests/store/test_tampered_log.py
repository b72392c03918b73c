"""A log or a read model that somebody changed is found, by `studbook verify` and by the audit behind it (F21)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from psycopg import Connection

from adapters.embedded import Cluster
from adapters.event_store import LogReader, PostgresLog
from domain.chain import GENESIS, RawEvent, link
from domain.wallets.events import Deposited
from services.audit import Audit, audit
from services.chain import Anchor
from tests.adapters.projecting import catch_up
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.postgres import Database, new_database
from tests.store.commands import studbook
from tests.store.support import audit_of, decoded
from tests.support.casino import Casino, Play

ANSWERS = (
    "DELETE FROM idempotency WHERE position = %s AND scope = 'key'",
    "UPDATE idempotency SET position = position - 1 WHERE position = %s AND scope = 'key'",
    "UPDATE idempotency SET body = convert_to(regexp_replace(convert_from(body, 'UTF8'),"
    " '\"position\": *\\d+', '\"position\": 1'), 'UTF8') WHERE position = %s AND scope = 'key'",
    "UPDATE idempotency SET body = 'x' WHERE position = %s AND scope = 'key'",
    "UPDATE idempotency SET key = key || 'x' WHERE position = %s AND scope = 'key'",
)
"""What may be done to an answer, by its position."""


async def _told(database: Database) -> None:
    """Two players, three games, an award, a void."""
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        for player in ("ann", "bob"):
            await casino.player(player, "EUR", deposit=100_000)
        await casino.deposit("ann", 700)
        await casino.deposit("bob", 900)
        await casino.player("cyd", "USD", deposit=100_000)
        await casino.jackpot("j", EURO)
        await casino.table("live", LIVE)
        await casino.table("euro", EURO, jackpot="j")
        await casino.table("dollar", DOLLAR)
        await casino.played("euro", {"ann": Play(1, "Ac Qc 9c 7c 5c"), "bob": Play(2, call=False)})
        voided = await casino.played("live", {"ann": Play()})
        await casino.void(voided)
        await casino.played("dollar", {"cyd": Play(1)})
    await log.aclose()


@pytest.fixture(scope="module")
def story(cluster: Cluster, template: str) -> Iterator[Database]:
    """A database to copy from."""
    with new_database(cluster, template) as made:
        asyncio.run(_told(made))
        catch_up(made)
        yield made


@pytest.fixture
def copied(story: Database) -> Iterator[Database]:
    """A copy of the story."""
    with new_database(story.cluster, story.name) as made:
        yield made


def rows_of(database: Database) -> list[RawEvent]:
    with database.connect("projector") as conn:
        return list(LogReader(conn).raw())


def verified(database: Database) -> tuple[int, dict[str, Any]]:
    """Exit code and report of `studbook verify --json`."""
    done = studbook(database, "verify", "--json")
    return done.returncode, json.loads(done.stdout)


def deposits(database: Database) -> list[RawEvent]:
    return [row for row in rows_of(database) if isinstance(decoded(row).event, Deposited)]


def set_state(conn: Connection, row: RawEvent, state: bytes) -> None:
    conn.execute("UPDATE stored_events SET state = %s WHERE notification_id = %s", [state, row.position])


def swapped(database: Database, conn: Connection) -> int:
    """Two deposits change places between two wallets; the first of them is bad."""
    *_, one, other, _ = deposits(database)
    assert one.stream != other.stream
    set_state(conn, one, other.state)
    set_state(conn, other, one.state)
    return one.position


def moved(database: Database, conn: Connection) -> int:
    """Two deposits change their streams, with nothing else of them touched."""
    *_, one, other, _ = deposits(database)
    change = "UPDATE stored_events SET originator_id = %s, originator_version = %s WHERE notification_id = %s"
    conn.execute(change, ["op/wallet/aside", 1, one.position])
    conn.execute(change, [one.stream, one.version, other.position])
    conn.execute(change, [other.stream, other.version, one.position])
    return one.position


def changed(database: Database, conn: Connection) -> int:
    """One byte of an event differs."""
    row = rows_of(database)[17]
    set_state(conn, row, row.state[:-1] + bytes([row.state[-1] ^ 1]))
    return row.position


def deleted(database: Database, conn: Connection) -> int:
    """One event is gone."""
    conn.execute("DELETE FROM stored_events WHERE notification_id = 23")
    return 23


def dropped(database: Database, conn: Connection) -> int:
    """A whole stream is gone."""
    conn.execute("DELETE FROM stored_events WHERE originator_id = 'op/wallet/bob'")
    return next(row.position for row in rows_of(database) if decoded(row).stream == "op/player/bob") + 1


def cut_short(database: Database, conn: Connection) -> int:
    """Bug 87: the last two events are gone."""
    head = rows_of(database)[-1].position
    conn.execute("DELETE FROM stored_events WHERE notification_id > %s", [head - 2])
    return head - 1


def rechained(database: Database, conn: Connection) -> int:
    """An amount is changed, and every hash behind it made anew."""
    row = deposits(database)[2]
    amount = b'"amount_minor":700'
    assert row.state.count(amount) == 1
    set_state(conn, row, row.state.replace(amount, b'"amount_minor":800'))
    chain_anew(database, conn)
    return row.position


def rechained_swap(database: Database, conn: Connection) -> int:
    """Two deposits change places between two wallets, and every hash is made anew."""
    position = swapped(database, conn)
    chain_anew(database, conn)
    return position


def chain_anew(database: Database, conn: Connection) -> None:
    last = GENESIS
    for row in rows_of(database):
        last = link(
            last, stream=row.stream, version=row.version, name=row.name,
            position=row.position, sequence=row.sequence, state=row.state,
        )  # fmt: skip
        conn.execute("UPDATE stored_events SET hash = %s WHERE notification_id = %s", [last, row.position])


def test_a_log_that_nobody_touched_has_no_findings(copied: Database) -> None:
    code, report = verified(copied)
    assert (code, report["ok"], report["findings"]) == (0, True, [])
    assert report["events"] == rows_of(copied)[-1].position
    assert report["head_hash"] == rows_of(copied)[-1].hash.hex()
    assert audit_of(copied).findings == ()


Tamper = Callable[[Database, Connection], int]


@pytest.mark.parametrize("tamper", [swapped, moved, changed, deleted, dropped, cut_short, rechained, rechained_swap])
def test_F21_what_was_changed_in_the_log_is_found_at_its_position(copied: Database, tamper: Tamper) -> None:
    with copied.tamper() as conn:
        position = tamper(copied, conn)
    code, report = verified(copied)
    assert (code, report["ok"]) == (1, False)
    assert min(one["position"] for one in report["findings"]) == position
    if tamper is not cut_short:  # only the read models remember where the log ended
        assert audit_of(copied).findings[0].position == position


def test_F21_a_chain_made_anew_over_a_change_that_moves_no_money_is_found_by_a_noted_hash(copied: Database) -> None:
    rows = rows_of(copied)
    with copied.tamper() as conn:
        assert rows[29].state.count(b'"pit"') == 1
        set_state(conn, rows[29], rows[29].state.replace(b'"pit"', b'"pot"'))
        chain_anew(copied, conn)
    for row in rows[29:]:  # also in the middle of an entry: that the rest was not read is no fault of the ledger
        (found,) = anchored(copied, Anchor(row.position, row.hash)).findings
        assert (found.check, found.position) == ("chain", row.position)
    assert anchored(copied, Anchor(rows[28].position, rows[28].hash)).findings == ()


def anchored(database: Database, anchor: Anchor) -> Audit:
    return audit(rows_of(database), decoded, [anchor])


@pytest.mark.parametrize("change", ANSWERS)
def test_F21_an_answer_that_was_removed_or_changed_is_found_at_its_position(copied: Database, change: str) -> None:
    with copied.tamper() as conn:
        (position,) = conn.execute("SELECT position FROM idempotency ORDER BY position OFFSET 5").fetchone() or (0,)
        assert conn.execute(change.encode(), [position]).rowcount == 1
    code, report = verified(copied)
    assert (code, report["answers_kept"], report["versions_and_chain"]) == (1, False, True)
    (found,) = report["findings"]
    events = {one.position for one in map(decoded, rows_of(copied)) if one.position <= position}
    assert (found["check"], found["position"] in events) == ("answers", True)
    assert position - found["position"] < 5, "the first event of the command, or the position that was kept"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE view_rows SET body = convert_to(replace(convert_from(body, 'UTF8'), 'ann', 'eve'), 'UTF8')"
        " WHERE model = 'balances' AND convert_from(body, 'UTF8') LIKE '%ann%'",
        "DELETE FROM view_rows WHERE ctid = (SELECT min(ctid) FROM view_rows)",
        "UPDATE view_rows SET key = key || 'x' WHERE ctid = (SELECT max(ctid) FROM view_rows)",
    ],
    ids=["changed", "deleted", "renamed"],
)
def test_a_changed_row_of_a_read_model_is_found(copied: Database, change: str) -> None:
    with copied.tamper() as conn:
        assert conn.execute(change).rowcount > 0
    code, report = verified(copied)
    assert (code, report["read_models_equal_events"], report["versions_and_chain"]) == (1, False, True)
    assert {one["check"] for one in report["findings"]} == {"models"}
