"""Dump a database with PostgreSQL's own program and restore it beside, as the runbook says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from adapters.database.roles import create_database
from adapters.database.settings import Role
from tests.postgres import Database

SECONDS = 300


@contextmanager
def restored(folder: Path, database: Database) -> Iterator[Database]:
    """What a dump by the backup login gives, in an empty database; dropped at the end."""
    dump = folder / f"{database.name}.dump"
    _run(database, Role.BACKUP, "pg_dump", "--format=custom", f"--file={dump}")
    made = Database(f"{database.name}_restored", database.cluster)
    with psycopg.connect(database.cluster.superuser(), autocommit=True) as conn:
        create_database(conn, made.name)
    try:
        _run(database, None, "pg_restore", "--dbname", made.name, "--exit-on-error", str(dump))
        yield made
    finally:
        dump.unlink(missing_ok=True)
        with psycopg.connect(database.cluster.superuser(), autocommit=True) as conn:
            conn.execute(f'DROP DATABASE "{made.name}" WITH (FORCE)'.encode())


def _run(database: Database, role: Role | None, program: str, *words: str) -> None:
    done = subprocess.run(
        [str(database.cluster.programs / program), *words],
        env=_environ(database, role),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    if done.returncode:
        raise AssertionError(f"{program}: {done.stderr[-300:]}")


def _environ(database: Database, role: Role | None) -> Mapping[str, str]:
    cluster = database.cluster
    who = ("postgres", cluster.password("postgres")) if role is None else (role.login, cluster.password(role))
    return {
        "PGHOST": cluster.host, "PGPORT": str(cluster.port), "PGUSER": who[0], "PGPASSWORD": who[1],
        "PGDATABASE": database.name, "PATH": os.environ.get("PATH", os.defpath),
    }  # fmt: skip
