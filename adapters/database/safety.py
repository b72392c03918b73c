"""What must hold before the service starts; see UnsafeDatabase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from psycopg import Connection

from adapters.database.errors import UnsafeDatabase
from adapters.database.settings import CHAIN_ROLE, SCHEMA, Role

_LEAST_VERSION: Final = 150_000
_DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")
KEPT_BY_REQUESTS: Final = ("webhooks", "webhook_secrets", "webhook_orders", "exports")
"""Settings of an operator that are no events: requests change those of their own operator, which a policy holds."""
_FUNCTIONS: Final = "POSTGRES_ENABLE_DB_FUNCTIONS"


def check_safe(conn: Connection, environ: Mapping[str, str]) -> list[str]:
    """Refuse what could lose or show rows (UnsafeDatabase, in one line); return warnings that do not stop the start.

    `conn` is a connection of the role that the service will use: settings and rights are read as that role has them.
    """
    if environ.get(_FUNCTIONS):
        raise UnsafeDatabase(f"{_FUNCTIONS} is set: with it a reader can miss events; unset it")
    require_version(conn)
    for name in _DURABLE:
        if _setting(conn, name) == "off":
            raise UnsafeDatabase(f"{name} is off: a committed event could be lost; set it to on")
    _require_plain_login(conn)
    _require_row_security(conn)
    if _setting(conn, "data_checksums") == "off":
        return ["data checksums are off: damage to the database's files would stay unseen"]
    return []


def require_version(conn: Connection) -> None:
    """Raise UnsafeDatabase when the server is older than PostgreSQL 15."""
    if conn.info.server_version < _LEAST_VERSION:
        raise UnsafeDatabase(f"PostgreSQL 15 or newer is needed, this server is {conn.info.server_version // 10_000}")


def _setting(conn: Connection, name: str) -> str:
    row = conn.execute("SELECT current_setting(%s)", [name]).fetchone()
    return str(row[0]) if row else ""


def _require_plain_login(conn: Connection) -> None:
    row = conn.execute(
        "SELECT rolname, rolsuper, rolbypassrls, "
        "EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        "        WHERE n.nspname = %s AND pg_has_role(current_user, c.relowner, 'MEMBER')) "
        "FROM pg_roles WHERE rolname = current_user",
        [SCHEMA],
    ).fetchone()
    if row is None:
        raise UnsafeDatabase("the login is not known to the database")
    name, superuser, bypasses, owns = row
    if superuser:
        raise UnsafeDatabase(f"the login {name} is a superuser: the service runs with plain logins only")
    if bypasses and name != Role.BACKUP.login:
        raise UnsafeDatabase(f"the login {name} has BYPASSRLS: it would see every operator's rows")
    if owns:
        raise UnsafeDatabase(f"the login {name} owns tables of the schema: only `studbook migrate` runs as owner")
    _require_no_other_rights(conn, str(name))


def _require_no_other_rights(conn: Connection, name: str) -> None:
    """No login of the service can become another, and that of requests changes no row but KEPT_BY_REQUESTS (F19)."""
    others = [CHAIN_ROLE, *(role.login for role in Role if role.login != name)]
    member = conn.execute(
        "SELECT rolname FROM pg_roles WHERE rolname = ANY (%s) AND pg_has_role(current_user, oid, 'MEMBER') ORDER BY 1",
        [others],
    ).fetchone()
    if member is not None:
        raise UnsafeDatabase(f"the login {name} is a member of {member[0]}: revoke that, each login has its own rights")
    if name != Role.REQUEST.login:
        return
    changes = conn.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relkind IN ('r', 'p') "
        "AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AND c.relname <> ALL (%s) ORDER BY 1",
        [SCHEMA, list(KEPT_BY_REQUESTS)],
    ).fetchone()
    if changes is not None:
        raise UnsafeDatabase(f"the login {name} may change {changes[0]}: it only reads there, revoke that")


def _require_row_security(conn: Connection) -> None:
    rows = conn.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity) "
        "ORDER BY 1",
        [SCHEMA],
    ).fetchall()
    if rows:
        raise UnsafeDatabase(f"row-level security is not forced on {', '.join(name for (name,) in rows)}")
