"""The embedded database starts, is shared, is stopped by the last, and lets nobody in without a password."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from pathlib import Path

import psycopg
import pytest

from adapters.embedded import Cluster, EmbeddedError, default_data_dir
from adapters.embedded.folders import ROOT_HOME
from adapters.embedded.postmaster import FAST_SECONDS
from tests.adapters.projecting import until
from tests.embedded import HOLD, add_row, first_line, folder, kill, python, ran, rows, servers_of

__all__ = ["folder"]


def test_a_start_gives_a_server_and_a_stop_ends_it_with_every_row_kept(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        assert servers_of(folder) == [cluster.pid]
        add_row(cluster, 1)
    assert servers_of(folder) == []
    with Cluster.start(folder) as again:
        assert rows(again) == [1]


def test_F27_a_server_that_hangs_is_not_waited_for_and_ends_by_itself_as_soon_as_it_can(folder: Path) -> None:
    cluster = Cluster.start(folder)
    add_row(cluster, 1)
    conn = psycopg.connect(cluster.superuser(), autocommit=True)
    os.kill(conn.info.backend_pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        cluster.stop(within=0.2)
        assert time.monotonic() - began < FAST_SECONDS / 2
        assert servers_of(folder) != []
    finally:
        os.kill(conn.info.backend_pid, signal.SIGCONT)
    until(lambda: servers_of(folder) == [])
    conn.close()
    with Cluster.start(folder) as again:
        assert rows(again) == [1]


def test_durability_stays_on_and_the_server_is_not_root(folder: Path) -> None:
    with Cluster.start(folder) as cluster, psycopg.connect(cluster.superuser()) as conn:
        for name in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert conn.execute("SELECT current_setting(%s)", [name]).fetchone() == ("on",)
        assert conn.execute("SELECT current_setting('server_encoding'), version() ~ ' 18'").fetchone() == ("UTF8", True)
        assert (folder / "cluster").stat().st_uid != 0


def test_nobody_gets_in_without_the_password(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        for user in ("postgres", "studbook_writer"):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(host=cluster.host, port=cluster.port, user=user, dbname="studbook", password="guess")
        assert not cluster.host.startswith("0.")
    file = folder / "passwords.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = json.loads(file.read_text())
    assert len(set(found.values())) == 6
    assert all(len(password) >= 32 for password in found.values())
    assert not any(password in (folder / "postgres.log").read_text() for password in found.values())


def test_each_role_logs_in_as_itself(folder: Path) -> None:
    with Cluster.start(folder) as cluster:
        for role in ("owner", "writer", "projector", "request", "backup"):
            with psycopg.connect(cluster.cluster_dsn(role)) as conn:
                assert conn.execute("SELECT current_user, current_database()").fetchone() == (
                    f"studbook_{role}",
                    "studbook",
                )


def test_a_second_process_joins_and_the_last_to_leave_stops_the_server(folder: Path) -> None:
    cluster = Cluster.start(folder)
    other = python(HOLD, folder)
    assert int(first_line(other)) == cluster.pid
    cluster.stop()
    assert servers_of(folder) == [cluster.pid]
    kill(other)
    Cluster.start(folder).stop()
    assert servers_of(folder) == []


def test_two_handles_in_one_process_count_as_two(folder: Path) -> None:
    with Cluster.start(folder) as first:
        with Cluster.start(folder) as second:
            assert second.pid == first.pid
        second.stop()
        assert servers_of(folder) == [first.pid]
    assert servers_of(folder) == []


def test_a_process_that_simply_ends_stops_its_server_and_prints_nothing(folder: Path) -> None:
    assert ran("Cluster.start(folder)", folder) == ""
    assert servers_of(folder) == []


def test_two_processes_that_start_at_once_get_one_server(folder: Path) -> None:
    holders = [python(HOLD, folder) for _ in range(4)]
    numbers = {int(first_line(holder)) for holder in holders}
    assert numbers == set(servers_of(folder))
    assert len(numbers) == 1
    for holder in holders:
        kill(holder)


@pytest.mark.parametrize("name", ["x" * 110, "with space, comma", 'quote"d'])
def test_a_folder_whose_socket_path_would_not_do_gets_a_port_on_the_loopback(folder: Path, name: str) -> None:
    with Cluster.start(folder.parent / name) as cluster:
        add_row(cluster, 1)
        assert cluster.host == "127.0.0.1"
        assert rows(cluster) == [1]


def test_a_file_in_place_of_the_folder_is_refused_in_one_line(folder: Path) -> None:
    folder.parent.mkdir(mode=0o755)
    folder.write_text("x")
    with pytest.raises(EmbeddedError, match="data") as refusal:
        Cluster.start(folder)
    assert "\n" not in str(refusal.value)


def test_root_keeps_its_data_out_of_every_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert default_data_dir({"HOME": "/root", "XDG_DATA_HOME": "/root/.local/share"}) == ROOT_HOME / "data"


def test_a_user_has_the_data_in_the_xdg_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", "/home/ann")
    assert default_data_dir({}) == Path("/home/ann/.local/share/studbook")
    assert default_data_dir({"XDG_DATA_HOME": "/data/ann"}) == Path("/data/ann/studbook")
    assert default_data_dir({"XDG_DATA_HOME": "relative"}) == Path("/home/ann/.local/share/studbook")
    assert default_data_dir({"STUDBOOK_DATA_DIR": "/srv/house"}) == Path("/srv/house")
