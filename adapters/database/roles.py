"""The logins and the database, made once by a superuser: by the embedded cluster, or by who runs the server."""

from __future__ import annotations

from collections.abc import Mapping

from psycopg import Connection, sql

from adapters.database.settings import Role

_ATTRIBUTES = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOINHERIT"


def create_roles(conn: Connection, passwords: Mapping[Role, str]) -> None:
    """Make the five logins that are missing; those there are left as they are. Passwords travel as SCRAM verifiers."""
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


def create_database(conn: Connection, name: str) -> None:
    """Make the database `name`, owned by the owner's login and closed to all but the five, unless it is there."""
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
