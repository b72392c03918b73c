"""Nothing committed names a path of the machine it was written on. (Examples may: their user is called ann.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files, shown

MACHINE_PATH = re.compile(rb"""(?<![\w.])/(?:work|home(?!/ann\b)|Users)/[\w.]|/root/\.pyenv""")
TEXT_MAX_BYTES = 4 * 1024 * 1024


def named(text: bytes) -> list[str]:
    """The lines that name a folder of one person's machine."""
    return [line.strip().decode("utf-8", "replace") for line in text.splitlines() if MACHINE_PATH.search(line)]


def read(path: Path) -> bytes:
    return path.read_bytes() if path.stat().st_size <= TEXT_MAX_BYTES else b""


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    found = {shown(path): named(read(path)) for path in files() if path != Path(__file__) and path.is_file()}
    assert len(found) > 20, f"too few files below {ROOT} to be true"
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("line", "is_named"),
    [
        (b"see /home/bob/notes", True),
        (b"cd '/work/x'", True),
        (b"HOME=/root/.local is root's on every machine", False),
        (b"/var/lib/studbook and /etc/studbook/environment", False),
        (b"https://example.com/home/page", False),
        (b"GET /v1/work/orders", False),
    ],
)
def test_a_machine_path_is_told_from_a_url(line: bytes, is_named: bool) -> None:
    assert (named(line) != []) is is_named
