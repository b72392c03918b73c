"""A projector for tests: in the same process until it has caught up, in a thread, or in a process of its own."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from adapters.database.connections import connect
from adapters.projector import Projector
from adapters.projector.storage import add_first_generations, prepare_session
from domain.views import MODELS
from tests.adapters.projector_child import project
from tests.postgres import Database

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.adapters.projector_child"])


def catch_up(database: Database, projector: Projector | None = None) -> None:
    """Fold until nothing more moves."""
    projector = projector or Projector(database.conninfo("projector"), Event())
    with connect(database.conninfo("projector")) as conn:
        prepare_session(conn)
        add_first_generations(conn, list(projector.models.values()))
        while projector.step(conn):
            pass


@contextmanager
def running(projector: Projector) -> Iterator[Projector]:
    """The projector in a thread, ended in the end."""
    thread = Thread(target=projector.run)
    thread.start()
    try:
        yield projector
    finally:
        projector.stop.set()
        thread.join(30)
        assert not thread.is_alive()


@contextmanager
def killed_projector(database: Database, batch: int) -> Iterator[None]:
    """A projector in a process of its own, which ends by SIGKILL."""
    process = _FORKS.Process(target=project, args=(database.conninfo("projector"), batch))
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join(10)
        process.close()


def positions(database: Database) -> dict[str, int]:
    """Each live model's position."""
    with database.connect("projector") as conn:
        return dict(conn.execute("SELECT model, position FROM view_progress WHERE live").fetchall())


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for a condition: more than five times the figure of the requirement, as the machine may have other work."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.01)


def all_at(database: Database, position: int) -> bool:
    found = positions(database)
    return set(found) == set(MODELS) and set(found.values()) == {position}
