"""The frame of the command line: help with an example, one line and exit code 2 for bad use, a light start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli import app, main

ROOT = Path(__file__).parent.parent.parent


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `studbook` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    assert "settle" in out
    assert "rules" in out


@pytest.mark.parametrize("command", [one.name for one in app.registered_commands])
def test_the_help_of_each_command_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = run(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert "Example" in out
    assert f"studbook {command}" in out.partition("Example")[2]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--foo",), "--foo"),
        (("settle", "--foo"), "--foo"),
        (("settle", "extra"), "extra"),
        (("bet",), "bet"),
        (("rules", "poker-v1"), "poker-v1"),
        (("rules", "live-5plus1-v1", "extra"), "extra"),
        (("rules", "--json=yes"), "--json"),
    ],
)
def test_bad_use_is_one_line_that_names_the_fault_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("studbook: ")
    assert named in err
    assert err.count("\n") == 1


def test_the_command_line_starts_without_the_web_framework_or_the_database_driver() -> None:
    check = "import sys, api.cli; print(sorted({'fastapi', 'uvicorn', 'psycopg', 'eventsourcing'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, cwd=ROOT, timeout=300, check=True)
    assert done.stdout.strip() == b"[]"


def test_an_output_that_cannot_be_written_is_one_line_and_exit_code_1() -> None:
    with open(os.devnull, "rb") as not_for_writing:
        done = subprocess.run(
            [sys.executable, "-m", "api.cli", "settle"],
            input=b"x\n",
            stdout=not_for_writing,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=300,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"studbook: ")
    assert done.stderr.count(b"\n") == 1


MANY_LINES = [
    ["rules"], ["rules", "--json"], ["--help"], ["replay", "--help"], ["rtp", "live-5plus1-v1", "--data"], ["settle"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", MANY_LINES, ids=" ".join)
def test_a_reader_that_goes_away_ends_a_command_quietly_as_it_ends_any_program(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "api.cli", *arguments],
            input=b'{"id": "x"}\n' * 2_000,
            stdout=gone,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=300,
            check=False,
        )
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")
