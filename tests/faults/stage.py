"""The real service as an operator runs it: PostgreSQL with fsync on, serving processes, a projector of its own.

    with Stage.start(trial.folder) as stage:
        load = Load(stage, trial.seed)

By default two `studbook serve` processes stand on one database (two doors, each with one worker and its projector,
of which one works and one waits). Every part can be killed by its process number and started again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psycopg

from adapters.database.connections import connect
from adapters.database.migrations import migrate
from adapters.database.settings import DatabaseSettings, Role
from adapters.embedded import Cluster
from adapters.evidence_keys import EVIDENCE_KEY_VARIABLE
from adapters.keys import KeyRow, add_key, ensure_operator
from adapters.token_keys import TOKEN_KEY_VARIABLE
from adapters.vault_keys import WEBHOOK_KEY_VARIABLE
from api.auth import ROLES, bootstrap_key
from api.main.database import child_environment
from services.chain import Anchor
from tests.faults.processes import Process, children_of

OPERATOR: Final = "demo"
OTHER: Final = "other"
"""A second operator of the same service."""
STRICT: Final = "strict"
"""An operator whose `four_eyes` is `strict`; `boss` is its second person."""
BOSS: Final = "boss"

START_SECONDS: Final = 150.0
_CARD_KEY: Final = urlsafe_b64encode(sha256(b"card key of the fault runs").digest()).decode().rstrip("=")
_EVIDENCE_KEY: Final = urlsafe_b64encode(sha256(b"evidence key of the fault runs").digest()).decode().rstrip("=")
_WEBHOOK_KEY: Final = urlsafe_b64encode(sha256(b"webhook key of the fault runs").digest()).decode().rstrip("=")
_TOKEN_KEY: Final = urlsafe_b64encode(sha256(b"token key of the fault runs").digest()).decode().rstrip("=")


def api_key(operator: str, subject: str = "") -> str:
    """The key that may do everything for an operator of the stage, of the engineer or of somebody else."""
    return f"sb-{operator}{subject}-key-of-the-fault-runs-0123456789"


@dataclass(slots=True)
class Door:
    """One `studbook serve`: its port stays the same over restarts."""

    command: list[str]
    environ: dict[str, str]
    log: Path
    port: int = 0
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def pid(self) -> int:
        """The process number of `serve`."""
        assert self.process is not None
        return self.process.pid

    def start(self, seconds: float = START_SECONDS) -> float:
        """Start it; the seconds until `/readyz` says so."""
        began = time.monotonic()
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*self.command, "--port", str(self.port)], env=self.environ, stdout=subprocess.PIPE, stderr=log,
                stdin=subprocess.DEVNULL, text=True,
            )  # fmt: skip
        if self.port == 0:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"serve ended with {self.process.wait(START_SECONDS)}: {self.last_words()}")
            self.port = int(json.loads(line)["url"].rsplit(":", 1)[1])
        self.wait_ready(seconds)
        return time.monotonic() - began

    def last_words(self) -> str:
        """The last lines of its log."""
        return " / ".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:])

    def is_ready(self) -> bool:
        """What `/readyz` says now."""
        status, _ = self.get("/readyz")
        return status == 200

    def get(self, path: str, seconds: float = 5.0) -> tuple[int, Any]:
        """Status and body of a read without a key; status 0 where nobody answers."""
        conn = HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            conn.request("GET", path)
            answer = conn.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, HTTPException, ValueError):
            return 0, None
        finally:
            conn.close()

    def wait_ready(self, seconds: float) -> float:
        """Until it is ready; the seconds that it took. TimeoutError when it takes longer."""
        began = time.monotonic()
        while not self.is_ready():
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"serve ended with {self.process.returncode}: {self.last_words()}")
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"port {self.port} was not ready within {seconds:.0f} s")
            time.sleep(0.02)
        return time.monotonic() - began

    def workers(self) -> list[Process]:
        """Serving processes below `serve`; none where `serve` itself serves."""
        return [one for one in children_of(self.pid) if "spawn_main" in one.command]

    def projectors(self) -> list[Process]:
        """Its projector."""
        return [one for one in children_of(self.pid) if one.command.endswith("api.cli project")]

    def kill(self) -> None:
        """SIGKILL of `serve`, as the kernel would when memory is short; its projector ends by itself."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """SIGTERM; its exit code."""
        if self.process is None:
            return 0
        with self.process:
            self.process.terminate()
            try:
                return self.process.wait(150)
            except subprocess.TimeoutExpired:
                self.process.kill()
                return self.process.wait(150)


def _make_known(settings: DatabaseSettings) -> None:
    """The operators of a stage and their keys."""
    with connect(settings.conninfo(Role.WRITER)) as conn:
        for operator, subject in ((OPERATOR, ""), (OTHER, ""), (STRICT, ""), (STRICT, BOSS)):
            key = bootstrap_key(api_key(operator, subject))
            ensure_operator(conn, operator, "strict" if operator == STRICT else "named")
            add_key(conn, KeyRow(key.key_id, operator, subject or "engineer", ROLES, key.hash))


class Stage:
    """A cluster with a migrated database, and the doors on it."""

    def __init__(self, cluster: Cluster, doors: list[Door]) -> None:
        self.cluster = cluster
        self.doors = doors

    @classmethod
    def start(
        cls,
        folder: Path,
        *,
        doors: int = 2,
        workers: int = 1,
        database: Callable[[Cluster], str] | None = None,
        postgres: dict[str, str] | None = None,
    ) -> Self:
        """Start all of it. `database` gives the URL that the doors use (a proxy); `postgres` settings of the server."""
        cluster = Cluster.start(folder / "data", postgres)
        try:
            settings = cluster.settings()
            migrate(settings.conninfo(Role.OWNER))
            _make_known(settings)
            told = {
                **child_environment(settings, cluster.data_dir),
                "STUDBOOK_CARD_KEY": _CARD_KEY,
                TOKEN_KEY_VARIABLE: _TOKEN_KEY,
                WEBHOOK_KEY_VARIABLE: _WEBHOOK_KEY,
                EVIDENCE_KEY_VARIABLE: _EVIDENCE_KEY,
            }
            if database is not None:
                told["STUDBOOK_DATABASE_URL"] = database(cluster)
            command = [sys.executable, "-m", "api.cli", "serve", "--json", "--workers", str(workers)]
            made = [Door(command, {**os.environ, **told}, folder / f"door-{nth}.log") for nth in range(doors)]
            stage = cls(cluster, made)
        except BaseException:
            cluster.stop()
            raise
        try:
            for door in made:
                door.start()
        except BaseException:
            stage.stop()
            raise
        return stage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """End every part."""
        for door in self.doors:
            door.stop()
        self.cluster.stop()

    def connect(self, role: Role | str) -> psycopg.Connection:
        """A connection of ours in autocommit, past any proxy."""
        return connect(self.cluster.settings().conninfo(role))

    def superuser(self) -> psycopg.Connection:
        """The superuser's connection: only for what a person with the disk in hand could do."""
        return psycopg.connect(self.cluster.superuser("studbook"), autocommit=True)

    def kill_postgres(self, number: signal.Signals) -> None:
        """SIGQUIT (immediate stop) or SIGKILL of the whole server, until it is gone."""
        pid = self.cluster.pid
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    def restart_postgres(self) -> float:
        """Bring the server back; the seconds until it answers."""
        began = time.monotonic()
        self.cluster.ensure_running()
        return time.monotonic() - began

    def anchor(self) -> Anchor:
        """Position and hash of the head, noted outside the database."""
        with self.connect(Role.PROJECTOR) as conn:
            row = conn.execute(
                "SELECT notification_id, hash FROM stored_events ORDER BY notification_id DESC LIMIT 1"
            ).fetchone()
        return Anchor(0, b"") if row is None else Anchor(int(row[0]), bytes(row[1]))

    def wait_models(self, seconds: float) -> float:
        """Until every read model stands at the head; the seconds that it took. TimeoutError when it takes longer."""
        began = time.monotonic()
        with self.connect(Role.PROJECTOR) as conn:
            while True:
                row = conn.execute(
                    "SELECT count(*), coalesce(min(position), 0), (SELECT coalesce(max(notification_id), 0) "
                    "FROM stored_events) FROM view_progress WHERE live"
                ).fetchone()
                if row is not None and row[0] and row[1] == row[2]:
                    return time.monotonic() - began
                if time.monotonic() - began > seconds:
                    raise TimeoutError(f"the read models were not at the head within {seconds:.0f} s: {row}")
                time.sleep(0.05)
