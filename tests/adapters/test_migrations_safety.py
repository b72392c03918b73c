"""F31: settings that could lose an event, or show rows to a stranger, keep the service from starting."""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import cast

import psycopg
import pytest
from psycopg import Connection
from psycopg.conninfo import make_conninfo

from adapters.database.connections import connect
from adapters.database.errors import DatabaseUnreachable, SchemaRefused, StartRefused, UnsafeDatabase
from adapters.database.migrations import migrate, require_roles
from adapters.database.roles import set_up_server
from adapters.database.safety import check_safe, require_version
from adapters.database.settings import DatabaseSettings, Role, database_settings
from adapters.embedded import Cluster
from tests.postgres import Database


@pytest.mark.parametrize("role", ["writer", "projector", "request", "backup"])
def test_a_fresh_database_is_safe_for_each_role(database: Database, role: str) -> None:
    with database.connect(role) as conn:
        assert check_safe(conn, {}) == []


def test_F31_the_function_path_of_the_library_is_refused(database: Database) -> None:
    with database.connect("writer") as conn, pytest.raises(UnsafeDatabase, match="POSTGRES_ENABLE_DB_FUNCTIONS"):
        check_safe(conn, {"POSTGRES_ENABLE_DB_FUNCTIONS": "y"})


def test_F31_asynchronous_commit_is_refused(database: Database) -> None:
    with database.connect("writer") as conn:
        conn.execute("SET synchronous_commit = off")
        with pytest.raises(UnsafeDatabase, match="synchronous_commit is off"):
            check_safe(conn, {})


def test_F31_a_superuser_is_refused(database: Database) -> None:
    with psycopg.connect(database.superuser) as conn, pytest.raises(UnsafeDatabase, match="superuser"):
        check_safe(conn, {})


def test_F31_the_owner_is_refused(database: Database) -> None:
    with database.connect("owner") as conn, pytest.raises(UnsafeDatabase, match="owns tables"):
        check_safe(conn, {})


@pytest.mark.parametrize("loosened", ["NO FORCE ROW LEVEL SECURITY", "DISABLE ROW LEVEL SECURITY"])
def test_F31_row_security_that_is_not_forced_is_refused(database: Database, loosened: str) -> None:
    with database.connect("owner") as conn:
        conn.execute(f"ALTER TABLE studbook.view_rows {loosened}".encode())
    with database.connect("request") as conn, pytest.raises(UnsafeDatabase, match="not forced on view_rows"):
        check_safe(conn, {})


def test_F31_a_login_that_may_become_another_is_refused(database: Database) -> None:
    # rolled back at the end: logins belong to the whole server, which other tests use
    with psycopg.connect(database.superuser) as conn:
        conn.execute("GRANT studbook_projector TO studbook_request")
        conn.execute("SET LOCAL ROLE studbook_request")
        with pytest.raises(UnsafeDatabase, match="studbook_request is a member of studbook_projector"):
            check_safe(conn, {})
        conn.rollback()


def test_F31_a_login_of_the_service_that_may_become_the_chains_role_is_refused(database: Database) -> None:
    with psycopg.connect(database.superuser) as conn:
        conn.execute("GRANT studbook_chain TO studbook_request")
        conn.execute("SET LOCAL ROLE studbook_request")
        with pytest.raises(UnsafeDatabase, match="studbook_request is a member of studbook_chain"):
            check_safe(conn, {})
        conn.rollback()


def test_an_owner_that_cannot_hand_the_chain_over_is_told_what_a_superuser_does(empty_database: Database) -> None:
    with psycopg.connect(empty_database.superuser) as conn:  # rolled back: roles belong to the whole server
        conn.execute("REVOKE studbook_chain FROM studbook_owner")
        conn.execute("SET LOCAL ROLE studbook_owner")
        with pytest.raises(SchemaRefused, match=r"studbook_chain: a superuser runs deploy/database/roles\.sql again"):
            require_roles(conn)
        conn.rollback()


def test_F31_requests_that_may_change_rows_are_refused(database: Database) -> None:
    with database.connect("owner") as conn:
        conn.execute("GRANT UPDATE ON studbook.operators TO studbook_request")
    with database.connect("request") as conn, pytest.raises(UnsafeDatabase, match="may change operators"):
        check_safe(conn, {})


def test_a_server_older_than_15_is_refused() -> None:
    old = cast(Connection, SimpleNamespace(info=SimpleNamespace(server_version=140_012)))
    with pytest.raises(UnsafeDatabase, match="PostgreSQL 15 or newer is needed, this server is 14"):
        require_version(old)


def test_the_url_and_the_passwords_become_one_login_per_role() -> None:
    settings = database_settings(
        "postgresql://db.example:6000/house?sslmode=require", {"STUDBOOK_WRITER_PASSWORD": "it's"}
    )
    writer = psycopg.conninfo.conninfo_to_dict(settings.conninfo("writer"))
    assert writer == {
        "host": "db.example", "port": "6000", "dbname": "house", "sslmode": "require", "user": "studbook_writer",
        "password": "it's", "options": "-c search_path=studbook", "application_name": "studbook writer",
    }  # fmt: skip
    assert "password" not in psycopg.conninfo.conninfo_to_dict(settings.conninfo("request"))
    assert "it's" not in repr(settings)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("postgresql://db.example", "no database"),
        ("postgresql://me@db.example/house", "leave out the user"),
        ("host=db dbname=house password=x", "leave out the password"),
        ("mysql://db.example/house", "database URL"),
    ],
)
def test_a_wrong_url_is_refused_in_one_line(url: str, fault: str) -> None:
    with pytest.raises(StartRefused, match=fault) as refusal:
        database_settings(url, {})
    assert "\n" not in str(refusal.value)


def test_a_missing_or_wrong_password_names_its_variable(database: Database) -> None:
    for passwords in ({}, {Role.WRITER: "wrong"}):
        settings = DatabaseSettings(database.settings.url, passwords)
        with pytest.raises(DatabaseUnreachable, match="STUDBOOK_WRITER_PASSWORD") as refusal:
            connect(settings.conninfo("writer"))
        assert "\n" not in str(refusal.value)


def test_no_server_is_one_line() -> None:
    settings = DatabaseSettings("host=127.0.0.1 port=1 dbname=house", {Role.WRITER: "x"})
    with pytest.raises(DatabaseUnreachable, match="no connection to the database") as refusal:
        connect(settings.conninfo("writer"))
    assert "\n" not in str(refusal.value)


def test_a_server_of_ones_own_gets_logins_and_database_in_one_call(cluster: Cluster) -> None:
    host = make_conninfo(host=cluster.host, port=cluster.port, dbname=f"own_{uuid.uuid4().hex[:8]}")
    passwords = {f"STUDBOOK_{role.name}_PASSWORD": cluster.password(role) for role in Role}
    settings = database_settings(host, passwords)
    try:
        for _ in range(2):
            set_up_server(cluster.superuser(), settings)
        migrate(settings.conninfo("owner"))
        with connect(settings.conninfo("writer")) as conn:
            assert check_safe(conn, {}) == []
    finally:
        with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
            name = psycopg.conninfo.conninfo_to_dict(host)["dbname"]
            conn.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
    del passwords["STUDBOOK_BACKUP_PASSWORD"]
    with pytest.raises(StartRefused, match="set STUDBOOK_BACKUP_PASSWORD"):
        set_up_server(cluster.superuser(), database_settings(host, passwords))
