"""F14: the migration is killed (SIGKILL) in every step, and two instances migrate at once; both twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Final

import psycopg
from psycopg import sql

from adapters.database.migrations import migrate
from adapters.database.roles import create_database
from adapters.database.settings import Role
from adapters.database.steps import STEPS, Step
from adapters.embedded import Cluster
from tests.faults.fault import Fault, Trial

MOMENTS: Final = ("before", "within")
"""When a step is killed: before its first statement, and before its commit."""
_RANDOM: Final = re.compile(rb"^\\(un)?restrict .*$", re.MULTILINE)
_KILLED: Final = """
import os, signal, sys
from dataclasses import replace
from adapters.database.migrations import migrate
from adapters.database.steps import STEPS

def dying(step, moment):
    def run(conn):
        if moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        step.run(conn)
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(step, run=run)

at, moment = int(sys.argv[1]), sys.argv[2]
migrate(os.environ["OWNER"], [dying(one, moment) if one.number == at else one for one in STEPS])
"""
_MIGRATE: Final = "import os\nfrom adapters.database.migrations import migrate\nprint(migrate(os.environ['OWNER']))"


def run(trial: Trial) -> None:
    """Each cell in a database of its own; the reference is one that was migrated in peace."""
    with Cluster.start(trial.folder / "data") as cluster:
        with database(cluster) as name:
            migrate(cluster.cluster_dsn(Role.OWNER, name))
            whole = schema(cluster, name)
        done = 0
        for moment in MOMENTS:
            for step in STEPS:
                _killed(trial, cluster, step.number, moment, whole)
                trial.progress(done + 1, f"step {step.number} killed")
                _two_at_once(trial, cluster, step.number, whole)
                done += 2
                trial.progress(done, f"two at once from step {step.number}")


def _killed(trial: Trial, cluster: Cluster, step: int, moment: str, whole: str) -> None:
    where = f"killed {moment} step {step}"
    with database(cluster) as name:
        code = _python(cluster, name, _KILLED, str(step), moment).wait(60)
        trial.expect(code == -9, f"{where}: it was not killed, it ended with {code}")
        left = migrated(cluster, name)
        trial.expect(left == len(below(step)), f"{where}: {left} steps are there")
        if moment == MOMENTS[0]:  # both leave the same database, and each look takes a start of the service
            _refused(trial, cluster, name, where, "run `studbook migrate`")
        made = migrate(cluster.cluster_dsn(Role.OWNER, name))
        trial.expect(len(made) == len(STEPS) - len(below(step)), f"{where}: the next run did {made}")
        trial.expect(schema(cluster, name) == whole, f"{where}: the schema is another one")


def _two_at_once(trial: Trial, cluster: Cluster, step: int, whole: str) -> None:
    """Two processes from the same state: one works, the other finds it done."""
    with database(cluster) as name:
        migrate(cluster.cluster_dsn(Role.OWNER, name), below(step))
        both = [_python(cluster, name, _MIGRATE) for _ in range(2)]
        said = [one.communicate(timeout=300) for one in both]
        where = f"two at once from step {step}"
        trial.expect([one.returncode for one in both] == [0, 0], f"{where}: {[error[-300:] for _, error in said]}")
        lengths = sorted(out.strip() == "[]" for out, _ in said)
        trial.expect(lengths == [False, True], f"{where}: they did {[out.strip() for out, _ in said]}")
        trial.expect(schema(cluster, name) == whole, f"{where}: the schema is another one")


def below(step: int) -> list[Step]:
    """The steps with lower numbers."""
    return [one for one in STEPS if one.number < step]


def _refused(trial: Trial, cluster: Cluster, name: str, where: str, what: str) -> None:
    """`studbook serve` refuses this database with one clear line."""
    settings = cluster.settings(name)
    passwords = {role.password_variable: password for role, password in settings.passwords.items()}
    told = {**os.environ, **passwords, "STUDBOOK_CARD_KEY": "c3R1ZGJvb2stdGVzdC1rZXktMDEyMzQ1Njc4OWFiY2Q"}
    words = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--database-url", settings.url]
    done = subprocess.run(words, env=told, capture_output=True, text=True, timeout=300, check=False)
    lines = done.stderr.strip().splitlines()
    is_clear = done.returncode == 2 and len(lines) == 1 and what in lines[0]
    trial.expect(is_clear, f"{where}: serve ended with {done.returncode} and said {lines[-3:]}")


def _python(cluster: Cluster, name: str, code: str, *words: str) -> subprocess.Popen[str]:
    told = {**os.environ, "OWNER": cluster.cluster_dsn(Role.OWNER, name), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words], env=told, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@contextmanager
def database(cluster: Cluster) -> Iterator[str]:
    """An empty database, dropped at the end."""
    name = f"half_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        create_database(conn, name)
    yield name
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def migrated(cluster: Cluster, name: str) -> int:
    """How many steps are noted as done."""
    with psycopg.connect(cluster.superuser(name), autocommit=True) as conn:
        row = conn.execute("SELECT to_regclass('studbook.studbook_schema') IS NOT NULL").fetchone()
        if row is None or not row[0]:
            return 0
        return len(conn.execute("SELECT step FROM studbook.studbook_schema").fetchall())


def schema(cluster: Cluster, name: str) -> str:
    """SHA-256 of everything in the database but its rows: tables, constraints, indexes, triggers, policies, grants."""
    words = [str(cluster.programs / "pg_dump"), "--schema-only", "--dbname", cluster.superuser(name)]
    dumped = subprocess.run(words, capture_output=True, check=True).stdout
    return sha256(_RANDOM.sub(b"", dumped)).hexdigest()


CELLS: Final = len(MOMENTS) * 2 * len(STEPS)
FAULT: Final = Fault("F14", "migration killed, two at once", CELLS, CELLS, "cells", run)
