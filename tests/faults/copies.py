"""Copies of a running database, made as the runbook makes them, and fresh clusters that are started on them (F25)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import psycopg

from adapters.database.settings import Role
from adapters.embedded import Cluster
from tests.postgres import Database

_BACKUP: Final = Path(__file__).resolve().parents[2] / "deploy" / "backup.sh"
_DAYS: Final = "35"
_SECONDS: Final = 3_600.0


def dump(database: Database, folder: Path) -> Path:
    """A dump with the backup's login, by `deploy/backup.sh`."""
    _run(["/bin/sh", str(_BACKUP), str(folder), _DAYS], database.cluster, Role.BACKUP, database.name)
    (made,) = folder.glob("*.dump")
    return made


def base(database: Database, folder: Path) -> Path:
    """A base backup with the log of the meantime, read back against its manifest."""
    made = folder / "base"
    words = ["pg_basebackup", "--pgdata", str(made), "--checkpoint", "fast", "--no-password"]
    _run([*words, "--manifest-checksums", "SHA256"], database.cluster, None, database.name)
    for one in json.loads((made / "backup_manifest").read_bytes())["Files"]:
        if sha256((made / one["Path"]).read_bytes()).hexdigest() != one["Checksum"]:
            raise RuntimeError(f"base backup: {one['Path']} is not what its manifest says")
    return made


@contextmanager
def restored(copy: Path, folder: Path) -> Iterator[Database]:
    """A fresh cluster into which the dump is loaded; its passwords are other ones."""
    with Cluster.start(folder) as cluster:
        words = ["pg_restore", "--dbname", "studbook", "--exit-on-error", "--no-password", str(copy)]
        _run(words, cluster, None, "studbook")
        yield Database("studbook", cluster)


@contextmanager
def started(copy: Path, folder: Path, passwords: Path) -> Iterator[Database]:
    """A server on the base backup, which first plays the log of the meantime."""
    folder.mkdir()
    owner = passwords.parent.stat()
    shutil.copy2(passwords, folder)
    copy.rename(folder / "cluster")
    for one in (folder, *folder.rglob("*")):
        os.chown(one, owner.st_uid, owner.st_gid)
    with Cluster.start(folder) as cluster:
        yield Database("studbook", cluster)


def rows(database: Database) -> list[tuple[int, bytes]]:
    """Position and hash of every event."""
    with psycopg.connect(database.superuser) as conn:
        found = conn.execute("SELECT notification_id, hash FROM studbook.stored_events ORDER BY 1").fetchall()
    return [(int(position), bytes(digest)) for position, digest in found]


def _run(command: Sequence[str], cluster: Cluster, role: Role | None, name: str) -> None:
    """One of PostgreSQL's programs as a login, or as the superuser. RuntimeError with its last words."""
    who = ("postgres", cluster.password("postgres")) if role is None else (role.login, cluster.password(role))
    told = {
        "PATH": os.pathsep.join([str(cluster.programs), os.environ.get("PATH", os.defpath)]),
        "PGHOST": cluster.host,
        "PGPORT": str(cluster.port),
        "PGUSER": who[0],
        "PGPASSWORD": who[1],
        "PGDATABASE": name,
    }
    done = subprocess.run(command, env=told, capture_output=True, text=True, check=False, timeout=_SECONDS)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {' / '.join(done.stderr.strip().splitlines()[-3:])}")
