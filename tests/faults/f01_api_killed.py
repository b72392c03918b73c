"""F01: a serving process is killed (SIGKILL) in mid-load; `studbook serve` itself starts another."""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import suppress
from typing import Final

from adapters.database.settings import Role
from tests.faults.check import Watch, check
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.load import Load
from tests.faults.stage import Stage

READY_SECONDS: Final = 5.0
SPELL: Final = 20
ACKED_LEAST: Final = 5_000


def run(trial: Trial) -> None:
    """Kills at random moments, 0.2 to 3 s apart, until the amount is done and enough was acknowledged."""
    chance = random.Random(trial.seed)
    for units, folder in trial.spells(SPELL):
        with (
            Stage.start(folder, doors=1, workers=2) as stage,
            Load(stage, trial.seed + units.start) as load,
        ):
            watch = Watch(stage)
            for nth in units:
                load.run_for(chance.uniform(0.2, 3.0))
                watch.note()
                _kill(trial, stage, chance)
                trial.progress(nth + 1, f"{load.acknowledged} acknowledged")
            watch.fault_ended()
            load.run_until(ACKED_LEAST)
            load.finish()
            trial.expect(not load.faults, f"clients failed: {load.faults[:3]}")
            trial.expect(load.calls.statuses[0] > 0, "no kill was felt")
            trial.count("lost answers", load.calls.statuses[0])
            check(trial, stage, load.calls, watch)


def _kill(trial: Trial, stage: Stage, chance: random.Random) -> None:
    """SIGKILL one worker, and wait until two serve again."""
    before = _serving(stage)
    victim = chance.choice(stage.doors[0].workers())
    with suppress(ProcessLookupError):
        os.kill(victim.pid, signal.SIGKILL)
    began = time.monotonic()
    is_back = wait_until(lambda: _is_whole(stage, before), 5 * READY_SECONDS)
    trial.expect(is_back, "two workers did not serve again")
    trial.in_time("ready s", time.monotonic() - began, READY_SECONDS)


def _serving(stage: Stage) -> set[int]:
    """The writers' connections, one for each worker that is up."""
    with stage.connect(Role.PROJECTOR) as conn:
        rows = conn.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'studbook house'").fetchall()
    return {pid for (pid,) in rows}


def _is_whole(stage: Stage, before: set[int]) -> bool:
    """Two writers, one of them new, and the door says that it is ready."""
    now = _serving(stage)
    return len(now) == 2 and now != before and stage.doors[0].is_ready()


FAULT: Final = Fault("F01", "kill -9 of the API in mid-load", 10, 200, "kills", run)
