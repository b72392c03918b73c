"""A service whose source of randomness was patched away, or repeats itself, does not start (S0-03)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.postgres import Database

PATCH = """
import os, sys
real = os.urandom
def urandom(count):
    if not sys._getframe(1).f_code.co_filename.endswith("shoe.py"):
        return real(count)
    return b"4" * count
os.urandom = urandom
"""


def test_S0_03_a_patched_source_of_randomness_stops_the_start_in_one_line(database: Database, tmp_path: Path) -> None:
    # given a process in which what the shoe would draw from is another thing
    (tmp_path / "sitecustomize.py").write_text(PATCH, encoding="utf-8")
    settings = database.settings
    told = {
        **os.environ,
        **{role.password_variable: password for role, password in settings.passwords.items()},
        "STUDBOOK_CARD_KEY": "c3R1ZGJvb2stdGVzdC1rZXktMDEyMzQ1Njc4OWFiY2Q",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
    }
    # when it is to serve
    words = [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--database-url", settings.url]
    done = subprocess.run(words, env=told, capture_output=True, text=True, timeout=120, check=False)
    # then it ends, and says why in one line
    assert done.returncode != 0
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "repeats itself" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
