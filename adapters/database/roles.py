"""The logins and the database, made once by a superuser: by the embedded cluster, or by who runs the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict

from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.locks import SET_UP_LOCK
from adapters.database.settings import CHAIN_ROLE, DatabaseSettings, Role, one_line

_PLAIN = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOINHERIT"
_ATTRIBUTES = f"LOGIN {_PLAIN}"


def set_up_server(superuser_conninfo: str, settings: DatabaseSettings) -> None:
    """Make logins and database on a server of one's own, once, as its superuser. Raises StartRefused in one line.

    The passwords of all five logins are in the settings (STUDBOOK_OWNER_PASSWORD and so on).
    """
    for role in Role:
        if not settings.passwords.get(role):
            raise StartRefused(f"no password for the login {role.login}: set {role.password_variable}")
    with connect(superuser_conninfo) as conn:
        try:
            create_roles(conn, settings.passwords)
            create_database(conn, str(conninfo_to_dict(settings.url)["dbname"]))
        except psycopg.Error as error:
            raise StartRefused(f"the logins could not be made: {one_line(error)}") from error


def create_roles(conn: Connection, passwords: Mapping[Role, str]) -> None:
    """Make those of the five logins, and the role without login, that are missing; those there are left as they are.
    Passwords travel as SCRAM verifiers.
    """
    with _alone(conn):
        _create_roles(conn, passwords)
        _create_chain_role(conn)


def _create_roles(conn: Connection, passwords: Mapping[Role, str]) -> None:
    for role in Role:
        row = conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role.login]).fetchone()
        if row is None:
            verifier = conn.pgconn.encrypt_password(passwords[role].encode(), role.login.encode(), b"scram-sha-256")
            conn.execute(
                sql.SQL("CREATE ROLE {} {} {} PASSWORD {}").format(
                    sql.Identifier(role.login),
                    sql.SQL(_ATTRIBUTES),
                    sql.SQL("BYPASSRLS" if role is Role.BACKUP else "NOBYPASSRLS"),
                    sql.Literal(verifier.decode()),
                )
            )


def _create_chain_role(conn: Connection) -> None:
    role, owner = sql.Identifier(CHAIN_ROLE), sql.Identifier(Role.OWNER.login)
    if conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [CHAIN_ROLE]).fetchone() is None:
        conn.execute(sql.SQL("CREATE ROLE {} NOLOGIN {} NOBYPASSRLS").format(role, sql.SQL(_PLAIN)))
    member = conn.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", [Role.OWNER.login, CHAIN_ROLE]).fetchone()
    if member != (True,):
        conn.execute(sql.SQL("GRANT {} TO {}").format(role, owner))


def create_database(conn: Connection, name: str) -> None:
    """Make the database `name`, owned by the owner's login and closed to all but the five, unless it is there."""
    with _alone(conn):
        _create_database(conn, name)


def _create_database(conn: Connection, name: str) -> None:
    if conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
        conn.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'").format(
                sql.Identifier(name), sql.Identifier(Role.OWNER.login)
            )
        )
    database = sql.Identifier(name)
    conn.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    logins = sql.SQL(", ").join(sql.Identifier(role.login) for role in Role)
    conn.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, logins))


@contextmanager
def _alone(conn: Connection) -> Iterator[None]:
    """One at a time on a server: the statement of a start that was killed runs on, and ends first."""
    conn.execute("SELECT pg_advisory_lock(%s)", [SET_UP_LOCK])
    try:
        yield
    finally:
        conn.execute("SELECT pg_advisory_unlock(%s)", [SET_UP_LOCK])
