"""Opening connections, with errors that a person can act on, and the event library's way to the same database."""

from __future__ import annotations

from typing import Any, Final

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg import AsyncConnection, Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row

from adapters.database.errors import DatabaseUnreachable
from adapters.database.network import guarded
from adapters.database.settings import SCHEMA, Role, one_line

CONNECT_SECONDS: Final = 10


def connect(conninfo: str, *, autocommit: bool = True) -> Connection:
    """A connection, in autocommit unless told otherwise. Raises DatabaseUnreachable in one line."""
    try:
        return Connection.connect(guarded(conninfo, connect_seconds=CONNECT_SECONDS), autocommit=autocommit)
    except psycopg.OperationalError as error:
        raise DatabaseUnreachable(_explained(conninfo, error)) from None


async def connect_async(conninfo: str, *, autocommit: bool = True) -> AsyncConnection:
    """As `connect`, for the event loop."""
    try:
        return await AsyncConnection.connect(guarded(conninfo, connect_seconds=CONNECT_SECONDS), autocommit=autocommit)
    except psycopg.OperationalError as error:
        raise DatabaseUnreachable(_explained(conninfo, error)) from None


def library_datastore(conninfo: str, *, pool_size: int = 1) -> PostgresDatastore:
    """The event library's datastore on the connection of `conninfo` (TLS settings included), never creating tables.

    Its SQL-function path stays off: with several writers it lets a reader pass over events that commit later.
    Close it after use.
    """
    parts: dict[str, Any] = conninfo_to_dict(guarded(conninfo, connect_seconds=CONNECT_SECONDS))
    store = PostgresDatastore(
        dbname=parts["dbname"],
        host=parts.get("host", ""),
        port=parts.get("port", "5432"),
        user=parts["user"],
        password=parts.get("password", ""),
        pool_size=pool_size,
        schema=SCHEMA,
        originator_id_type="text",
        enable_db_functions=False,
    )
    store.pool.kwargs = {**parts, "row_factory": dict_row}
    return store


def _explained(conninfo: str, error: psycopg.OperationalError) -> str:
    parts = conninfo_to_dict(conninfo)
    variable = next((r.password_variable for r in Role if r.login == parts.get("user")), None)
    text = one_line(error)
    if "no password supplied" in text and variable:
        return f"no password for the login {parts['user']}: set {variable}"
    if "password authentication failed" in text and variable:
        return f"the password of the login {parts['user']} is wrong: check {variable}, or the login does not exist"
    return f"no connection to the database: {text}"
