"""Who may do what with the rows: the rights that the schema gives to each login."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import Connection

from adapters.database.settings import Role
from tests.postgres import Database

INSERT_EVENT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state, notification_id, operator_seq, hash) "
    "VALUES (%s, %s, 'test.happened.v1', %s, %s, %s, %s)"
)
INSERT_KEY = "INSERT INTO idempotency VALUES (%s, 'key', %s, %s, 200, %s, 1)"
INSERT_VIEW = "INSERT INTO view_rows VALUES ('balances', 1, %s, 'g', 'k', %s)"


def add_event(conn: Connection, operator: str, position: int, hashed: bytes = bytes(32)) -> None:
    conn.execute(INSERT_EVENT, [f"{operator}/wallet/p{position}", 1, b"{}", position, position, hashed])


def rows(conn: Connection, table: str) -> int:
    found = conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.parametrize("role", [*Role, "superuser"])
@pytest.mark.parametrize(
    "change",
    ["UPDATE {} SET operator_seq = 9", "UPDATE {} SET operator_seq = 9 WHERE false", "DELETE FROM {}", "TRUNCATE {}"],
)
def test_no_login_changes_or_removes_an_event(database: Database, role: str, change: str) -> None:
    with database.connect("writer") as conn:
        add_event(conn, "lucky", 1)
    conninfo = database.superuser if role == "superuser" else database.conninfo(role)
    with (
        psycopg.connect(conninfo, autocommit=True) as conn,
        pytest.raises((psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)),
    ):
        conn.execute(change.format("studbook.stored_events").encode())
    with database.connect("backup") as conn:
        assert conn.execute("SELECT operator_seq FROM stored_events").fetchall() == [(1,)]


@pytest.mark.parametrize("role", [*Role, "superuser"])
@pytest.mark.parametrize("change", ["UPDATE {} SET status = 500", "DELETE FROM {}", "TRUNCATE {}"])
def test_no_login_changes_or_removes_an_idempotency_record(database: Database, role: str, change: str) -> None:
    with database.connect("writer") as conn:
        conn.execute(INSERT_KEY, ["lucky", "k1", b"f", b"{}"])
    conninfo = database.superuser if role == "superuser" else database.conninfo(role)
    with (
        psycopg.connect(conninfo, autocommit=True) as conn,
        pytest.raises((psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)),
    ):
        conn.execute(change.format("studbook.idempotency").encode())
    with database.connect("writer") as conn:
        assert conn.execute("SELECT status FROM idempotency").fetchall() == [(200,)]


@pytest.mark.parametrize("role", [Role.OWNER, Role.PROJECTOR, Role.REQUEST, Role.BACKUP])
def test_only_the_writer_adds_events(database: Database, role: Role) -> None:
    with database.connect(role, operator="lucky") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        add_event(conn, "lucky", 1)


def test_a_request_without_an_operator_sees_no_rows(database: Database) -> None:
    with database.connect("writer") as writer, database.connect("projector") as projector:
        add_event(writer, "lucky", 1)
        projector.execute(INSERT_VIEW, ["lucky", b"{}"])
        writer.execute("INSERT INTO operators (operator) VALUES ('lucky')")
    with database.connect("request") as conn:
        assert [rows(conn, table) for table in ("stored_events", "view_rows", "operators")] == [0, 0, 0]
        with conn.transaction():
            conn.execute("SELECT set_config('studbook.operator', 'lucky', true)")
            assert [rows(conn, table) for table in ("stored_events", "view_rows", "operators")] == [1, 1, 1]
        assert [rows(conn, table) for table in ("stored_events", "view_rows", "operators")] == [0, 0, 0]


def test_a_request_sees_its_operator_alone(database: Database) -> None:
    with database.connect("writer") as writer, database.connect("projector") as projector:
        for position, operator in enumerate(("lucky", "royal", "lucky"), start=1):
            add_event(writer, operator, position)
        for operator in ("lucky", "royal"):
            projector.execute(INSERT_VIEW, [operator, operator.encode()])
        assert rows(projector, "stored_events") == 3
    with database.connect("request", operator="royal") as conn:
        assert conn.execute("SELECT originator_id FROM stored_events").fetchall() == [("royal/wallet/p2",)]
        assert conn.execute("SELECT body FROM view_rows").fetchall() == [(b"royal",)]


def test_the_owner_sees_no_events_and_the_backup_sees_all(database: Database) -> None:
    with database.connect("writer") as writer:
        add_event(writer, "lucky", 1)
    with database.connect("backup") as backup:
        assert rows(backup, "stored_events") == 1
    with database.connect("owner") as owner:
        assert rows(owner, "stored_events") == 0


def test_the_request_login_finds_a_key_by_its_id_and_cannot_list_keys(database: Database) -> None:
    with database.connect("writer") as writer:
        writer.execute(
            "INSERT INTO api_keys (key_id, operator, subject, roles, secret_hash) VALUES ('k1', 'lucky', 's', %s, %s)",
            [["operator"], bytes(32)],
        )
    with database.connect("request") as conn:
        assert conn.execute("SELECT operator, roles FROM find_key('k1')").fetchall() == [("lucky", ["operator"])]
        assert conn.execute("SELECT operator FROM find_key('k2')").fetchall() == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("SELECT * FROM api_keys")
    with database.connect("writer") as writer:
        writer.execute("UPDATE api_keys SET revoked_at = now() WHERE key_id = 'k1'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            writer.execute("UPDATE api_keys SET operator = 'royal'")


def test_the_backup_login_writes_nothing(database: Database) -> None:
    with database.connect("backup") as conn:
        for change in ("INSERT INTO operators VALUES ('x')", "DELETE FROM view_rows", "CREATE TABLE studbook.x ()"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(change)


def test_F19_no_login_is_superuser_and_only_the_backup_bypasses_row_security(database: Database) -> None:
    with database.connect("writer") as conn:
        found = conn.execute(
            "SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication, rolbypassrls, rolcanlogin "
            "FROM pg_roles WHERE rolname LIKE 'studbook\\_%' ORDER BY 1"
        ).fetchall()
    logins = [(role.login, False, role is Role.BACKUP, True) for role in Role]
    assert found == sorted([*logins, ("studbook_chain", False, False, False)])


@pytest.mark.parametrize(
    "values",
    [
        ["a/w/1", 1, b"", 1, 1, bytes(31)],
        ["a/w/1", 1, b"", 1, 1, None],
        ["a/w/1", 1, b"", None, 1, bytes(32)],
        ["a/w/1", 1, b"", 1, None, bytes(32)],
        ["/w/1", 1, b"", 1, 1, bytes(32)],
    ],
)
def test_an_event_without_hash_position_sequence_or_operator_is_refused(
    database: Database, values: list[object]
) -> None:
    with database.connect("writer") as conn, pytest.raises(psycopg.errors.IntegrityError):
        conn.execute(INSERT_EVENT, values)


@pytest.mark.parametrize(
    "taken",
    [
        ["a/w/2", 1, b"", 1, 2, bytes(32)],
        ["a/w/2", 1, b"", 2, 1, bytes(32)],
        ["a/w/1", 1, b"", 2, 2, bytes(32)],
    ],
)
def test_position_sequence_and_version_are_unique(database: Database, taken: list[object]) -> None:
    with database.connect("writer") as conn:
        conn.execute(INSERT_EVENT, ["a/w/1", 1, b"", 1, 1, bytes(32)])
        with pytest.raises(psycopg.errors.UniqueViolation):
            conn.execute(INSERT_EVENT, taken)


def test_a_tamper_connection_passes_the_triggers(database: Database) -> None:
    with database.connect("writer") as conn:
        add_event(conn, "lucky", 1)
    with database.tamper() as conn:
        assert conn.execute("UPDATE stored_events SET state = 'x'").rowcount == 1
        assert conn.execute("DELETE FROM stored_events").rowcount == 1
