"""Rows that the projector remembers from batch to batch: never anything but what the database holds."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from threading import Event

import pytest
from psycopg import Connection

from adapters.database.connections import connect
from adapters.projector import Projector, compare_models
from adapters.projector.batches import Memory, advance
from adapters.projector.folding import Rows, Wanted
from adapters.projector.recent import RecentRows
from adapters.projector.storage import (
    Generation,
    add_first_generations,
    live_generations,
    load_many,
    prepare_session,
)
from adapters.view_store.rows import RowError
from domain.views import MODELS
from tests.adapters.projecting import all_at, catch_up
from tests.adapters.view_log import append
from tests.domain.views.plots import random_story
from tests.postgres import Database

LIVE = list(MODELS.values())


def written(database: Database, seed: int) -> int:
    with database.connect("writer") as conn:
        return append(conn, random_story(seed, rounds=40).told)


def ready(conn: Connection) -> Sequence[Generation]:
    prepare_session(conn)
    add_first_generations(conn, LIVE)
    return live_generations(conn, LIVE)


def finish(conn: Connection, memory: Memory, batch: int) -> None:
    count = 1
    while count:
        with conn.transaction():
            _, count = advance(conn, memory, live_generations(conn, LIVE), batch)


@pytest.mark.parametrize("bytes_max", [0, 20_000, 10_000_000])
def test_I6_rows_that_are_remembered_give_the_same_models_as_rows_that_are_read(
    database: Database, bytes_max: int
) -> None:
    head = written(database, 11)
    memory = Memory(recent=RecentRows(bytes_max))
    with connect(database.conninfo("projector")) as conn:
        ready(conn)
        finish(conn, memory, 9)
        assert memory.recent.bytes <= bytes_max
        assert all_at(database, head)
        assert compare_models(conn) == []


def test_F12_what_a_batch_made_that_did_not_commit_is_forgotten(database: Database) -> None:
    written(database, 12)
    memory = Memory()
    with connect(database.conninfo("projector")) as conn:
        ready(conn)
        for _ in range(3):
            with conn.transaction():
                advance(conn, memory, live_generations(conn, LIVE), 20)
            with conn.transaction(force_rollback=True):
                advance(conn, memory, live_generations(conn, LIVE), 50)
        finish(conn, memory, 20)
        assert compare_models(conn) == []


def test_F12_what_another_projector_went_past_is_forgotten(database: Database) -> None:
    written(database, 13)
    memory = Memory()
    with connect(database.conninfo("projector")) as conn:
        ready(conn)
        with conn.transaction():
            advance(conn, memory, live_generations(conn, LIVE), 40)
        other = Memory()
        with conn.transaction():
            advance(conn, other, live_generations(conn, LIVE), 40)
        finish(conn, memory, 40)
        assert compare_models(conn) == []


def test_a_projector_that_remembers_reads_no_row_that_it_wrote_itself(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(database, 14)
    asked: list[int] = []
    read: list[object] = []

    def counted(conn: Connection, wanted: Sequence[tuple[Generation, Wanted]]) -> list[Rows | RowError]:
        found = load_many(conn, wanted)
        asked.append(sum(len(keys) for _, places in wanted for keys in places.values()))
        read.extend(found)
        return found

    monkeypatch.setattr("adapters.projector.recent.load_many", counted)
    catch_up(database, Projector(database.conninfo("projector"), Event(), batch=10))
    assert sum(asked) > 0
    assert not any(read)


def test_batches_leave_no_reference_cycles(database: Database) -> None:
    """The projector's process looks for them every ten minutes only."""
    written(database, 15)
    with connect(database.conninfo("projector")) as conn:
        ready(conn)
        memory = Memory()
        with conn.transaction():
            advance(conn, memory, live_generations(conn, LIVE), 20)  # what is made once is made
        gc.collect()
        gc.disable()
        try:
            finish(conn, memory, 20)
            assert gc.collect() == 0
        finally:
            gc.enable()
