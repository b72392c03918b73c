"""Commands that start processes end them, at whatever moment a signal comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from api.bench.processes import process
from api.commands.stoppable import stoppable, undisturbed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_until_what_was_started_is_known(number: signal.Signals) -> None:
    known: list[str] = []
    with pytest.raises(SystemExit) as left, stoppable():  # noqa: PT012  # where it is raised is what is tested
        with undisturbed(), undisturbed():
            os.kill(os.getpid(), number)
            known.append("started")
        known.append("not reached")
    assert (left.value.code, known) == (128 + number, ["started"])


def test_a_process_that_was_just_started_when_the_signal_came_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def late(*words: object, **named: object) -> subprocess.Popen[bytes]:
        child: subprocess.Popen[bytes] = real(*words, **named)  # type: ignore[call-overload]  # whatever Popen takes
        started.append(child)
        os.kill(os.getpid(), signal.SIGTERM)
        return child

    monkeypatch.setattr("api.bench.processes.subprocess.Popen", late)
    with pytest.raises(SystemExit), stoppable(), process("sleep", [sys.executable, "-c", "input()"], os.environ):
        raise AssertionError("the signal came before this")
    assert [child.poll() is not None for child in started] == [True]
