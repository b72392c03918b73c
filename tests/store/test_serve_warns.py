"""`studbook serve` warns once, at its start, of what it serves without."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.anchors.folder import Folder
from api import metrics
from api.main.anchor_figures import anchor_figures
from api.main.anchor_settings import unanchored
from tests.postgres import Database
from tests.store.commands import environment

WARNING = "nothing is anchored outside of the database"


def test_F09_with_a_database_of_ones_own_and_no_folder_of_anchors_one_line_says_so(database: Database) -> None:
    words = ["serve", "--port", "0", "--json", "--database-url", database.settings.url]
    with subprocess.Popen(
        [sys.executable, "-m", "api.cli", *words],
        env=environment(database), cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as served:  # fmt: skip
        assert served.stdout is not None
        assert served.stdout.readline().startswith('{"url"')
        served.send_signal(signal.SIGTERM)
        _, said = served.communicate(timeout=300)
    lines = [line for line in said.splitlines() if WARNING in line]
    assert len(lines) == 1
    assert '"level":"warning"' in lines[0]
    assert "STUDBOOK_ANCHOR_DIR" in lines[0]


@pytest.mark.parametrize("name", ["STUDBOOK_ANCHOR_DIR", "STUDBOOK_EMBEDDED_DIR"])
def test_where_a_folder_is_known_nothing_is_said(tmp_path: Path, name: str) -> None:
    assert unanchored({name: str(tmp_path)}) is None
    assert WARNING in str(unanchored({}))


@pytest.mark.parametrize("known", [True, False])
def test_the_figures_tell_whether_there_is_a_folder(tmp_path: Path, known: bool) -> None:
    anchor_figures(Folder(tmp_path) if known else None)(7)
    assert f"studbook_anchored {float(known)}" in metrics.database().decode()
