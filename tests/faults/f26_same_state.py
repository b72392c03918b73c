"""F26: every read model is folded anew under another hash seed, time zone, locale and page size: the same bytes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from typing import Any, Final

from adapters.database.settings import Role
from adapters.projector import dump_hash
from adapters.projector.facts import BATCH
from domain.views import MODELS
from tests.adapters.projecting import catch_up
from tests.faults.fault import Fault, Trial
from tests.faults.ground import audited, ground, judged
from tests.faults.season import season_at
from tests.postgres import Database
from tests.store.support import head_of

ROUNDS: Final = 250
TABLES: Final = 40

_FOLD: Final = """
import json, os, sys, time
from adapters.database.connections import connect
from adapters.projector import dump_hash, rebuild
from domain.views import MODELS
with connect(os.environ["PROJECTOR"]) as conn:
    began = time.monotonic()
    rebuild(conn, batch=int(sys.argv[1]))
    seconds = time.monotonic() - began
    told = {name: dump_hash(conn, name) for name in MODELS}
    zone = conn.execute("SHOW timezone").fetchone()[0]
print(json.dumps({"hashes": told, "seconds": seconds, "zone": zone, "seed": hash("studbook"), "local": time.tzname}))
"""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a process finds around it. `page`: events that are folded at once."""

    seed: str
    zone: str
    locale: str
    page: int

    def environ(self, conninfo: str) -> dict[str, str]:
        """Its environment; the session of the database is in the zone too, and no locale is made UTF-8 in secret."""
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONHASHSEED": self.seed,
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONUTF8": "0",
            "TZ": self.zone,
            "PGTZ": self.zone,
            "LC_ALL": self.locale,
            "LANG": self.locale,
            "PROJECTOR": conninfo,
        }


PLAIN: Final = Surroundings("0", "UTC", "C.UTF-8", BATCH)
OTHERS: Final = (
    PLAIN,
    PLAIN,
    Surroundings("1", "UTC", "C.UTF-8", BATCH),
    Surroundings("0", "Pacific/Kiritimati", "C.UTF-8", BATCH),
    Surroundings("0", "UTC", "C", BATCH),
    Surroundings("0", "UTC", "C.UTF-8", 13),
    Surroundings("4294967295", "America/St_Johns", "POSIX", 1_009),
    Surroundings("random", "Asia/Kathmandu", "tr_TR.UTF-8", 211),
)
"""Twice the same; one thing another; everything another."""


def run(trial: Trial) -> None:
    """A season, folded as it came; then anew in each of the surroundings, a process each."""
    with ground(trial) as database:
        asyncio.run(_play(trial, database))
        catch_up(database)
        events = head_of(database)
        trial.figure("events", events)
        with database.connect(Role.PROJECTOR) as conn:
            live = {name: dump_hash(conn, name) for name in MODELS}
        books = audited(database.conninfo(Role.PROJECTOR))
        trial.expect(not books.findings, f"the audit found {books.findings[:1]}")
        best, seeds = 0.0, set()
        for done, one in enumerate(OTHERS, 1):
            found = _folded(database, one)
            differing = [name for name in MODELS if found["hashes"][name] != live[name]]
            trial.expect(not differing, f"{one} folds {', '.join(differing)} to other bytes")
            trial.expect(found["zone"] == one.zone, f"the session was in {found['zone']}")
            best = max(best, events / found["seconds"])
            seeds.add(found["seed"])
            trial.progress(done, f"{one.seed} {one.zone} {one.locale} {one.page}")
        trial.figure("events/s", round(best))
        trial.expect(len(seeds) > 3, "the hash seeds were all alike")
        again = audited(database.conninfo(Role.PROJECTOR))
        same = replace(again, records=books.records) == books  # a record book equals none but itself
        trial.expect(same, "the audit counts other balances than before")
        judged(trial, database)


async def _play(trial: Trial, database: Database) -> None:
    async with season_at(database, trial.seed, lambda _: None, TABLES) as season:
        began = time.monotonic()
        await season.rounds(ROUNDS)
        trial.progress(0, f"{season.played} rounds in {time.monotonic() - began:.0f} s")


def _folded(database: Database, one: Surroundings) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _FOLD, str(one.page)], env=one.environ(database.conninfo(Role.PROJECTOR)),
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{one}: {done.stderr.strip().splitlines()[-1:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


FAULT: Final = Fault("F26", "read models folded anew elsewhere", len(OTHERS), len(OTHERS), "cells", run)
