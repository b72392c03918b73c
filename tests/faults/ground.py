"""What faults share that need no served API: a database of their own, and every invariant held at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from tests.adapters.projecting import catch_up
from tests.faults.calls import Calls
from tests.faults.evidence import Evidence, gather
from tests.faults.fault import Trial
from tests.faults.invariants import judge
from tests.faults.stage import Stage
from tests.postgres import Database

MODELS_SECONDS = 60.0


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
