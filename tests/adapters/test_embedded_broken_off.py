"""The making of a cluster that is broken off leaves no process behind, and nothing that it was writing."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from adapters.embedded import Cluster
from adapters.embedded.account import account_for
from adapters.embedded.errors import EmbeddedError
from tests.embedded import HOLD, folder, python

__all__ = ["folder"]


def those_that_name(path: Path) -> list[str]:
    """Commands of live processes that name the path."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "stat=,command="], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if str(path) in line and not line.startswith("Z")]


def wait_for_work(folder: Path) -> None:
    """Until initdb has begun to write."""
    until = time.monotonic() + 120
    while not list(folder.glob(".initdb-*/cluster/PG_VERSION")):
        assert time.monotonic() < until, "initdb never began"
        time.sleep(0.002)


def test_a_start_that_is_broken_off_within_initdb_ends_its_helpers_and_clears_away(folder: Path) -> None:
    process = python(HOLD, folder)
    wait_for_work(folder)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode != 0
    assert those_that_name(folder) == []
    assert list(folder.glob(".initdb-*")) == []
    # and the next start begins afresh
    with Cluster.start(folder):
        assert (folder / "cluster" / "PG_VERSION").exists()


def test_a_program_that_takes_too_long_is_ended_with_its_helpers(folder: Path) -> None:
    script = f"sh -c 'sleep 60; : {folder}' & wait; : {folder}"
    with pytest.raises(EmbeddedError, match="did not end within"):
        account_for(folder / "cluster").run(["/bin/sh", "-c", script], seconds=0.5)
    assert those_that_name(folder) == []
