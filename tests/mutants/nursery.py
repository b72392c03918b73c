"""Runs pytest again and again, each time in a process of its own that has nothing to import but the code under test.

A fresh interpreter spends seconds on pytest and the libraries, and a second or less on the house. So one process
imports those once and waits; for each order it forks, and the child runs pytest in the folder that the order names.
Nothing of the house is imported before the fork. It is run as a program: orders come in as lines of JSON

    {"folder": "/tmp/x", "tests": ["tests/domain/test_hands.py"], "report": "/tmp/x/report.txt"}

and each is answered by the child's exit code on a line of its own.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

LIBRARIES = ("hypothesis.strategies", "pytest_asyncio.plugin", "psycopg.sql", "psycopg_pool", "httpx2")
"""What the house and its tests import of others, and what takes long."""

SECONDS_MAX = 120.0
ELSEWHERE = 98
TOO_LONG = 99
"""Exit codes beside pytest's own: the code under test was not the folder's; the run had to be killed."""

OPTIONS = (
    "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:anyio", 
    "--import-mode=importlib", "--no-header", "-rfE", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip


def serve() -> None:
    """Answer orders until there are no more."""
    for name in LIBRARIES:
        importlib.import_module(name)
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["--version"])
    gc.freeze()  # what is here now is no child's garbage
    for line in sys.stdin:
        order = json.loads(line)
        print(run(Path(order["folder"]), order["tests"], Path(order["report"])), flush=True)


def run(folder: Path, tests: list[str], report: Path) -> int:
    """The exit code of pytest over `tests` in `folder`, run in a child; what it prints goes to `report`."""
    child = os.fork()
    if child == 0:
        code = ELSEWHERE
        try:
            code = _in_child(folder, tests, report)
        finally:
            os._exit(code)
    return _waited_for(child)


def _in_child(folder: Path, tests: list[str], report: Path) -> int:
    with report.open("w") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    os.environ["STUDBOOK_TEST_PROFILE"] = "first-failure"
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    code = int(pytest.main([*OPTIONS, *tests]))
    sys.stdout.flush()
    origin = getattr(sys.modules.get("domain"), "__file__", None)
    is_ours = origin is not None and Path(origin).is_relative_to(folder)
    return code if is_ours else ELSEWHERE


def _waited_for(child: int) -> int:
    deadline = time.monotonic() + SECONDS_MAX
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TOO_LONG


if __name__ == "__main__":
    serve()
