"""Anchors of the log in a folder outside of the database: written, never twice, found when they were touched."""

from __future__ import annotations

import resource
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from psycopg import Connection

from adapters.anchors.file import AnchorFile
from adapters.anchors.following import LogDiffers
from adapters.anchors.reading import payload_of, reached
from adapters.signing import Verifier
from domain.anchors import KIND, MARK_EVERY, as_payload, digest
from tests.adapters.event_store_support import opened
from tests.adapters.noting import SIGNER, STRANGER, Noting, wait
from tests.postgres import Database


@pytest_asyncio.fixture
async def noting(database: Database, tmp_path: Path) -> AsyncIterator[Noting]:
    async with opened(database.conninfo("writer")) as log:
        yield Noting(database, log, tmp_path)


async def test_an_anchor_is_due_after_64_events_and_holds_every_64th_hash(noting: Noting) -> None:
    await noting.put(63)
    assert not noting.anchor(is_last=False)
    await noting.put(137)
    assert noting.anchor(is_last=False)
    assert not noting.anchor()
    found = noting.read()
    wanted = {64, 128, 192, 200}
    assert (found.count, found.position, found.fault) == (1, 200, None)
    assert found.hashes == {position: one for position, one in noting.hashes().items() if position in wanted}


async def test_each_anchor_is_signed_and_names_the_one_before(noting: Noting) -> None:
    for _ in range(3):
        await noting.put(MARK_EVERY)
        assert noting.anchor(is_last=False)
    first, second, third = noting.lines()
    noted = [payload_of(one) for one in (first, second, third)]
    assert [one.number for one in noted] == [1, 2, 3]
    assert [one.previous for one in noted] == ["0" * 64, digest(first), digest(second)]
    assert as_payload(noted[2]) == Verifier([SIGNER.public]).read(third, KIND)
    assert reached(noting.folder.anchors) == noted[2]
    assert oct(noting.folder.path.stat().st_mode & 0o777) == "0o700"


async def test_what_was_done_to_the_file_is_told_by_its_line(noting: Noting) -> None:
    for _ in range(5):
        await noting.put(10)
        noting.anchor()
    good = noting.lines()
    assert noting.read().fault is None
    header, payload, signature = good[2].split(".")
    forged = STRANGER.sign(as_payload(payload_of(good[2])), KIND)
    for line, made in (
        (3, [*good[:2], *good[3:]]),
        (3, [*good[:2], good[3], good[2], good[4]]),
        (3, [*good[:2], f"{header}.{payload}.{signature[:-4]}AAAA", *good[3:]]),
        (3, [*good[:2], forged, *good[3:]]),
        (5, [*good[:4], STRANGER.sign(as_payload(payload_of(good[4])), KIND)]),
        (4, [*good[:3], "not an anchor", *good[3:]]),
        (2, [good[0], good[0], *good[1:]]),
        (1, good[1:]),
    ):
        noting.write(made)
        fault = noting.read().fault
        assert fault is not None
        assert (fault.line, fault.position) == (line, 10 * (line - 1) + 1), fault.reason
    noting.write(good)
    found = noting.read(STRANGER).fault
    assert found is not None
    assert found.line == 1


async def test_a_signed_anchor_out_of_its_row_still_vouches_for_its_hash(noting: Noting) -> None:
    for _ in range(4):
        await noting.put(10)
        noting.anchor()
    good = noting.lines()
    noting.write(good[:1] + good[2:])
    assert noting.read().hashes.keys() == {10, 30, 40}


async def test_one_process_writes_and_goes_on_behind_a_line_that_was_broken_off(noting: Noting) -> None:
    await noting.put(10)
    noting.anchor()
    with noting.file():
        assert AnchorFile.open(noting.folder) is None
    with noting.folder.anchors.open("ab") as raw:
        raw.write(b"eyJhbGciOi")
    await noting.put(10)
    assert noting.anchor()
    assert (noting.read().count, noting.read().fault) == (2, None)


@contextmanager
def full(size: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


async def test_F10_a_disk_that_is_full_leaves_no_half_anchor_and_it_goes_on_when_there_is_room(noting: Noting) -> None:
    await noting.put(10)
    noting.anchor()
    before = noting.folder.anchors.read_bytes()
    await noting.put(10)
    with full(len(before) + 100), pytest.raises(OSError, match="no space left"):
        noting.anchor()
    assert noting.folder.anchors.read_bytes() == before
    assert noting.anchor()
    assert (noting.read().count, noting.read().fault) == (2, None)


def cut(conn: Connection) -> None:
    conn.execute("DELETE FROM stored_events WHERE notification_id > 15")


def changed(conn: Connection) -> None:
    conn.execute("UPDATE stored_events SET hash = sha256(hash) WHERE notification_id = 20")


async def test_F21_what_differs_from_the_last_anchor_is_never_anchored(noting: Noting) -> None:
    await noting.put(20)
    noting.anchor()
    before = noting.lines()
    for tamper in (changed, cut):
        with noting.database.tamper() as conn:
            tamper(conn)
            if tamper is changed:
                await noting.put(5)
        with pytest.raises(LogDiffers):
            noting.anchor()
        assert noting.lines() == before


async def test_F21_who_runs_is_told_that_the_log_differs_until_it_is_mended(noting: Noting) -> None:
    await noting.put(70)
    noting.anchor()
    with noting.database.tamper() as conn:
        conn.execute("CREATE TABLE aside AS SELECT * FROM stored_events WHERE notification_id > 60")
        conn.execute("DELETE FROM stored_events WHERE notification_id > 60")
        stop = threading.Event()
        thread = threading.Thread(target=noting.follower().run, args=(stop,))
        thread.start()
        try:
            wait(noting.folder.differs.exists)
            assert "the log ends at 60, the last anchor says 70" in noting.folder.differs.read_text()
            conn.execute(
                "INSERT INTO stored_events (originator_id, originator_version, topic, state, notification_id,"
                " operator_seq, hash) SELECT originator_id, originator_version, topic, state, notification_id,"
                " operator_seq, hash FROM aside"
            )
            await noting.put(64)
            wait(lambda: not noting.folder.differs.exists())
        finally:
            stop.set()
            thread.join(30)
    assert (noting.read().position, noting.read().fault) == (134, None)


async def test_it_follows_over_a_cut_connection_and_anchors_once_more_when_it_is_stopped(noting: Noting) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=noting.follower().run, args=(stop,))
    thread.start()
    try:
        await noting.put(100)
        wait(lambda: noting.folder.anchors.exists() and len(noting.lines()) == 1)
        with noting.database.tamper() as conn:
            conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'studbook_projector'")
        await noting.put(70)
        wait(lambda: len(noting.lines()) == 2)
        await noting.put(3)
    finally:
        stop.set()
        thread.join(30)
    assert (noting.read().position, noting.read().fault) == (173, None)
