"""Rows that no order of positions shows, columns that are empty, answers and places of read models that were changed:
`studbook verify` names each, and ends on nothing that somebody wrote into the database (F21)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import pytest
from psycopg import Connection

from adapters.embedded import Cluster
from adapters.event_store import PostgresLog
from api.commands import verify as command
from api.main.auditing import Verification
from api.main.auditing import verify as run
from domain.errors import Unavailable
from services.audit import Finding
from tests.adapters.projecting import catch_up
from tests.postgres import Database, new_database
from tests.store.commands import environment
from tests.store.support import head_of
from tests.store.test_tampered_log import chain_anew
from tests.support.evening import evening_on

AT = 40
"""A position in the middle of the log."""

FREE = (
    "DROP INDEX stored_events_operator_seq, stored_events_notification_id_idx",
    "ALTER TABLE stored_events DROP CONSTRAINT stored_events_pkey, DROP CONSTRAINT position_counts_from_one",
)
"""What whoever owns the table can take away first."""
FORGED = """
    INSERT INTO stored_events (notification_id, originator_id, originator_version, topic, state, operator_seq, hash)
    SELECT {}, originator_id, 1000, topic, state, 1000000, hash FROM stored_events
    WHERE topic = 'wallet.deposited.v1' ORDER BY notification_id DESC LIMIT 1"""


@pytest.fixture(scope="module")
def story(cluster: Cluster, template: str) -> Iterator[Database]:
    """An evening in which everything happens, to copy from."""

    async def played(made: Database) -> None:
        log = PostgresLog(made.conninfo("writer"))
        await evening_on(log)
        await log.aclose()

    with new_database(cluster, template) as made:
        asyncio.run(played(made))
        catch_up(made)
        yield made


@pytest.fixture
def copied(story: Database) -> Iterator[Database]:
    """A copy of it."""
    with new_database(story.cluster, story.name) as made:
        yield made


def verified(database: Database) -> Verification:
    with patch.dict(os.environ, environment(database), clear=True):
        return run(database.settings.url, None, lambda *_: None)


def found_in(database: Database, *changes: str) -> Sequence[Finding]:
    """What is found once these statements were carried out."""
    with database.tamper() as conn:
        for change in changes:
            conn.execute(change.encode())
    return verified(database).findings


@pytest.mark.parametrize(
    ("position", "first_bad"),
    [("0", 0), ("-5", -5), ("NULL", None), (str(AT), AT)],
)
def test_F21_an_event_beside_the_order_of_positions_is_found(
    copied: Database, position: str, first_bad: int | None
) -> None:
    expected = head_of(copied) + 1 if first_bad is None else first_bad
    empty = "ALTER TABLE stored_events ALTER COLUMN notification_id DROP NOT NULL"
    first, *_ = found_in(copied, *FREE, empty, FORGED.format(f"{position}::bigint"))
    assert (first.check, first.position) == ("chain", expected), first


def test_F21_an_event_that_is_doubled_where_a_page_ends_is_found(
    copied: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.event_store.reading.PAGE", AT)
    monkeypatch.setattr("adapters.event_store.reading.LogReader.__init__.__defaults__", (AT,))
    first, *_ = found_in(copied, *FREE, FORGED.format(AT))
    assert (first.check, first.position) == ("chain", AT)


def test_F21_an_event_that_one_login_sees_and_another_does_not_is_found(copied: Database) -> None:
    head = head_of(copied)
    hidden = (
        "DROP POLICY projector_reads ON stored_events",
        (
            "CREATE POLICY projector_reads ON stored_events FOR SELECT TO studbook_projector"
            f" USING (notification_id <= {head} AND notification_id > 0)"
        ),
    )
    (found,) = [one for one in found_in(copied, *hidden, FORGED.format(head + 1)) if one.check == "chain"]
    assert (found.position, "sees" in found.reason) == (head + 1, True)


def test_F21_a_column_that_is_empty_is_found_at_its_event(copied: Database) -> None:
    columns = "notification_id", "originator_version", "topic", "state", "operator_seq", "hash", "originator_id"
    free = [*FREE, *(f"ALTER TABLE stored_events ALTER COLUMN operator DROP {it}" for it in ("EXPRESSION", "NOT NULL"))]
    for nth, column in enumerate(columns):  # each ahead of the one before, so that it is the first
        free.append(f"ALTER TABLE stored_events ALTER COLUMN {column} DROP NOT NULL")
        emptied = f"UPDATE stored_events SET {column} = NULL WHERE notification_id = {AT - nth}"
        first, *_ = found_in(copied, *free, emptied)
        assert (first.check, first.position) == ("chain", AT - nth), column
        free = []


def rewritten(field: str, value: str, position: int) -> str:
    return (
        f"UPDATE stored_events SET state = convert_to(regexp_replace(convert_from(state, 'UTF8'), '\"{field}\":\"....',"
        f" '\"{field}\":\"{value}'), 'UTF8') WHERE notification_id = {position}"
    )


def test_F21_a_time_that_cannot_be_is_found_though_the_chain_was_made_anew(copied: Database) -> None:
    head = head_of(copied)
    with copied.tamper() as conn:
        conn.execute(rewritten("recorded_at", "1970", head).encode())
        chain_anew(copied, conn)
    (found,) = [one for one in verified(copied).findings if one.check == "ledger"]
    assert found.position == head


ANSWERS = {
    "of another deposit": "SET body = o.body FROM idempotency o WHERE {own} AND o.key = '{other}' AND o.scope = 'key'",
    "with another balance": "SET body = {body}, '(\"available\": )', '\\19'), 'UTF8') WHERE {own}",
    "retargeted in row and body": "SET position = position - 1, body = {body}, '(\"position\": )\\d+', '\\1' ||"
    " (position - 1)), 'UTF8') WHERE {own}",
    "emptied": "SET body = NULL WHERE {own}",
    "of no success": "SET status = 409 WHERE {own}",
    "without its position": "SET body = '{{}}' WHERE {own}",
    "that is a list": "SET body = '[1]' WHERE {own}",
    "nested too deep": "SET body = convert_to(repeat('[', 100000), 'UTF8') WHERE {own}",
}
"""What may be done to an answer, with row and body in agreement."""


def test_F21_an_answer_that_is_not_the_one_given_is_found(copied: Database) -> None:
    with copied.tamper() as conn:
        kept = conn.execute(
            "SELECT key, position FROM idempotency WHERE scope = 'key' AND convert_from(body, 'UTF8') LIKE '%balance%'"
            " ORDER BY position LIMIT 9"
        ).fetchall()[::-1]
    for nth, change in enumerate(reversed(ANSWERS.values())):
        (own, position), (other, _) = kept[nth : nth + 2]
        named = {
            "own": f"idempotency.key = '{own}' AND idempotency.scope = 'key'", "other": other,
            "body": "convert_to(regexp_replace(convert_from(body, 'UTF8')",
        }  # fmt: skip
        first, *others = found_in(copied, f"UPDATE idempotency {change.format(**named)}")
        assert (first.check, first.position, len(others)) == ("answers", position, nth), change
    at = kept[0][1]
    first, *_ = found_in(
        copied,
        f"UPDATE idempotency SET body = convert_to('{{\"position\": {at}}}', 'UTF8'), position = {at}"
        " WHERE scope = 'transaction' AND position = 4",
    )
    assert (first.check, first.position) == ("answers", 4)
    free = "ALTER TABLE idempotency ALTER COLUMN position DROP NOT NULL"
    first, *_ = found_in(copied, free, "UPDATE idempotency SET position = NULL WHERE position = 2 AND scope = 'key'")
    assert (first.check, first.position) == ("answers", 0)


PROGRESS = {
    "balances": "UPDATE view_progress SET live = false WHERE model = 'balances'",
    "histories": "DELETE FROM view_progress WHERE model = 'histories'",
    "jackpots": "UPDATE view_progress SET position = NULL WHERE model = 'jackpots'",
    "rounds": "UPDATE view_progress SET position = -1 WHERE model = 'rounds'",
    "tables": "INSERT INTO view_progress (model, generation, position, live)"
    " SELECT model, generation + 1, 0, true FROM view_progress WHERE model = 'tables'",
    "players": "UPDATE view_progress SET position = 9 WHERE model = 'players'",
}
"""What may be done to the place of a read model, by the model."""


def test_F21_a_read_model_whose_place_was_changed_is_found(copied: Database) -> None:
    free = "ALTER TABLE view_progress ALTER COLUMN position DROP NOT NULL, DROP CONSTRAINT view_progress_position_check"
    found = found_in(copied, free, *PROGRESS.values())
    assert {one.check for one in found} == {"models"}
    assert {one.reason.split(":")[0] for one in found} == set(PROGRESS)


def test_what_was_written_into_the_database_is_no_command_to_a_terminal(copied: Database) -> None:
    head = head_of(copied)
    name = "op/seat/\x1b[2J\n     ok  everything\u202e" + "x" * 100_000

    def put(conn: Connection) -> None:
        conn.execute("UPDATE stored_events SET originator_id = %s WHERE notification_id = %s", [name, head])

    with copied.tamper() as conn:
        conn.execute("ALTER TABLE stored_events DROP CONSTRAINT stored_events_pkey")
        put(conn)
    shown = command._as_text(verified(copied))
    assert all(line.isprintable() for line in shown.split("\n"))
    assert (len(shown) < 10_000, "\\u001b[2J\\u000a" in shown) == (True, True)


def test_a_database_that_is_not_what_it_must_be_is_told_in_one_line(copied: Database) -> None:
    for change, back in (
        ("ALTER TABLE view_skips RENAME TO gone", "ALTER TABLE gone RENAME TO view_skips"),
        ("ALTER TABLE idempotency RENAME TO gone", "ALTER TABLE gone RENAME TO idempotency"),
        (
            "ALTER TABLE stored_events RENAME COLUMN hash TO gone",
            "ALTER TABLE stored_events RENAME COLUMN gone TO hash",
        ),
        ("REVOKE SELECT ON stored_events FROM studbook_projector", "SELECT 1"),
    ):
        with pytest.raises(Unavailable) as told:
            found_in(copied, change)
        assert ("the database" in told.value.detail, "\n" in told.value.detail) == (True, False), change
        with copied.tamper() as conn:
            conn.execute(back.encode())
