"""The schema moves in numbered steps, each in one transaction, under a lock, and is checked before each start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import psycopg
from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.errors import SchemaRefused
from adapters.database.locks import MIGRATION_LOCK, REBUILD_LOCK
from adapters.database.safety import require_version
from adapters.database.settings import CHAIN_ROLE, Role, one_line
from adapters.database.steps import BOOKKEEPING, STEPS, Step

_WAIT: Final = "60s"


def migrate(owner_conninfo: str, steps: Sequence[Step] = STEPS) -> list[str]:
    """Apply the steps that are missing and return their names; none when there is nothing to do.

    Safe at any time and from several processes at once: a step is there wholly or not at all, and one process works
    while the others wait; each step waits for a rebuild of read models. Raises SchemaRefused in one line.
    """
    with connect(owner_conninfo) as conn:
        require_version(conn)
        require_roles(conn)
        try:
            conn.execute(f"SET lock_timeout = '{_WAIT}'")
            conn.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            return [_apply(conn, step) for step in missing_steps(conn, steps)]
        except psycopg.errors.LockNotAvailable:
            raise SchemaRefused(
                f"another process has held the schema, or rebuilt read models, for {_WAIT}: wait for it, or end it"
            ) from None
        except psycopg.Error as error:
            raise SchemaRefused(f"the schema could not be brought up to date: {one_line(error)}") from error


def missing_steps(conn: Connection, steps: Sequence[Step] = STEPS) -> Sequence[Step]:
    """The steps not yet applied. Raises SchemaRefused when the database holds other steps than this program knows."""
    applied = _applied(conn)
    known = {step.number: step for step in steps}
    for number, (name, checksum) in applied.items():
        if number not in known:
            raise SchemaRefused(f"the schema is newer than this program (step {number}, {name}): update the program")
        if known[number].checksum != checksum:
            raise SchemaRefused(f"step {number} ({name}) was applied with another text than this program holds")
    missing = [step for step in steps if step.number not in applied]
    if missing and applied and missing[0].number < max(applied):
        raise SchemaRefused(f"step {missing[0].number} ({missing[0].name}) is missing below later ones")
    return missing


def schema_state(conn: Connection, steps: Sequence[Step] = STEPS) -> None:
    """Nothing when the schema is exactly the one that this program knows; else SchemaRefused in one line."""
    missing = missing_steps(conn, steps)
    if len(missing) == len(steps):
        raise SchemaRefused("the database holds no studbook schema: run `studbook migrate`")
    if missing:
        raise SchemaRefused(
            f"the schema is at step {missing[0].number - 1} of {steps[-1].number}: run `studbook migrate`"
        )


def _applied(conn: Connection) -> dict[int, tuple[str, str]]:
    row = conn.execute("SELECT to_regclass('studbook.studbook_schema') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return {}
    rows = conn.execute("SELECT step, name, checksum FROM studbook.studbook_schema ORDER BY step").fetchall()
    return {step: (name, checksum) for step, name, checksum in rows}


def _apply(conn: Connection, step: Step) -> str:
    with conn.transaction():
        conn.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", REBUILD_LOCK)
        if not _applied(conn):
            conn.execute(BOOKKEEPING.encode())
        step.run(conn)
        conn.execute(
            "INSERT INTO studbook.studbook_schema (step, name, checksum) VALUES (%s, %s, %s)",
            [step.number, step.name, step.checksum],
        )
    return step.name


def require_roles(conn: Connection) -> None:
    """Raise SchemaRefused, in one line, when a superuser has still to make a login or the role of the chain."""
    for role in Role:
        if conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role.login]).fetchone() is None:
            raise SchemaRefused(f"the login {role.login} does not exist: a superuser makes the five logins first")
    member = "SELECT pg_has_role(%s::name, oid, 'MEMBER') FROM pg_roles WHERE rolname = %s"
    if conn.execute(member, [Role.OWNER.login, CHAIN_ROLE]).fetchone() != (True,):
        raise SchemaRefused(
            f"{Role.OWNER.login} is no member of a role {CHAIN_ROLE}: a superuser runs deploy/database/roles.sql again"
        )
