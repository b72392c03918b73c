"""F12: the projector is killed before it writes a batch, after it wrote it, and after it committed it.

The next one goes on where the last commit left it: at the end every read model is what a fresh fold of the log is.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from collections import Counter
from itertools import cycle
from typing import Final

from tests.faults.evening import Evening
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.faults.projector_that_dies import Point, project
from tests.postgres import Database
from tests.store.support import head_of, shop_of

EVENTS_A_KILL: Final = 40
KILLED_SECONDS: Final = 30.0
_FORKS: Final = multiprocessing.get_context("forkserver")


async def history(database: Database, events: int, chance: random.Random) -> None:
    """At least so many events."""
    async with shop_of(database.conninfo("writer")) as shop:
        evening = Evening(shop, chance)
        await evening.furnish()
        while head_of(database) < events:
            await evening.rounds()


def run(trial: Trial) -> None:
    chance = random.Random(trial.seed)
    _FORKS.set_forkserver_preload(["tests.faults.projector_that_dies"])
    with ground(trial) as database:
        asyncio.run(history(database, trial.amount * EVENTS_A_KILL, chance))
        batch = max(1, head_of(database) // (trial.amount * 3))
        kills: Counter[Point] = Counter()
        stood = 0
        for nth, point in zip(range(1, trial.amount + 1), cycle(Point), strict=False):
            stood = killed(trial, database, batch, point, after=chance.randrange(3), stood=stood)
            kills[point] += 1
            trial.progress(nth, f"{point} at position {stood}")
        evidence = judged(trial, database)
        trial.expect(0 < stood <= evidence.head, f"the kills left the models at {stood} of {evidence.head}")
    for point in Point:
        trial.figure(point.value, kills[point])
    trial.figure("events", evidence.head)


def killed(trial: Trial, database: Database, batch: int, point: Point, *, after: int, stood: int) -> int:
    """One projector to its death; where the models stand then."""
    process = _FORKS.Process(target=project, args=(database.conninfo("projector"), batch, point, after))
    process.start()
    process.join(KILLED_SECONDS)
    trial.expect(process.exitcode == -9, f"{point}: the projector was not killed, it ended with {process.exitcode}")
    process.kill()
    process.join()
    process.close()
    with database.connect("projector") as conn:
        rows = conn.execute("SELECT DISTINCT position FROM view_progress WHERE live").fetchall()
    found: list[int] = sorted(position for (position,) in rows)
    now = stood + batch * (after + (point is Point.AFTER_COMMIT))
    trial.expect(found == [now], f"{point}: the models stand at {found}, {now} was committed")
    return found[0]


FAULT: Final = Fault("F12", "projector killed between events", 50, 500, "kills", run)
