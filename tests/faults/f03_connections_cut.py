"""F03: connections are cut under load: the server ends backends, and proxies cut between API and database and between
clients and API, each before a message is sent, after it, and before its answer.
"""

from __future__ import annotations

import random
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from adapters.database.settings import Role
from adapters.embedded import Cluster
from api.main.application import KEY_POOL, READ_POOL
from tests.faults.check import Watch, check
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.load import Load
from tests.faults.proxy import Cut, Proxy
from tests.faults.stage import Stage

POOL: Final = 1 + KEY_POOL + READ_POOL
"""Database connections of one serving process: the writer's, and those for keys and for reads.

A batch that a cut kept from happening is decided once more, so a cut of the writer's fails no request of its own.
"""

GOES_ON_SECONDS: Final = 5.0
SPELL: Final = 60
BETWEEN_SECONDS: Final = 0.5
BACKENDS: Final = ("studbook house", "studbook projector", "studbook reads", "studbook keys", "studbook timers")


def run(trial: Trial) -> None:
    """One cut after the other, of every kind in turn."""
    for units, folder in trial.spells(SPELL):
        _spell(trial, units, folder)


def _spell(trial: Trial, units: range, folder: Path) -> None:
    with ExitStack() as stack:
        to_database: list[Proxy] = []

        def through(cluster: Cluster) -> str:
            to_database.append(stack.enter_context(Proxy(partial(_database, cluster))))
            return f"host=127.0.0.1 port={to_database[0].port} dbname=studbook"

        stage = stack.enter_context(Stage.start(folder, database=through))
        to_api = [
            stack.enter_context(Proxy(partial(socket.create_connection, ("127.0.0.1", door.port))))
            for door in stage.doors
        ]
        seed = trial.seed + units.start
        with Load(stage, seed, ports=[one.port for one in to_api]) as load:
            cutter = Cutter(trial, stage, load, to_database[0], to_api, random.Random(seed))
            cutter.cut_all(units)


def _database(cluster: Cluster) -> socket.socket:
    """A connection to the server past its socket file, or to its port."""
    if not cluster.host.startswith("/"):
        return socket.create_connection((cluster.host, cluster.port))
    made = socket.socket(socket.AF_UNIX)
    made.connect(f"{cluster.host}/.s.PGSQL.{cluster.port}")
    return made


@dataclass(frozen=True, slots=True)
class Cutter:
    """What a spell needs."""

    trial: Trial
    stage: Stage
    load: Load
    to_database: Proxy
    to_api: list[Proxy]
    chance: random.Random

    @property
    def failed(self) -> int:
        """Requests that had no answer, or 503."""
        return self.load.calls.statuses[0] + self.load.calls.statuses[503]

    def cut_all(self, units: range) -> None:
        """The cuts, then all invariants."""
        trial, load, watch, worst = self.trial, self.load, Watch(self.stage), 0
        for nth in units:
            load.run_for(self.chance.uniform(0.1, 0.3))
            watch.note()
            before = self.failed
            self.cut(nth)
            load.run_for(BETWEEN_SECONDS)
            failed = self.failed - before
            worst = max(worst, failed)
            trial.expect(failed <= POOL, f"cut {nth}: {failed} requests failed, a process has {POOL} connections")
            trial.progress(nth + 1, f"{load.acknowledged} acknowledged, {self.failed} failed once")
        watch.fault_ended()
        load.finish()
        trial.expect(not load.faults, f"clients failed: {load.faults[:3]}")
        trial.expect(self.failed > 0 or len(units) < 10, "no cut was felt")
        trial.figure("failed per cut", max(worst, int(trial.figures.get("failed per cut", 0))))
        trial.count("done but untold", load.calls.found_done)
        check(trial, self.stage, load.calls, watch)

    def cut(self, nth: int) -> None:
        """One cut; the read models go on past the head of that moment."""
        cut = list(Cut)[nth % 3]
        match nth % 4:
            case 0:
                _end_backend(self.trial, self.stage, BACKENDS[nth // 4 % len(BACKENDS)])
            case 1:
                self.to_database.arm(cut, b"COMMIT")
            case 2:
                self.to_database.arm(cut)
            case _:
                self.chance.choice(self.to_api).arm(cut)
        head = self.stage.anchor().position
        self.trial.in_time("models go on s", _seconds_until(self.trial, self.stage, head), GOES_ON_SECONDS)


def _end_backend(trial: Trial, stage: Stage, name: str) -> None:
    with stage.superuser() as conn:
        ended = conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s LIMIT 1", [name]
        ).fetchall()
    trial.expect(bool(ended), f"no connection named {name} was there to be ended")


def _seconds_until(trial: Trial, stage: Stage, head: int) -> float:
    began = time.monotonic()
    with stage.connect(Role.PROJECTOR) as conn:

        def are_there() -> bool:
            row = conn.execute("SELECT min(position) FROM view_progress WHERE live").fetchone()
            return row is not None and row[0] is not None and row[0] >= head

        trial.expect(wait_until(are_there, 5 * GOES_ON_SECONDS, 0.02), "the read models did not go on")
    return time.monotonic() - began


FAULT: Final = Fault("F03", "connections cut", 30, 500, "cuts", run)
