"""The systemd units start commands that there are, under no more rights than they need."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from api.cli import app
from tests.deploy.files import DEPLOY
from tests.house.tree import ROOT

UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [one for one in UNITS if one.suffix == ".service"]
PROGRAM = "/opt/studbook/.venv/bin/studbook"


class Unit(configparser.RawConfigParser):
    """A unit's sections, names as they are written."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def read(path: Path) -> Unit:
    unit = Unit(strict=False)
    unit.read(path)
    return unit


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_unit_starts_what_there_is(path: Path) -> None:
    program, *words = shlex.split(read(path)["Service"]["ExecStart"].replace("%i", "8081"))
    if program == PROGRAM:
        command = get_command(app).commands[words[0]]  # type: ignore[attr-defined]  # a group has commands
        command.make_context(words[0], words[1:])
    else:
        assert program == "/bin/sh"
        assert (ROOT / Path(words[0]).relative_to("/opt/studbook")).exists()


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_unit_runs_as_nobody_in_particular(path: Path) -> None:
    service = read(path)["Service"]
    assert service["DynamicUser"] == service["NoNewPrivileges"] == service["ProtectHome"] == "yes"
    assert (service["ProtectSystem"], service["CapabilityBoundingSet"], service["UMask"]) == ("strict", "", "0077")


def test_units_that_are_named_by_others_are_there() -> None:
    named = set()
    for path in UNITS:
        unit = read(path)["Unit"]
        for key in ("Wants", "After", "Conflicts"):
            named |= set(re.findall(r"studbook\S*\.service", unit.get(key, "")))
    assert {one for one in named if not (DEPLOY / "systemd" / one).exists()} == set()


def test_the_page_that_the_units_name_is_there() -> None:
    for path in UNITS:
        for page in re.findall(r"file:///opt/studbook/(\S+)", path.read_text("utf-8")):
            assert (ROOT / page).exists(), f"{path.name}: {page}"


def test_systemd_itself_finds_no_fault() -> None:
    """Where systemd is installed; that the program is not in /opt here is no fault of a unit."""
    program = shutil.which("systemd-analyze")
    said = ""
    if program is not None:
        done = subprocess.run([program, "verify", *map(str, UNITS)], capture_output=True, text=True, check=False)
        said = done.stderr
    ours = [line for line in said.splitlines() if "studbook" in line and "is not executable" not in line]
    assert ours == []
