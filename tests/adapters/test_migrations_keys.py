"""Rights on keys and on the access log: what each login may read, add and remove, and what nobody may."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from adapters.access_rows import INSERT, OldVisits, PostgresAccessRows, newest, row_of
from adapters.database.settings import Role
from adapters.keys import KeyRow, add_key, ensure_operator
from domain.access import DENIED, KEPT, LOGIN_FAILED, WEBHOOK_ADDED, AccessLine, Visit
from domain.changing import replace
from domain.errors import Unavailable
from tests.postgres import Database

NOW = datetime.now(UTC)


def line(operator: str | None, ago: timedelta = timedelta()) -> AccessLine:
    return AccessLine(NOW - ago, Visit(DENIED, operator, "ann", "k1", "10.0.0.1", "GET", "/v1/journal", 403), 2, "r1")


def add(database: Database, *lines: AccessLine) -> None:
    with database.connect("writer") as conn:
        for one in lines:
            conn.execute(INSERT, row_of(one))


CHANGES = [(role, f"{what} access_log{rest}") for role in (*Role, "superuser") for what, rest in
           (("UPDATE", " SET times = 9"), ("TRUNCATE", ""))]  # fmt: skip
DELETIONS = [(role, "DELETE FROM access_log") for role in (Role.WRITER, Role.REQUEST, Role.BACKUP)]


@pytest.mark.parametrize(("role", "change"), [*CHANGES, *DELETIONS])
def test_no_login_changes_a_line_or_removes_one_before_its_time(database: Database, role: str, change: str) -> None:
    add(database, line("lucky"), line("lucky", KEPT + timedelta(hours=1)))
    conninfo = database.superuser if role == "superuser" else database.conninfo(role)
    refused = (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)
    with psycopg.connect(conninfo, autocommit=True) as conn:
        conn.execute("SET search_path = studbook")
        with pytest.raises(refused):
            conn.execute(change.encode())
    with database.connect("projector") as conn:
        assert [one.times for one in newest(conn, "lucky", 9)] == [2, 2]


def test_the_login_that_removes_old_lines_removes_no_younger_one(database: Database) -> None:
    add(database, line("lucky", KEPT - timedelta(hours=1)), line("lucky", KEPT + timedelta(hours=1)))
    with database.connect("owner") as conn:
        assert conn.execute("DELETE FROM access_log").rowcount == 0, "the security policies show the owner no line"
    with database.connect("projector") as conn:
        assert conn.execute("DELETE FROM access_log").rowcount == 1
        assert [NOW - one.at for one in newest(conn, "lucky", 9)] == [KEPT - timedelta(hours=1)]


@pytest.mark.parametrize("role", [Role.OWNER, Role.PROJECTOR, Role.REQUEST, Role.BACKUP])
def test_only_the_writer_adds_lines_of_any_kind(database: Database, role: Role) -> None:
    with database.connect(role, operator="lucky") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(INSERT, row_of(line("lucky")))


def test_F19_a_request_adds_lines_of_its_operators_webhooks_alone(database: Database) -> None:
    added = line("lucky")
    of_webhooks = replace(added, visit=replace(added.visit, kind=WEBHOOK_ADDED))
    with database.connect("request", operator="royal") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(INSERT, row_of(of_webhooks))
    with database.connect("request", operator="lucky") as conn:
        conn.execute(INSERT, row_of(of_webhooks))
    with database.connect("projector") as conn:
        assert newest(conn, "lucky", 9) == [of_webhooks]


def test_F19_a_request_reads_its_operators_lines_alone_and_none_without_one(database: Database) -> None:
    add(database, line("lucky"), line("royal"), line(None))
    with database.connect("request") as conn:
        assert conn.execute("SELECT count(*) FROM access_log").fetchone() == (0,)
    for operator in ("lucky", "royal"):
        with database.connect("request", operator=operator) as conn:
            assert conn.execute("SELECT operator FROM access_log").fetchall() == [(operator,)]
    with database.connect("projector") as conn:
        assert [one.visit.operator for one in newest(conn, None, 9)] == [None]


def test_F19_a_request_lists_its_operators_keys_alone_and_no_hash(database: Database) -> None:
    with database.connect("writer") as conn:
        for operator in ("lucky", "royal"):
            ensure_operator(conn, operator, "strict")
            add_key(conn, KeyRow(f"key-{operator}", operator, "s", frozenset({"dealer"}), bytes(32)))
    with database.connect("request") as conn:
        assert conn.execute("SELECT key_id FROM api_keys").fetchall() == []
    with database.connect("request", operator="royal") as conn:
        assert conn.execute("SELECT key_id FROM api_keys").fetchall() == [("key-royal",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("SELECT secret_hash FROM api_keys")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("UPDATE api_keys SET revoked_at = NULL")


def test_a_dump_by_the_backup_login_gets_lines_and_counter(database: Database) -> None:
    add(database, line("lucky"), line(None))
    with database.connect("backup") as conn:
        assert conn.execute("SELECT count(*) FROM access_log").fetchone() == (2,)
        assert conn.execute("SELECT last_value FROM access_log_entry_seq").fetchone() == (2,)


async def test_lines_of_400_days_are_removed_and_younger_ones_stay(database: Database) -> None:
    add(database, *(line("lucky", KEPT + timedelta(days=nth)) for nth in range(5)), line("lucky"), line(None, KEPT * 2))
    assert await OldVisits(database.conninfo("projector"), batch=2).forget(NOW - KEPT) == 6
    with database.connect("projector") as conn:
        assert [one.at for one in newest(conn, "lucky", 9)] == [NOW]


async def test_lines_are_stored_all_or_none_and_again_after_a_lost_connection(database: Database) -> None:
    rows = PostgresAccessRows(database.conninfo("writer"))
    login = AccessLine(NOW, Visit(LOGIN_FAILED, detail="no key"), 1, None)
    await rows.append([line("lucky"), login])
    bad = AccessLine(NOW, Visit("no kind"), 1, None)
    with pytest.raises(Unavailable):
        await rows.append([line("lucky"), bad])
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        await rows.append([line("lucky")])
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'studbook_writer'"
            " AND datname = current_database()"
        )
    with pytest.raises(Unavailable):
        await rows.append([line("royal")])
    await rows.append([line("royal")])
    await rows.aclose()
    with database.connect("projector") as conn:
        assert newest(conn, None, 9) == [login]
        assert [len(newest(conn, operator, 9)) for operator in ("lucky", "royal")] == [2, 1]
