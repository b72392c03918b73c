"""Fixtures of a real PostgreSQL: one cluster for the test run, one fresh database for each test that asks.

    def test_something(database: Database) -> None:
        with database.connect("writer") as conn: ...

The workers of one run share a cluster; the last to finish stops and removes it. What a killed run left behind is
stopped and removed by the next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection, sql

from adapters.database.connections import connect
from adapters.database.migrations import migrate
from adapters.database.roles import create_database
from adapters.database.settings import DatabaseSettings, Role
from adapters.embedded import Cluster
from adapters.embedded.postmaster import find_postmaster, stop_postmaster

TEMPLATE = "studbook_template"
_TEMPLATE_LOCK = 7_001
_OLD_SECONDS = 900  # a test with a cluster of its own is over by then
_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Database:
    """A migrated database for one test."""

    name: str
    cluster: Cluster

    @property
    def settings(self) -> DatabaseSettings:
        """As the service would get them."""
        return self.cluster.settings(self.name)

    @property
    def superuser(self) -> str:
        """The superuser's connection string."""
        return self.cluster.superuser(self.name)

    def conninfo(self, role: Role | str) -> str:
        """The connection string of owner, writer, projector, request or backup."""
        return self.settings.conninfo(role)

    def connect(self, role: Role | str, operator: str | None = None) -> Connection:
        """A connection in autocommit; `operator` is set for the session, as `request` sets it for a transaction."""
        conn = connect(self.conninfo(role))
        if operator is not None:
            conn.execute("SELECT set_config('studbook.operator', %s, false)", [operator])
        return conn

    @contextmanager
    def tamper(self) -> Iterator[Connection]:
        """A superuser's connection on which the append-only triggers stay silent."""
        with psycopg.connect(self.superuser, autocommit=True) as conn:
            conn.execute("SET search_path = studbook")
            conn.execute("SET session_replication_role = replica")
            yield conn


def shared_folder() -> Path:
    """A folder that the server's account can reach (pytest's own are closed to it when we are root)."""
    folder = Path(tempfile.gettempdir()) / f"studbook-tests-{os.geteuid()}"
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    return folder


@contextmanager
def _gate() -> Iterator[Path]:
    """One at a time starts, sweeps or removes."""
    folder = shared_folder()
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield folder


def remove_if_unused(data_dir: Path) -> None:
    """Stop the server of a data folder that no process holds, and remove the folder."""
    users = data_dir / "users.lock"
    if users.exists():
        with users.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
    if (left := find_postmaster(data_dir / "cluster")) is not None:
        stop_postmaster(left.pid, data_dir / "cluster")
    shutil.rmtree(data_dir, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The cluster of this test run: do not kill it, other tests use it."""
    with _gate() as folder:
        old = time.time() - _OLD_SECONDS
        for left in (*folder.glob("run-*"), *(p for p in folder.glob("own-*/data") if p.stat().st_mtime < old)):
            remove_if_unused(left)
        started = Cluster.start(folder / f"run-{_RUN[:12]}")
    yield started
    with _gate():
        started.stop()
        remove_if_unused(started.data_dir)


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    """The name of a migrated database without connections; made once, whole or not at all."""
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        conn.execute("SELECT pg_advisory_lock(%s)", [_TEMPLATE_LOCK])
        if conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone() is None:
            building = f"{TEMPLATE}_building"
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(building)))
            create_database(conn, building)
            migrate(cluster.cluster_dsn("owner", building))
            conn.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(building), sql.Identifier(TEMPLATE))
            )
    return TEMPLATE


@pytest.fixture
def database(cluster: Cluster, template: str) -> Iterator[Database]:
    """A fresh, migrated database for this test alone."""
    with new_database(cluster, template) as made:
        yield made


@pytest.fixture
def empty_database(cluster: Cluster) -> Iterator[Database]:
    """A fresh database without any schema, for tests of the migrations."""
    with new_database(cluster, "template0") as made:
        yield made


@contextmanager
def new_database(cluster: Cluster, template: str) -> Iterator[Database]:
    """A database cloned from `template`, dropped at the end with whatever is still connected."""
    name = sql.Identifier(made := f"t_{uuid.uuid4().hex[:16]}")
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        conn.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
                name, sql.Identifier(template), sql.Identifier(Role.OWNER.login)
            )
        )
    try:
        yield Database(made, cluster)
    finally:
        with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
            conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
