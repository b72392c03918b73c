"""F31: settings of the server and rights of the logins with which an event could be lost or shown to a stranger.

`studbook serve` ends with one line and exit code 2, before it listens; without checksums of pages it warns and serves.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.request import urlopen

import psycopg

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.postgres import Database
from tests.store.commands import environment, studbook

SERVE: Final = ("serve", "--port", "0", "--json")
START_SECONDS: Final = 10.0


class Unsafe(NamedTuple):
    """What is made unsafe, by a setting of the server or by statements, and what the refusal must name."""

    name: str
    says: str
    settings: dict[str, str] = {}  # noqa: RUF012  # never changed
    spoil: str = ""
    mend: str = ""


UNSAFE: Final = (
    Unsafe("fsync off", "fsync is off", {"fsync": "off"}),
    Unsafe("full_page_writes off", "full_page_writes is off", {"full_page_writes": "off"}),
    Unsafe("synchronous_commit off", "synchronous_commit is off", {"synchronous_commit": "off"}),
    Unsafe(
        "synchronous_commit off for the writer alone", "synchronous_commit is off",
        spoil="ALTER ROLE studbook_writer SET synchronous_commit = off",
        mend="ALTER ROLE studbook_writer RESET synchronous_commit",
    ),
    Unsafe(
        "a superuser writes", "studbook_writer is a superuser",
        spoil="ALTER ROLE studbook_writer SUPERUSER", mend="ALTER ROLE studbook_writer NOSUPERUSER",
    ),
    Unsafe(
        "requests pass row security", "studbook_request has BYPASSRLS",
        spoil="ALTER ROLE studbook_request BYPASSRLS", mend="ALTER ROLE studbook_request NOBYPASSRLS",
    ),
    Unsafe(
        "row security not forced", "not forced on stored_events",
        spoil="ALTER TABLE studbook.stored_events NO FORCE ROW LEVEL SECURITY",
        mend="ALTER TABLE studbook.stored_events FORCE ROW LEVEL SECURITY",
    ),
    Unsafe(
        "requests may become the writer", "studbook_request is a member of studbook_writer",
        spoil="GRANT studbook_writer TO studbook_request", mend="REVOKE studbook_writer FROM studbook_request",
    ),
    Unsafe(
        "requests may write", "studbook_request may change idempotency",
        spoil="GRANT INSERT ON studbook.idempotency TO studbook_request",
        mend="REVOKE INSERT ON studbook.idempotency FROM studbook_request",
    ),
)  # fmt: skip


@contextmanager
def served(folder: Path, settings: dict[str, str]) -> Iterator[Database]:
    """A migrated database on a server with these settings."""
    with Cluster.start(folder, settings) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        yield Database("studbook", cluster)


def refused(trial: Trial, database: Database, one: Unsafe) -> None:
    """One line that names it, exit code 2, nothing served."""
    began = time.monotonic()
    done = studbook(database, *SERVE)
    trial.in_time("refused within s", time.monotonic() - began, START_SECONDS)
    lines = done.stderr.splitlines()
    told = f"{one.name}: exit code {done.returncode}, it said {done.stderr[-300:]!r} {done.stdout[:100]!r}"
    trial.expect((done.returncode, done.stdout, len(lines)) == (2, "", 1) and one.says in done.stderr, told)
    trial.progress(trial.done + 1, one.name)


def warned(trial: Trial, database: Database) -> None:
    """Without checksums it serves, and says so."""
    command = [sys.executable, "-m", "api.cli", *SERVE, "--database-url", database.settings.url]
    process = subprocess.Popen(
        command, env=environment(database), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/"
    )
    watchdog = threading.Timer(LIVENESS * START_SECONDS, process.kill)
    watchdog.start()
    assert process.stdout is not None
    line = process.stdout.readline()
    if line:
        with urlopen(f"{json.loads(line)['url']}/readyz", timeout=LIVENESS * START_SECONDS) as answer:
            trial.expect(answer.status == 200, f"checksums off: /readyz {answer.status}")
    process.terminate()
    _, said = process.communicate()
    watchdog.cancel()
    trial.expect(bool(line) and process.returncode == 0, f"checksums off: not served, {said[-300:]!r}")
    trial.expect("checksums are off" in said, f"checksums off: no warning in {said[-300:]!r}")
    trial.progress(trial.done + 1, "checksums off")


def run(trial: Trial) -> None:
    folder = trial.folder / "data"
    for one in UNSAFE:
        if one.settings:
            with served(folder, one.settings) as database:
                refused(trial, database, one)
    with served(folder, {}) as database:
        for one in UNSAFE:
            if one.spoil:
                with psycopg.connect(database.superuser, autocommit=True) as conn:
                    conn.execute(one.spoil.encode())
                    refused(trial, database, one)
                    conn.execute(one.mend.encode())
        programs, account = database.cluster.programs, database.cluster._server.account
    done = account.run([programs / "pg_checksums", "--disable", "-D", folder / "cluster"])
    trial.expect(done.returncode == 0, f"pg_checksums: {done.stdout[-200:]!r}")
    with served(folder, {}) as database:
        warned(trial, database)


FAULT: Final = Fault("F31", "unsafe settings", len(UNSAFE) + 1, len(UNSAFE) + 1, "settings", run)
