"""Programs that are run for the embedded database: broken off, they end with every helper before anything goes on."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from adapters.embedded import children
from adapters.embedded.account import Account
from adapters.embedded.errors import EmbeddedError

ME = Account("me", os.getuid(), os.getgid(), switch=False)
HELPED = "sleep 300 & echo $! > {told}; echo begun; {more}"


def is_alive(told: Path) -> bool:
    """Whether the helper runs on; one that is dead and not yet buried does not. A process that ends closes its files a
    moment before it counts as dead, so it has that moment.
    """
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{told.read_text().strip()}/stat").read_text("ascii").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state in {"Z", "X"}:
            return False
        time.sleep(0.01)
    return True


def test_a_program_that_takes_too_long_is_gone_with_its_helper_when_that_is_said(tmp_path: Path) -> None:
    told = tmp_path / "helper"
    with pytest.raises(EmbeddedError, match="did not end within"):
        ME.run(["/bin/sh", "-c", HELPED.format(told=told, more="wait")], seconds=0.7)
    assert told.read_text().strip().isdigit()
    assert not is_alive(told)


def test_one_that_is_broken_off_by_a_signal_is_gone_with_its_helper_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "helper"

    def stopped(*_: object, **__: object) -> None:
        while not told.exists() or not told.read_text().strip():
            pass
        raise SystemExit(0)  # as the handler of SIGTERM does while the database starts

    monkeypatch.setattr("subprocess.Popen.communicate", stopped)
    with pytest.raises(SystemExit):
        ME.run(["/bin/sh", "-c", HELPED.format(told=told, more="wait")])
    assert not is_alive(told)


def test_nothing_stays_open_and_nobody_waits_for_a_program_that_ends(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert ME.run(["/bin/echo", "done"]).stdout == "done\n"
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(FileNotFoundError):
        ME.run([tmp_path / "nobody"])
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_end_of_all_who_hold_it_is_seen_at_once() -> None:
    with children.Lives() as lives:
        copy = os.dup(lives.theirs)
        assert not lives.wait(0.05)
        threading.Timer(0.1, os.close, [copy]).start()
        assert lives.wait(150)
