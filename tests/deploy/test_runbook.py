"""docs/runbook.md is executed from top to bottom, and what it restores takes the next bet (F25)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import psycopg

from adapters.embedded import Cluster
from tests.deploy.installation import Installation, installation
from tests.house.console import run_block
from tests.house.test_docs import BLOCKS
from tests.house.tree import ROOT

EXECUTED = [block for block in BLOCKS if block.needs == "installation"]


def rows(made: Installation, database: str) -> list[tuple[object, ...]]:
    """How many events a database holds, and the hash at each."""
    with psycopg.connect(made.cluster.superuser(database)) as conn:
        return conn.execute("SELECT notification_id, hash FROM studbook.stored_events ORDER BY 1").fetchall()


def started_from(made: Installation, base: Path) -> list[tuple[object, ...]]:
    """What a server holds that is started on a base backup."""
    folder = made.folder / "from-base"
    folder.mkdir()
    shutil.copy2(made.cluster.data_dir / "passwords.json", folder)
    shutil.copytree(base, folder / "cluster")
    owner = made.cluster.data_dir.stat()
    for one in (folder, *folder.rglob("*")):
        os.chown(one, owner.st_uid, owner.st_gid)
    with Cluster.start(folder) as cluster, psycopg.connect(cluster.superuser("studbook")) as conn:
        return conn.execute("SELECT notification_id, hash FROM studbook.stored_events ORDER BY 1").fetchall()


def test_F25_the_runbook_works_and_what_it_restores_takes_the_next_bet() -> None:
    assert len(EXECUTED) > 5
    with installation() as made:
        made.play()
        made.folder.chmod(0o755)
        home = made.folder / "home"
        home.mkdir()
        for block in EXECUTED:
            run_block(block, ROOT, {**made.shell(), "HOME": str(home)})
        # the restored database holds the same events with the same hashes
        before = rows(made, "studbook")
        assert rows(made, "restored") == before
        # and the service that is pointed at it answers an old key as before and takes the next bet
        made.stop("serve")
        made.stop("project")
        more = {"STUDBOOK_DATABASE_URL": f"postgresql://127.0.0.1:{made.port}/restored"}
        made.start("project", **more)
        made.start("serve", **more)
        made.wait_until_ready()
        made.play()
        after = rows(made, "restored")
        assert after[: len(before)] == before
        assert [position for position, _ in after] == list(range(1, len(after) + 1))
        assert rows(made, "studbook") == before
        assert started_from(made, home / "base") == before
