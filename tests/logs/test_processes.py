"""Secrets that are planted in every process turn up in none of their logs, whatever fails and however."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.house.tree import ROOT
from tests.postgres import Database
from tests.store.commands import environment

PLANTED = "planted-Pa55word"
SECRETS = {
    "STUDBOOK_WRITER_PASSWORD": f"{PLANTED}-w",
    "STUDBOOK_PROJECTOR_PASSWORD": f"{PLANTED}-p",
    "STUDBOOK_REQUEST_PASSWORD": f"{PLANTED}-r",
    "STUDBOOK_OWNER_PASSWORD": f"{PLANTED}-o",
    "STUDBOOK_METRICS_TOKEN": f"{PLANTED}-metrics-token",
    "STUDBOOK_BOOTSTRAP_KEY": f"{PLANTED}-bootstrap-key",
}

FAILING = """
import asyncio, logging, threading, warnings
from api.logs.setup import configure
configure("test")
import os
secret = os.environ["STUDBOOK_WRITER_PASSWORD"]
told = f"postgresql://studbook_writer:{secret}@db/studbook refused {secret!r}"
def fail(): raise RuntimeError(told)
for name in ("studbook.api", "uvicorn.error", "psycopg.pool", "eventsourcing", "asyncio"):
    try: fail()
    except RuntimeError: logging.getLogger(name).exception("failed: %s", told, extra={"password": secret})
warnings.warn(told)
thread = threading.Thread(target=fail); thread.start(); thread.join()
async def lost():
    asyncio.get_running_loop().call_soon(fail)
    await asyncio.sleep(0)
asyncio.run(lost())
try: fail()
except RuntimeError as fault: raise ValueError("the last of it") from fault
"""
"""Every way that a fault finds to standard error."""


def run(arguments: list[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env={**environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        cwd="/", timeout=300, check=False,
    )  # fmt: skip


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("STUDBOOK_")} | SECRETS


def test_whatever_fails_in_a_process_is_told_in_lines_without_secrets() -> None:
    done = run(["-c", FAILING], clean_environment())
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert {one["logger"] for one in lines} >= {
        "studbook.api", "uvicorn.error", "psycopg.pool", "eventsourcing", "asyncio", "py.warnings", "studbook",
    }  # fmt: skip
    assert sum("Traceback" in one.get("exception", "") for one in lines) >= 7
    assert "the last of it" in lines[-1]["exception"]
    assert PLANTED not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--port", "0"],
        ["migrate"],
        ["verify"],
        ["rebuild", "balances"],
        ["migrate", "--database-url", f"postgresql://ann:{PLANTED}@127.0.0.1/x"],
        ["migrate", "--database-url", f"postgresql://127.0.0.1:1/x?sslpassword={PLANTED}"],
        ["serve", "--port", f"{PLANTED}-w"],
        [f"{PLANTED}-w"],
        ["skip", f"{PLANTED}-w", "1", "--by", "x", "--reason", "y"],
    ],
    ids=lambda words: " ".join(words)[:24],
)
def test_a_command_that_refuses_says_why_in_a_line_without_secrets(database: Database, arguments: list[str]) -> None:
    environ = {**environment(database), "STUDBOOK_DATABASE_URL": database.settings.url, **SECRETS}
    done = run(["-m", "api.cli", *arguments], environ)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("studbook: ")
    assert PLANTED not in done.stdout + done.stderr


def test_a_command_that_fails_in_an_unforeseen_way_shows_a_traceback_without_secrets() -> None:
    code = (
        "import os, sys\nfrom api import cli\nimport api.commands.rules\n"
        "def bad(*_, **__): raise RuntimeError('it was ' + os.environ['STUDBOOK_OWNER_PASSWORD'])\n"
        "cli.app = bad\ncli.main(['rules'])\n"
    )
    done = run(["-c", code], clean_environment())
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "RuntimeError: it was [redacted]" in done.stderr
    assert PLANTED not in done.stderr
