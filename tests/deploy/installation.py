"""An installation as compose.yaml describes it, without containers: PostgreSQL over TCP with passwords, the logins made
by deploy/database/roles.sql, and each service started as its own process with its own command and environment, no more.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2
import psycopg
from psycopg import sql

from adapters.database.connections import connect
from adapters.database.settings import CHAIN_ROLE, Role, database_settings
from adapters.embedded import Cluster
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, make_key
from tests.deploy.files import DEPLOY, compose, example, filled
from tests.house.tree import ROOT
from tests.postgres import remove_if_unused, shared_folder
from tests.service import stop_service

TOKEN: Final = "metrics-token-0123456789"
READY_SECONDS: Final = 600.0


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Installation:
    """What runs, and what an operator's shell knows of it."""

    cluster: Cluster
    folder: Path
    port: int
    url: str
    environ: dict[str, str]
    key: str = ""
    processes: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def shell(self) -> dict[str, str]:
        """An operator's shell on the machine: programs, the file's variables, where PostgreSQL is."""
        paths = [str(Path(sys.executable).parent), str(self.cluster.programs), os.environ.get("PATH", os.defpath)]
        postgres = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGPASSWORD": self.environ["POSTGRES_PASSWORD"]}
        named = {"PATH": os.pathsep.join(paths), "HOME": str(self.folder), "LANG": "C.UTF-8", "COLUMNS": "120"}
        return {**named, **postgres, "PGUSER": "postgres", **self.environ, "URL": self.url, "KEY": self.key}

    def command(self, service: str) -> list[str]:
        """The command of a service of compose.yaml."""
        words = compose()["services"][service]["command"]
        told = {"0.0.0.0": "127.0.0.1", "8080": self.url.rsplit(":", 1)[1]}
        return [sys.executable, "-m", "api.cli", *(told.get(word, word) for word in words)]

    def environment(self, service: str) -> dict[str, str]:
        """What compose gives a service, and nothing of ours beside."""
        given = {
            name: filled(value, self.environ) for name, value in compose()["services"][service]["environment"].items()
        }
        given["STUDBOOK_DATABASE_URL"] = given["STUDBOOK_DATABASE_URL"].replace(
            "//database/", f"//127.0.0.1:{self.port}/"
        )
        return {**given, "PATH": os.defpath, "PYTHONPATH": str(ROOT)}

    def run(self, service: str) -> subprocess.CompletedProcess[str]:
        """Run a service to its end, as one that others wait for."""
        return subprocess.run(
            self.command(service), env=self.environment(service), cwd="/", capture_output=True, text=True, check=False,
            timeout=READY_SECONDS,
        )  # fmt: skip

    def start(self, service: str, **more: str) -> subprocess.Popen[str]:
        """Start a service; its standard error goes to a file of its name."""
        with self.log(service).open("a") as errors:
            process = subprocess.Popen(
                self.command(service), env={**self.environment(service), **more}, cwd="/", text=True,
                stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self.processes[service] = process
        return process

    def log(self, service: str) -> Path:
        """What a service said."""
        return self.folder / f"{service}.log"

    def stop(self, service: str) -> int:
        """SIGTERM, and the exit code."""
        return stop_service(self.processes.pop(service))

    def wait_until_ready(self) -> None:
        """Until /readyz says 200."""
        until = time.monotonic() + READY_SECONDS
        said = "nothing"
        while time.monotonic() < until:
            try:
                answer = httpx2.get(f"{self.url}/readyz", timeout=120)
                if answer.status_code == 200:
                    return
                said = answer.text
            except httpx2.TransportError as fault:
                said = str(fault)
            time.sleep(0.5)
        raise AssertionError(f"not ready: {said}; {[one.read_text() for one in self.folder.glob('*.log')]}")

    def post(self, path: str, body: dict[str, object]) -> httpx2.Response:
        """A command with the installation's key."""
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": uuid.uuid4().hex}
        return httpx2.post(f"{self.url}{path}", json=body, headers=headers, timeout=120)

    def play(self) -> str:
        """A player with money and a wager in an open round with a pool; the player."""
        name = uuid.uuid4().hex[:8]
        self._done("/v1/players", {"player": name, "currency": "EUR"})
        self._done(f"/v1/players/{name}/deposits", {"amount": 10_000, "currency": "EUR", "transaction_id": f"b-{name}"})
        pool = {"jackpot": f"pool-{name}", "ruleset": "euro-progressive-v1", "currency": "EUR"}
        self._done("/v1/jackpots", {**pool, "seed": 1_000_000, "reset": 1_000_000})
        table = {"table": f"t-{name}", "ruleset": "euro-progressive-v1", "currency": "EUR", "jackpot": f"pool-{name}"}
        self._done("/v1/tables", {**table, "ante_min": 100, "ante_max": 10_000})
        round_id = self._done(f"/v1/tables/t-{name}/rounds", {})["round"]
        self._done(f"/v1/rounds/{round_id}/wagers", {"player": name, "seat": 1, "ante": 500})
        return name

    def _done(self, path: str, body: dict[str, object]) -> dict[str, str]:
        answer = self.post(path, body)
        assert answer.status_code == 201, answer.text
        found: dict[str, str] = answer.json()
        return found


@contextmanager
def bare() -> Iterator[Installation]:
    """PostgreSQL with the five logins and an empty database; no service of ours runs yet."""
    folder = shared_folder() / f"own-{uuid.uuid4().hex[:10]}"
    port = free_port()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(remove_if_unused, folder / "data")
        cluster = Cluster.start(folder / "data", {"listen_addresses": "127.0.0.1", "port": str(port)})
        stack.callback(cluster.stop)
        _forget_logins(cluster)
        passwords = {role.password_variable: secrets.token_urlsafe(16) for role in Role}
        given = {
            **{name: value for name, value in example().items() if value},
            **passwords,
            "STUDBOOK_DATABASE_URL": f"postgresql://127.0.0.1:{port}/studbook",
            "STUDBOOK_CARD_KEY": secrets.token_urlsafe(32),
            "STUDBOOK_WEBHOOK_KEY": secrets.token_urlsafe(32),
            "STUDBOOK_METRICS_TOKEN": TOKEN,
            "STUDBOOK_WORKERS": "1",  # tests of two are elsewhere
            "POSTGRES_PASSWORD": cluster.password("postgres"),
        }
        del given["OTEL_EXPORTER_OTLP_ENDPOINT"]
        made = Installation(cluster, folder, port, f"http://127.0.0.1:{free_port()}", given)
        made_roles = psql(made, "--file", str(DEPLOY / "database" / "roles.sql"))
        assert made_roles.returncode == 0, made_roles.stderr
        stack.callback(_stop_all, made)
        yield made


@contextmanager
def installation() -> Iterator[Installation]:
    """All of it, up, with a key of an operator `demo`."""
    with bare() as made:
        done = made.run("migrate")
        assert done.returncode == 0, done.stderr
        made.key = new_key(made)
        made.start("project")
        made.start("serve")
        made.wait_until_ready()
        yield made


def psql(made: Installation, *arguments: str) -> subprocess.CompletedProcess[str]:
    """psql as the superuser."""
    command = [str(made.cluster.programs / "psql"), "--no-psqlrc", "--quiet", "--dbname", "postgres", *arguments]
    return subprocess.run(command, env=made.shell(), capture_output=True, text=True, check=False, timeout=300)


def new_key(made: Installation) -> str:
    """A key with every role of the operator `demo`."""
    settings = database_settings(made.environ["STUDBOOK_DATABASE_URL"], made.environ)
    key = make_key()
    with connect(settings.conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, "demo", "named")
        add_key(conn, KeyRow(key.key_id, "demo", "engineer", ROLES, key.hash))
    return key.key


def _forget_logins(cluster: Cluster) -> None:
    """The embedded database makes logins of its own; roles.sql is to make them here."""
    with psycopg.connect(cluster.superuser(), autocommit=True) as conn:
        conn.execute("DROP DATABASE studbook")
        for name in (CHAIN_ROLE, *(role.login for role in Role)):
            conn.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def _stop_all(made: Installation) -> None:
    for service in list(made.processes):
        made.stop(service)
