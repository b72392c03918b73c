"""F02: PostgreSQL is stopped without a checkpoint (SIGQUIT) or killed (SIGKILL) in mid-load, and comes back."""

from __future__ import annotations

import random
import signal
import time
from typing import Final

from tests.faults.calls import Caller, command
from tests.faults.check import Watch, check
from tests.faults.fault import Fault, Trial
from tests.faults.floor import GAMES
from tests.faults.load import Load
from tests.faults.stage import Stage

SERVES_SECONDS: Final = 5.0
SPELL: Final = 20
REFUSED_SECONDS: Final = 2.0
LONG_SECONDS: Final = 12.0
"""The last outage is a long one: pauses between attempts to connect must not have grown with it."""
SIGNALS: Final = (signal.SIGQUIT, signal.SIGKILL)


def run(trial: Trial) -> None:
    """Each kill under load; the API is never started again."""
    for units, folder in trial.spells(SPELL):
        with Stage.start(folder) as stage, Load(stage, trial.seed + units.start) as load:
            _spell(trial, stage, load, units)


def _spell(trial: Trial, stage: Stage, load: Load, units: range) -> None:
    chance, watch = random.Random(trial.seed + units.start), Watch(stage)
    processes = [door.pid for door in stage.doors]
    for nth in units:
        load.run_for(chance.uniform(0.5, 2.0))
        watch.note()
        down = LONG_SECONDS if nth == units[-1] else chance.uniform(0.2, 1.5)
        _outage(trial, stage, load, SIGNALS[nth % 2], down)
        trial.progress(nth + 1, f"{load.acknowledged} acknowledged, {load.calls.statuses[503]} answers of 503")
    watch.fault_ended()
    load.run_for(0.5)
    load.finish()
    trial.expect(not load.faults, f"clients failed: {load.faults[:3]}")
    trial.expect([door.pid for door in stage.doors] == processes, "the API was started again")
    trial.expect(all(door.process and door.process.poll() is None for door in stage.doors), "an API process ended")
    trial.expect(load.calls.statuses[503] > 0, "no kill was felt")
    trial.expect(load.calls.statuses[0] == 0, f"{load.calls.statuses[0]} requests had no answer at all")
    trial.count("503", load.calls.statuses[503])
    trial.count("done but untold", load.calls.found_done)
    trial.in_time("503 after s", max(seconds for _, seconds in load.calls.unavailable_at), REFUSED_SECONDS)
    check(trial, stage, load.calls, watch)


def _outage(trial: Trial, stage: Stage, load: Load, number: signal.Signals, seconds: float) -> None:
    """Kill, leave it down for a while, bring it back, and wait until each door takes a command again."""
    stage.kill_postgres(number)
    load.run_for(seconds)
    stage.restart_postgres()
    began = time.monotonic()
    for nth, door in enumerate(stage.doors):
        caller = Caller(stage, load.calls, nth)
        name = f"after-{trial.done}-{door.port}-{number.name}"
        body = {"amount": 1, "currency": GAMES[0].currency, "transaction_id": name}
        caller.settle(command("/v1/players/player-0/deposits", body, name))
        while caller.get("/v1/players/player-0/balance").status != 200:
            load.run_for(0.02)
        caller.close()
        trial.in_time("serves again s", time.monotonic() - began, SERVES_SECONDS)


FAULT: Final = Fault("F02", "PostgreSQL stopped at once or killed", 6, 50, "kills", run)
