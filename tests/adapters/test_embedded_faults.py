"""Kills and stale files: a server whose owner died is found again or stopped, never doubled, and no row is lost."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from adapters.database.errors import UnsafeDatabase
from adapters.database.safety import check_safe
from adapters.embedded import Cluster, EmbeddedError, server
from adapters.embedded.children import ServerProcess, end_child
from adapters.embedded.errors import explained
from adapters.embedded.postmaster import wait_gone
from tests.embedded import HOLD, add_row, first_line, folder, kill, python, rows, servers_of

__all__ = ["folder"]


def test_F02_a_killed_server_comes_back_with_every_committed_row(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        for number in range(3):
            add_row(cluster, number)
            killed = cluster.pid
            os.kill(killed, signal.SIGKILL)
            assert wait_gone(killed, folder / "cluster", 30)
            cluster.ensure_running()
            assert cluster.pid != killed
            assert servers_of(folder) == [cluster.pid]
        assert rows(cluster) == [0, 1, 2]


def test_a_server_whose_owner_was_killed_is_found_again_and_stopped_by_the_next(folder: Path) -> None:
    owner = python(HOLD, folder)
    number = int(first_line(owner))
    kill(owner)
    assert servers_of(folder) == [number]
    with Cluster.start(folder) as cluster:
        assert cluster.pid == number
        add_row(cluster, 1)
    assert servers_of(folder) == []


def test_a_server_killed_along_with_its_owner_is_started_anew(folder: Path) -> None:
    owner = python(HOLD, folder)
    number = int(first_line(owner))
    os.kill(number, signal.SIGKILL)
    kill(owner)
    assert (folder / "cluster" / "postmaster.pid").exists()
    with Cluster.start(folder) as cluster:
        assert servers_of(folder) == [cluster.pid]


def test_a_server_left_running_for_others_is_no_forgotten_process(folder: Path) -> None:
    starter = python("cluster = Cluster.start(folder); print(cluster.pid, flush=True); input()", folder)
    number = int(first_line(starter))
    other = python(HOLD, folder)
    assert int(first_line(other)) == number
    _, said = starter.communicate("\n", timeout=300)
    assert (starter.returncode, said) == (0, "")
    assert servers_of(folder) == [number]
    kill(other)


def test_a_killed_server_that_was_replaced_is_no_zombie(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        killed = cluster.pid
        os.kill(killed, signal.SIGKILL)
        (folder / "cluster" / "postmaster.pid").unlink()
        cluster.ensure_running()
        assert cluster.pid != killed
        with pytest.raises(ProcessLookupError):
            os.kill(killed, 0)


def test_a_start_that_is_broken_off_ends_a_server_that_does_not_listen(folder: Path) -> None:
    deaf = "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGQUIT, signal.SIG_DFL)"
    stubborn = f"import signal, time; {deaf}; print('up', flush=True); time.sleep(60)"
    with ServerProcess([sys.executable, "-c", stubborn], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        end_child(process, seconds=0.2)
    assert process.returncode == -signal.SIGQUIT


@pytest.mark.parametrize("whose", ["ours", "the server account's"])
def test_a_pid_file_that_names_a_stranger_does_not_stand_in_the_way(folder: Path, whose: str) -> None:
    owner = python(HOLD, folder)
    number = int(first_line(owner))
    pid_file = folder / "cluster" / "postmaster.pid"
    text = pid_file.read_text()
    account = (folder / "cluster").stat()
    os.kill(number, signal.SIGKILL)
    kill(owner)
    who = {"user": account.st_uid, "group": account.st_gid} if os.geteuid() == 0 else {}
    stranger = subprocess.Popen(["/bin/sleep", "600"], **who)
    named = os.getpid() if whose == "ours" else stranger.pid
    pid_file.write_text(text.replace(str(number), str(named), 1))
    try:
        with Cluster.start(folder) as cluster:
            assert servers_of(folder) == [cluster.pid]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.parametrize("moment", [0.02, 0.1, 0.2, 0.35, 0.5, 0.8])
def test_a_first_start_killed_at_any_moment_leaves_a_folder_that_starts(folder: Path, moment: float) -> None:
    victim = python("print('go', flush=True); " + HOLD, folder)
    first_line(victim)
    time.sleep(moment)
    kill(victim)
    with Cluster.start(folder) as cluster:
        add_row(cluster, 1)
        assert rows(cluster) == [1]
        assert servers_of(folder) == [cluster.pid]


def test_a_server_in_use_that_cannot_be_seen_is_never_doubled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cluster.start(folder).stop()
    monkeypatch.setattr(server, "_UNSEEN_SECONDS", 0.3)
    with (folder / "server.lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(EmbeddedError, match="cannot be reached from here"):
            Cluster.start(folder)
    assert servers_of(folder) == []
    Cluster.start(folder).stop()


def test_the_server_itself_holds_the_lock_while_any_of_its_processes_lives(folder: Path) -> None:
    with Cluster.start(folder), (folder / "server.lock").open("a") as wanted, pytest.raises(BlockingIOError):
        fcntl.flock(wanted, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (folder / "server.lock").open("a") as wanted:
        fcntl.flock(wanted, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize("damage", [None, "{", '{"postgres": "x"}', "[]"])
def test_missing_or_damaged_passwords_are_one_line_and_no_new_ones(folder: Path, damage: str | None) -> None:
    Cluster.start(folder).stop()
    file = folder / "passwords.json"
    if damage is None:
        file.unlink()
    else:
        file.write_text(damage)
    with pytest.raises(EmbeddedError, match=r"passwords\.json") as refusal:
        Cluster.start(folder)
    assert "\n" not in str(refusal.value)
    assert (file.read_text() if file.exists() else None) == damage
    assert servers_of(folder) == []


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_F31_a_server_that_could_lose_a_commit_is_refused(folder: Path, setting: str) -> None:
    with (
        Cluster.start(folder, {setting: "off"}) as cluster,
        psycopg.connect(cluster.cluster_dsn("writer"), autocommit=True) as conn,
        pytest.raises(UnsafeDatabase, match=f"{setting} is off"),
    ):
        check_safe(conn, {})


def test_F31_missing_checksums_are_a_warning(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        programs = cluster.programs
    pg_checksums = [str(programs / "pg_checksums"), "--disable", "-D", str(folder / "cluster")]
    account = (folder / "cluster").stat()
    who = {"user": account.st_uid, "group": account.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    subprocess.run(pg_checksums, check=True, capture_output=True, cwd="/", **who)
    with Cluster.start(folder) as cluster, psycopg.connect(cluster.cluster_dsn("writer"), autocommit=True) as conn:
        assert check_safe(conn, {}) == ["data checksums are off: damage to the database's files would stay unseen"]


def test_a_wrong_setting_is_one_line_with_the_servers_own_words(folder: Path) -> None:
    with pytest.raises(EmbeddedError, match="shared_buffers") as refusal:
        Cluster.start(folder, {"shared_buffers": "much"})
    assert "\n" not in str(refusal.value)
    assert servers_of(folder) == []


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("initdb: error: could not write to file: No space left on device", "the disk that holds /d is full"),
        ("FATAL:  database files are incompatible with server\nDETAIL:  17", "/d was made by another version"),
        ("LOG:  x\nFATAL:  could not create shared memory segment: Cannot allocate memory", "too little memory"),
        ("2026 UTC [1] FATAL:  something new\nHINT:  none", "embedded database: something new"),
        ("", "no reason given"),
    ],
)
def test_what_the_server_says_becomes_one_line(words: str, meaning: str) -> None:
    told = str(explained(words, Path("/d")))
    assert meaning in told
    assert "\n" not in told
