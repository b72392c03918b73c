"""Following a log that several processes write to."""

from __future__ import annotations

import random
import time
from threading import Event, Thread

from psycopg import Connection

from adapters.database.locks import WRITER_LOCK
from adapters.projector import Projector, compare_models
from tests.adapters.projecting import all_at, running, until
from tests.adapters.view_log import append
from tests.domain.views.plots import random_story
from tests.postgres import Database

WRITERS = 4


def write(conn: Connection, seed: int) -> None:
    """A story of an operator of its own, in appends that wait before they commit; some are given up."""
    dice = random.Random(seed)
    story = random_story(seed, operator=f"op{seed}").told
    while story:
        size = dice.randint(1, 12)
        try:
            with conn.transaction():
                append(conn, story[:size])
                time.sleep(dice.random() * 0.01)
                if dice.random() < 0.1:
                    raise TimeoutError
        except TimeoutError:
            continue
        story = story[size:]


def test_F13_no_event_is_passed_over_whoever_commits_first(database: Database) -> None:
    total = sum(len(random_story(seed).told) for seed in range(WRITERS))
    with running(Projector(database.conninfo("projector"), Event(), batch=20)):
        conns = [database.connect("writer") for _ in range(WRITERS)]
        threads = [Thread(target=write, args=(conn, seed)) for seed, conn in enumerate(conns)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for conn in conns:
            conn.close()
        until(lambda: all_at(database, total))
    with database.connect("projector") as conn:
        assert compare_models(conn) == []
        row = conn.execute("SELECT count(*) FROM pg_locks WHERE objid = %s", [WRITER_LOCK & 0xFFFF_FFFF]).fetchone()
        assert row == (0,)
