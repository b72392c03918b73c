"""Logins and database that two starts make in one moment: the statement of one that was killed runs on (F02)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
from psycopg import sql

from adapters.database.roles import create_database
from adapters.embedded import Cluster


def test_F02_a_database_that_another_start_makes_in_this_moment_is_there(cluster: Cluster) -> None:
    together = Barrier(2, timeout=120)

    def make(name: str) -> None:
        with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
            together.wait()
            create_database(conn, name)

    for nth in range(3):
        name = f"twice_{nth}"
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(make, [name, name]))
        with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
            assert conn.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name]).fetchone() == (1,)
            conn.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))
