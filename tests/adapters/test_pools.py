"""The pools that requests wait for: bounded waits, and a new attempt for each request while the database is away."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from adapters.database.pools import request_pool
from adapters.database.settings import Role
from adapters.view_store import ViewStore
from domain.errors import Unavailable
from domain.views import MODELS
from tests.adapters.projecting import catch_up
from tests.postgres import Database


class Refusing:
    """A port that ends every connection at once, and counts them."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.attempts = 0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.listener.accept()[0].close()
                self.attempts += 1


@pytest.fixture
def refusing() -> Iterator[Refusing]:
    made = Refusing()
    yield made
    made.listener.shutdown(socket.SHUT_RDWR)
    made.listener.close()


async def test_F02_however_long_the_database_is_away_each_request_makes_an_attempt_of_its_own(
    refusing: Refusing,
) -> None:
    pool = request_pool(f"host=127.0.0.1 port={refusing.port} dbname=x user=x", 2, "away")
    await pool.open()
    for _ in range(5):
        before = refusing.attempts
        with pytest.raises(PoolTimeout):
            await pool.getconn()
        assert refusing.attempts > before
    await pool.close()


async def test_F28_a_read_behind_a_lock_is_told_to_come_again_and_does_not_wait_for_it(database: Database) -> None:
    catch_up(database)
    store = ViewStore(database.conninfo(Role.REQUEST))
    await store.aopen()
    with psycopg.connect(database.superuser) as conn:
        conn.execute("LOCK TABLE studbook.view_progress IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(Unavailable) as told:
            async with store.reading("op", set(MODELS)):
                pytest.fail("the lock was not felt")
    assert isinstance(told.value.__cause__, psycopg.errors.LockNotAvailable)
    await store.aclose()
