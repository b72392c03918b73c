"""F10: the disk of PostgreSQL is full, then the volume of its log is; each gets larger; nothing of ours restarts."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psycopg

from adapters.embedded import Cluster
from tests.faults.calls import Caller, Calls, Lost, command
from tests.faults.check import Watch, check
from tests.faults.evidence import wait_until
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.floor import GAMES
from tests.faults.load import Load
from tests.faults.stage import Stage
from tests.faults.volumes import Volume, volume

DATA_MIB: Final = 110
WAL_MIB: Final = 64
LARGER_MIB: Final = 600
BACK_SECONDS: Final = 10.0
FULL_SECONDS: Final = 5.0
"""So long it stays full."""
POSTGRES: Final = {"min_wal_size": "32MB", "max_wal_size": "48MB"}
SEGMENTS_MOST: Final = 64
READS: Final = ("/v1/players/player-0/balance", "/v1/tables?limit=5")


@dataclass(slots=True)
class Reader:
    """Reads once in a while, and counts the answers."""

    stage: Stage
    statuses: Counter[int] = field(default_factory=Counter)
    ending: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Until it is told to end."""
        caller = Caller(self.stage, Calls(), 0)
        while not self.ending.wait(0.1):
            for path in READS:
                try:
                    self.statuses[caller.get(path).status] += 1
                except Lost:
                    self.statuses[0] += 1
        caller.close()


def run(trial: Trial) -> None:
    """Each volume under load until writes fail; then space again."""
    for nth, scene in enumerate((_data, _wal)[: trial.amount]):
        folder = trial.folder / f"spell-{nth}"
        folder.mkdir(mode=0o755)
        scene(trial, folder)
        trial.progress(nth + 1)


def _data(trial: Trial, folder: Path) -> None:
    """Everything lies on one small volume. PostgreSQL says so in each transaction, and reads go on."""
    with volume(folder / "data", DATA_MIB) as disk, Stage.start(folder, postgres=POSTGRES) as stage:
        _filled(trial, stage, disk, "data")


def _wal(trial: Trial, folder: Path) -> None:
    """The log has a volume of its own. PostgreSQL ends when it is full; whoever runs it starts it again."""
    with volume(folder / "wal", WAL_MIB) as disk:
        _move_log(folder, disk)
        with Stage.start(folder, postgres=POSTGRES) as stage:
            _filled(trial, stage, disk, "WAL")


def _move_log(folder: Path, disk: Volume) -> None:
    """A cluster whose `pg_wal` is a link to the volume, as `initdb --waldir` would have made it."""
    Cluster.start(folder / "data").stop()
    inside, outside = folder / "data" / "cluster" / "pg_wal", disk.path / "pg_wal"
    owner = inside.stat()
    shutil.move(str(inside), outside)
    for one in (outside, *outside.rglob("*")):
        shutil.chown(one, owner.st_uid, owner.st_gid)
    inside.symlink_to(outside)


def _filled(trial: Trial, stage: Stage, disk: Volume, name: str) -> None:
    watch = Watch(stage)
    with Load(stage, trial.seed) as load:
        load.run_for(2.0)
        watch.note()
        disk.fill(0)
        if name == "WAL":
            _use_up(stage)
        full = wait_until(lambda: load.calls.statuses[503] > 0, 60)
        trial.expect(full, f"{name}: nobody felt that it was full")
        acknowledged = load.acknowledged
        with reading(stage) as reader:
            load.run_for(FULL_SECONDS)
        trial.figure(f"{name} acked while full", load.acknowledged - acknowledged)
        trial.figure(f"{name} reads", ", ".join(f"{n} x {status}" for status, n in sorted(reader.statuses.items())))
        trial.expect(not reader.statuses.keys() - {200, 503}, f"{name}: reads were answered {dict(reader.statuses)}")
        trial.expect(name != "data" or set(reader.statuses) == {200}, "data: a read was not answered")
        disk.resize(LARGER_MIB)
        began = time.monotonic()
        stage.restart_postgres()  # where it has ended; whoever runs PostgreSQL does so
        _writes_again(trial, stage, load, name, began)
        watch.fault_ended()
        load.run_for(1.0)
        load.finish()
        trial.expect(not load.faults, f"{name}: clients failed: {load.faults[:3]}")
        trial.count("503", load.calls.statuses[503])
        trial.expect(load.calls.statuses[0] == 0, f"{name}: {load.calls.statuses[0]} requests had no answer at all")
        check(trial, stage, load.calls, watch)


def _use_up(stage: Stage) -> None:
    """Segments of the log that PostgreSQL has laid in are used up, until it finds no room for another and ends."""
    with suppress(psycopg.OperationalError), stage.superuser() as conn:
        for _ in range(SEGMENTS_MOST):
            conn.execute("SELECT pg_logical_emit_message(true, 'filler', 'x')")
            conn.execute("SELECT pg_switch_wal()")


@contextmanager
def reading(stage: Stage) -> Iterator[Reader]:
    """A reader in a thread, until the end of this."""
    reader = Reader(stage)
    thread = threading.Thread(target=reader.run, daemon=True)
    thread.start()
    try:
        yield reader
    finally:
        reader.ending.set()
        thread.join(60)


def _writes_again(trial: Trial, stage: Stage, load: Load, name: str, began: float) -> None:
    """How long after there was space each door takes a command."""
    for nth, _ in enumerate(stage.doors):
        caller = Caller(stage, load.calls, nth)
        key = f"after-{name}-{nth}"
        body = {"amount": 1, "currency": GAMES[0].currency, "transaction_id": key}
        with suppress(Lost):
            caller.settle(command("/v1/players/player-0/deposits", body, key), LIVENESS * BACK_SECONDS)
        caller.close()
    trial.in_time(f"{name} writes again s", time.monotonic() - began, BACK_SECONDS)


FAULT: Final = Fault("F10", "disk full, log volume full", 2, 2, "volumes", run)
