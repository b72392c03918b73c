"""An upgrade under way (F15): a newer program has written; the old processes stop writing and say so."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import psycopg
import pytest

from adapters.database.locks import WRITER_LOCK
from adapters.embedded import Cluster
from tests.http.floor import done, refused, register
from tests.http.own import running
from tests.postgres import shared_folder
from tests.service import Service

NEWER = "wallet.deposited.v9"
_WRITTEN_BY_A_NEWER_PROGRAM = """
    INSERT INTO stored_events
        (notification_id, originator_id, originator_version, topic, state, operator_seq, hash)
    SELECT notification_id + 1, originator_id, originator_version + 1, %s, state, operator_seq + 1, hash
    FROM stored_events ORDER BY notification_id DESC LIMIT 1"""


@pytest.fixture
def folder() -> Iterator[Path]:
    chosen = shared_folder() / f"service-{uuid.uuid4().hex[:10]}"
    yield chosen
    shutil.rmtree(chosen, ignore_errors=True)


def write_newer(folder: Path) -> None:
    """As a process of a newer version would: under the lock, at the next position, with a NOTIFY."""
    with Cluster.start(folder) as cluster, psycopg.connect(cluster.superuser("studbook")) as conn:
        conn.execute("SET search_path = studbook")
        conn.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        conn.execute(_WRITTEN_BY_A_NEWER_PROGRAM, [NEWER])
        conn.execute("SELECT pg_notify('studbook_events', '')")


def events(folder: Path) -> int:
    with Cluster.start(folder) as cluster, psycopg.connect(cluster.superuser("studbook")) as conn:
        row = conn.execute("SELECT count(*) FROM studbook.stored_events").fetchone()
    return int(row[0]) if row else 0


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not wanted():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)


def fresh(service: Service, path: str) -> httpx2.Response:
    """Over a connection of its own, so that any of the processes may answer."""
    return httpx2.get(f"{service.url}{path}", timeout=120)


def try_to_write(service: Service) -> httpx2.Response:
    with httpx2.Client(base_url=service.url, headers={"Authorization": f"Bearer {service.key}"}, timeout=120) as client:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        return client.post("/v1/players", json={"player": service.name("p"), "currency": "EUR"}, headers=headers)


def is_told(service: Service) -> bool:
    answer = fresh(service, "/readyz")
    return answer.status_code == 503 and "newer version; this process writes no more" in str(answer.json()["faults"])


def writers_stopped(service: Service) -> list[str]:
    """Whether each serving process has stopped writing, as its metrics say."""
    figures = fresh(service, "/metrics").text.splitlines()
    return [line.rsplit(" ", 1)[1] for line in figures if line.startswith("studbook_writer_stopped")]


def test_F15_old_processes_that_meet_a_newer_event_write_no_more_say_so_and_refuse_to_start(folder: Path) -> None:
    with running(folder, "--workers", "2") as old:
        player = register(old, "EUR", 1_000)
        until(lambda: writers_stopped(old) == ["0.0", "0.0"])  # both serve: one that starts later would refuse to
        write_newer(folder)
        before = events(folder)
        # when commands come, over connections of their own so that both processes get some
        for _ in range(12):
            refused(try_to_write(old), 503, "UNAVAILABLE")
        # then nothing was written, both say why, and the read models stand before the event
        assert events(folder) == before
        until(lambda: all(is_told(old) for _ in range(6)))
        until(lambda: NEWER in fresh(old, "/readyz").text)
        assert writers_stopped(old) == ["1.0", "1.0"]
        # reads go on
        assert done(old.get(f"/v1/players/{player}/balance"))["available"] == 1_000
        # and one that is started now does not serve, and says why
        again = subprocess.run(
            [sys.executable, "-m", "api.cli", "serve", "--port", "0", "--data-dir", str(folder)],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert again.returncode == 2
        assert NEWER in again.stderr
