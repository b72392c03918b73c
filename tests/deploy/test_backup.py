"""F25: a dump by the backup login, restored into a fresh cluster, is the same log, and takes the next command."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.event_store import PostgresLog
from api.main.auditing import verify
from tests.adapters.projecting import catch_up
from tests.deploy.files import DEPLOY
from tests.postgres import Database, remove_if_unused, shared_folder
from tests.support.casino import LIVE, Casino


def rows(database: Database) -> list[tuple[object, ...]]:
    with psycopg.connect(database.superuser) as conn:
        return conn.execute("SELECT notification_id, hash FROM studbook.stored_events ORDER BY 1").fetchall()


def shell(database: Database, role: Role | None) -> Mapping[str, str]:
    """The environment of PostgreSQL's programs, for a login, or the superuser."""
    cluster = database.cluster
    who = ("postgres", cluster.password("postgres")) if role is None else (role.login, cluster.password(role))
    paths = os.pathsep.join([str(cluster.programs), os.environ.get("PATH", os.defpath)])
    named = {"PGHOST": cluster.host, "PGPORT": str(cluster.port), "PGUSER": who[0], "PGPASSWORD": who[1]}
    return {**named, "PATH": paths, "PGDATABASE": database.name}


def run(command: list[str], environ: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def backup(database: Database, folder: Path, days: str = "35") -> str:
    return run(["/bin/sh", str(DEPLOY / "backup.sh"), str(folder), days], shell(database, Role.BACKUP))


@pytest.fixture
def fresh() -> Iterator[Database]:
    """A cluster of its own, with the logins and an empty database."""
    folder = shared_folder() / f"own-{uuid.uuid4().hex[:10]}"
    with Cluster.start(folder / "data") as cluster:
        yield Database("studbook", cluster)
    remove_if_unused(folder / "data")
    remove_if_unused(folder)


async def test_F25_bug_036_what_was_dumped_is_restored_whole_into_a_fresh_cluster_and_takes_the_next_bet(
    database: Database, fresh: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a log with a player's money and a table, folded into the read models
    log = PostgresLog(database.conninfo("writer"))
    async with Casino(log) as casino:
        await casino.player("ann", deposit=10_000)
        await casino.table("t", LIVE)
    await log.aclose()
    catch_up(database)
    before = rows(database)
    # when it is dumped and restored
    said = backup(database, tmp_path)
    (dump,) = tmp_path.iterdir()
    assert str(dump) in said
    run(["pg_restore", "--dbname", fresh.name, "--exit-on-error", str(dump)], shell(fresh, None))
    # then it is the same, event by event, and every check holds
    assert rows(fresh) == before
    for one in Role:
        monkeypatch.setenv(one.password_variable, fresh.cluster.password(one))
    monkeypatch.setenv("STUDBOOK_DATABASE_URL", fresh.settings.url)
    found = verify(fresh.settings.url, None, lambda _what, _done, _all: None)
    assert (found.findings, found.audit.events) == ((), len(before))
    # and the next bet is written at the next position
    log = PostgresLog(fresh.conninfo("writer"))
    async with Casino(log, ids="later", is_checked=False) as casino:
        told = await casino.wager(await casino.round("t"), "ann", ante=500)
    await log.aclose()
    after = rows(fresh)
    assert after[: len(before)] == before
    assert [position for position, _ in after] == list(range(1, len(after) + 1))
    assert told["position"] == len(after)


def test_old_dumps_go_and_none_is_kept_for_ninety_days(database: Database, tmp_path: Path) -> None:
    old, other = tmp_path / "studbook-20200101T000000Z.dump", tmp_path / "notes.txt"
    for path in (old, other):
        path.write_text("x")
        os.utime(path, (0, 0))
    backup(database, tmp_path)
    assert not old.exists()
    assert other.exists()
    command = ["/bin/sh", str(DEPLOY / "backup.sh"), str(tmp_path), "90"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, "less than 90 days" in done.stderr) == (2, True)
