"""Read models are compared in a process beside where the log is long: it finds the same, and outlives nobody."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator

import pytest

from adapters.database.errors import StartRefused
from adapters.embedded import Cluster
from api.main import models_beside
from api.main.models_beside import models_of
from domain.errors import Unavailable
from services.audit import Finding
from tests.adapters.projecting import catch_up
from tests.adapters.view_log import append
from tests.domain.views.plots import random_story
from tests.postgres import Database, new_database

CHANGE = """
    UPDATE view_rows SET body = convert_to(replace(convert_from(body, 'UTF8'), ':1', ':2'), 'UTF8')
    WHERE ctid = (SELECT max(ctid) FROM view_rows WHERE model = 'balances')"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every log is long enough for a process beside, and what threads other tests have left does not count."""
    monkeypatch.setattr(models_beside, "BESIDE_EVENTS", 1)
    monkeypatch.setattr("threading.active_count", lambda: 1)


@pytest.fixture(scope="module")
def changed(cluster: Cluster, template: str) -> Iterator[Database]:
    """A log with its read models, and one row of them that is not what the events say."""
    with new_database(cluster, template) as made:
        with made.connect("writer") as conn:
            append(conn, random_story(31, rounds=30).told)
        catch_up(made)
        with made.tamper() as conn:
            assert conn.execute(CHANGE).rowcount == 1
        yield made


def found_by(database: Database, *, head: int = 1_000) -> list[Finding]:
    told: list[int] = []
    with (
        database.connect("projector") as conn,
        models_of(conn, database.conninfo("projector"), head) as compared,
    ):
        found = compared(told.append)
    assert told
    assert told == sorted(told)
    return found


def test_F21_a_process_beside_finds_what_one_process_finds(changed: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = found_by(changed, head=0)
    assert [one.check for one in alone] == ["models"]
    forks: list[int] = []
    fork = os.fork

    def counted() -> int:
        forks.append(1)
        return fork()

    monkeypatch.setattr("os.fork", counted)
    assert found_by(changed) == alone
    assert len(forks) == 1
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert found_by(changed) == alone, "and not by a fork, which would leave the other threads out"
    assert len(forks) == 1
    assert not multiprocessing.active_children()


def test_a_process_beside_that_is_killed_is_told_in_one_line(
    changed: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models_beside, "compared", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(Unavailable, match="was ended"):
        found_by(changed)


def test_a_process_beside_whose_log_cannot_be_had_says_why(changed: Database) -> None:
    with (
        changed.connect("projector") as conn,
        models_of(conn, "host=/nowhere", 1_000) as compared,
        pytest.raises(StartRefused, match="nowhere"),
    ):
        compared(lambda _: None)
    assert not multiprocessing.active_children()


def test_a_process_beside_that_nobody_waits_for_ends(changed: Database) -> None:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    other = multiprocessing.get_context("fork").Process(
        target=models_beside._compare_beside, args=(changed.conninfo("projector"), 1_000, ours, theirs)
    )
    other.start()
    ours.close()
    other.join(60)
    assert other.exitcode == 0
