"""F10: an embedded database that ends under a running service is started again, and no server is left at the end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from adapters.embedded import Cluster
from api.main import keeping
from tests.embedded import folder, servers_of

__all__ = ["folder"]


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.02)


def answers(cluster: Cluster) -> bool:
    try:
        with psycopg.connect(cluster.superuser("studbook"), connect_timeout=5):
            return True
    except psycopg.OperationalError:
        return False


def put(settings: Path, text: str) -> None:
    """Other settings at one stroke: a server that starts just now reads the old ones or the new, never half of them."""
    owner, made = settings.stat(), settings.with_suffix(".new")
    made.write_text(text, encoding="utf-8")
    os.chown(made, owner.st_uid, owner.st_gid)
    made.chmod(owner.st_mode & 0o777)
    made.replace(settings)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the service has said; others' lines are none of this test's."""
    return [one.message for one in list(caplog.records) if one.name == keeping.log.name]


def test_F10_an_embedded_database_that_was_killed_runs_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keeping, "LOOK_SECONDS", 0.05)
    with Cluster.start(folder) as cluster:
        keeper = keeping.Keeper(cluster)
        keeper.start()
        first = cluster.pid
        # when its server dies, and at first cannot be started again
        settings = folder / "cluster" / "postgresql.conf"
        right = settings.read_text("utf-8")
        put(settings, right + "\nno_such_setting = 1\n")
        os.kill(first, signal.SIGKILL)
        until(lambda: any("does not start" in one for one in told(caplog)))
        put(settings, right)
        # then it is there again by itself, each fault told once
        until(lambda: any("runs again" in one for one in told(caplog)))
        until(lambda: answers(cluster))
        assert cluster.pid != first
        assert "has ended" in told(caplog)[0]
        faults = [one for one in told(caplog) if "does not start" in one]
        assert len([one for one in faults if "contains errors" in one]) == 1
        assert len(set(faults)) == len(faults)
        # and once nobody keeps it, it stays away
        keeper.stop()
        os.kill(cluster.pid, signal.SIGKILL)
        until(lambda: not cluster.is_running)
        time.sleep(0.5)
        assert not cluster.is_running
    assert servers_of(folder) == []
