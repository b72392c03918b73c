"""What faults share that need no served API: a database of their own, and every invariant held at the end."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import datetime

from adapters.database.connections import connect
from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from adapters.event_store import LogReader
from services.audit import Audit, audit
from tests.adapters.projecting import catch_up
from tests.faults.calls import Calls
from tests.faults.evidence import Evidence, gather, models_of
from tests.faults.fault import Trial
from tests.faults.invariants import judge
from tests.faults.stage import Stage
from tests.postgres import Database
from tests.store.support import decoded

MODELS_SECONDS = 150.0

FULL_EVENTS = 200_000
"""Up to so many events are held in memory at once; a longer log is read through page by page."""


@contextmanager
def ground(trial: Trial, name: str = "data", settings: Mapping[str, str] | None = None) -> Iterator[Database]:
    """A migrated database with nobody on it."""
    with Cluster.start(trial.folder / name, settings) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        yield Database("studbook", cluster)


def judged(trial: Trial, database: Database, without: str = "") -> Evidence:
    """Let the read models catch up, and hold every invariant that needs no calls, `without` the one named."""
    catch_up(database)
    evidence = gather(database.connect)
    trial.checked({code: found for code, found in judge(evidence, None).items() if code != without})
    return evidence


def judged_stage(trial: Trial, stage: Stage, calls: Calls, *, after: datetime | None = None) -> Evidence:
    """The same for a stage that has served these calls."""
    stage.wait_models(MODELS_SECONDS)
    evidence = gather(stage.connect)
    trial.checked(judge(evidence, calls, after=after))
    return evidence


def whole_log(trial: Trial, conninfo: str) -> None:
    """What can be said of a log that is too long for memory: chain, versions and laws of the ledger in one pass, and
    read models folded anew, each in a process of its own. Nobody may write meanwhile. `conninfo`: the projector's."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other, connect(conninfo) as conn:
        asked = other.submit(audited, conninfo)
        models = models_of(conn, lambda position: trial.progress(trial.done, f"folded anew up to {position}"))
        found = asked.result()
    told = {"I1": found.holds("ledger"), "I7": found.holds("events"), "I8": found.holds("chain")}
    texts = [f"{one.check} at position {one.position}: {one.reason}" for one in found.findings]
    trial.checked({code: [] if holds else texts for code, holds in told.items()})
    trial.checked({"I6": [f"{one.name} is not what the log says" for one in models if one.live != one.rebuilt]})
    trial.checked({"I7": [f"{one.name} stopped: {one.stopped}" for one in models if one.stopped]})


def audited(conninfo: str) -> Audit:
    """The service's own audit of the whole log."""
    with connect(conninfo) as conn:
        return audit(LogReader(conn).raw(), decoded)
