"""F10: an embedded database that ends under a running service is started again, and no server is left at the end."""

from __future__ import annotations

import logging
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
        settings.write_text(right + "\nno_such_setting = 1\n", encoding="utf-8")
        os.kill(first, signal.SIGKILL)
        until(lambda: any("does not start" in one.message for one in caplog.records))
        settings.write_text(right, encoding="utf-8")
        # then it is there again by itself, each fault told once
        until(lambda: "runs again" in caplog.records[-1].message)
        assert answers(cluster)
        assert cluster.pid != first
        told = [one.message for one in caplog.records if one.levelno >= logging.ERROR]
        assert ["has ended" in told[0], len([one for one in told if "does not start" in one])] == [True, 1]
        # and once nobody keeps it, it stays away
        keeper.stop()
        os.kill(cluster.pid, signal.SIGKILL)
        until(lambda: not cluster.is_running)
        time.sleep(0.5)
        assert not cluster.is_running
    assert servers_of(folder) == []
