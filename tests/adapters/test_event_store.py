"""The writer's log on a real PostgreSQL: append, load, news, keys."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest
import pytest_asyncio

from adapters.event_store import EVENT_BYTES_MAX, PostgresLog
from domain.ids import seat_prefix, seat_stream, wallet_stream
from domain.rounds.events import RoundPaused
from domain.seats.events import ActionUndone
from services.ports import LogUnavailable, Pending
from tests.adapters.event_samples import AT, sample_meta
from tests.adapters.event_store_support import as_recorded, deposits, key_record, known, opened, put, stored
from tests.postgres import Database


@pytest_asyncio.fixture
async def log(database: Database) -> AsyncIterator[PostgresLog]:
    async with opened(database.conninfo("writer")) as made:
        yield made


async def test_an_empty_log_has_head_0_and_no_time(log: PostgresLog) -> None:
    async with log.turn([], None) as turn:
        assert (turn.head, turn.news, turn.records, turn.last_recorded_at) == (0, None, {}, None)
    async with log.turn([], 0) as turn:
        assert (turn.head, turn.news) == (0, [])


async def test_what_was_appended_is_loaded_with_final_positions(log: PostgresLog) -> None:
    events = [*deposits("a", [1, 2]), *deposits("b", [1], "other"), *deposits("a", [3])]
    assert await put(log, events) == 4
    async with log.turn([], 4) as turn:
        loaded = await turn.load([wallet_stream("demo", "a"), wallet_stream("other", "b"), "demo/wallet/none"], [])
    assert loaded.broken == {}
    appended = as_recorded(events, 1)
    assert list(loaded.events) == [appended[0], appended[1], appended[3], appended[2]]


async def test_a_rounds_seats_are_loaded_by_their_prefix_and_no_stream_twice(log: PostgresLog) -> None:
    def undone(round_id: str, player: str) -> Pending:
        stream = seat_stream("demo", round_id, player)
        return Pending(stream, 1, ActionUndone(round_id, player, "a", ("w",), 5), 0, sample_meta(), AT)

    mine = [undone("r1", player) for player in ("A", "a.b", "z@z", "0")]
    await put(log, [*mine, undone("r10", "a"), undone("r2", "a"), undone("r", "1.x")])
    async with log.turn([], None) as turn:
        loaded = await turn.load([mine[0].stream, seat_stream("demo", "r2", "a")], [seat_prefix("demo", "r1")])
    streams = [event.stream for event in loaded.events]
    assert streams == sorted([*(event.stream for event in mine), seat_stream("demo", "r2", "a")])


async def test_load_of_nothing_is_empty(log: PostgresLog) -> None:
    await put(log, deposits("a", [1]))
    async with log.turn([], None) as turn:
        loaded = await turn.load([], [])
    assert (loaded.events, loaded.broken) == ([], {})


async def test_news_are_what_others_appended_past_the_position_known(database: Database, log: PostgresLog) -> None:
    await put(log, deposits("a", [1]))
    events = deposits("b", [1, 2])
    async with opened(database.conninfo("writer")) as other:
        await put(other, events)
    async with log.turn([], 1) as turn:
        assert turn.news == as_recorded(events, 2)
        assert (turn.head, turn.last_recorded_at) == (3, AT)
        await turn.append(deposits("a", [2]), [])
        assert turn.head == 4
    async with log.turn([], 3) as turn:
        assert turn.news == as_recorded(deposits("a", [2]), 4)


async def test_ten_thousand_events_are_news_and_one_more_is_too_much(database: Database, log: PostgresLog) -> None:
    async with log.turn([], None) as turn:
        assert turn.head == 0
    async with opened(database.conninfo("writer")) as other:
        await put(other, deposits("a", range(1, 10_001)))
        async with log.turn([], 0) as turn:
            assert len(turn.news or ()) == turn.head == 10_000
        await put(other, deposits("a", [10_001]))
    async with log.turn([], 0) as turn:
        assert (turn.news, turn.head, turn.last_recorded_at) == (None, 10_001, AT)
        await turn.append(deposits("a", [10_002]), [])
    assert stored(database)[-1].sequence == 10_002


async def test_the_head_is_a_new_start_when_the_log_is_shorter_than_what_was_known(log: PostgresLog) -> None:
    await put(log, deposits("a", [1, 2]))
    async with log.turn([], 7) as turn:
        assert (turn.news, turn.head) == (None, 2)


async def test_sequences_count_each_operator_by_itself_over_all_writers(database: Database, log: PostgresLog) -> None:
    async with opened(database.conninfo("writer")) as other:
        await put(log, [*deposits("a", [1], "one"), *deposits("a", [1], "two")])
        await put(other, deposits("a", [2, 3], "one"))
        async with log.turn([], 2) as turn:
            await turn.append(
                [*deposits("a", [4], "one"), *deposits("a", [2], "two"), *deposits("a", [1], "three")], []
            )
    rows = stored(database)
    assert [(row.operator, row.sequence) for row in rows] == [
        ("one", 1), ("two", 1), ("one", 2), ("one", 3), ("one", 4), ("two", 2), ("three", 1),
    ]  # fmt: skip  # a line per append would say less
    assert [row.position for row in rows] == list(range(1, 8))


async def test_records_are_found_by_operator_scope_and_key(log: PostgresLog) -> None:
    first, later = key_record("k1"), key_record("k2", body=None)
    transaction = first._replace(key=("demo", "transaction", "k1"), status=202, position=2**40)
    await put(log, deposits("a", [1]), [first, later, transaction])
    keys = [first.key, later.key, transaction.key, ("other", "key", "k1"), ("demo", "key", "K1"), first.key]
    assert await known(log, keys) == {record.key: record for record in (first, later, transaction)}


async def test_a_turn_without_append_leaves_no_trace_and_gives_the_lock_back(
    database: Database, log: PostgresLog
) -> None:
    async with log.turn([("demo", "key", "k")], None) as turn:
        await turn.load([wallet_stream("demo", "a")], [])
    async with opened(database.conninfo("writer")) as other:
        assert await put(other, deposits("a", [1])) == 1
    assert len(stored(database)) == 1


async def test_an_error_within_a_turn_rolls_back_and_the_next_turn_works(database: Database, log: PostgresLog) -> None:
    with pytest.raises(ZeroDivisionError):
        async with log.turn([], None):
            raise ZeroDivisionError
    assert await put(log, deposits("a", [1])) == 1


async def test_records_without_events_are_kept(log: PostgresLog) -> None:
    await put(log, deposits("a", [1]))
    assert await put(log, [], [key_record("k")]) == 1
    assert await known(log, [("demo", "key", "k")]) == {("demo", "key", "k"): key_record("k")}


async def test_each_commit_is_announced_with_the_new_head(database: Database, log: PostgresLog) -> None:
    with psycopg.connect(database.conninfo("projector"), autocommit=True) as conn:
        conn.execute("LISTEN studbook_events")
        await put(log, deposits("a", [1, 2]))
        async with log.turn([], 2):
            pass
        await put(log, deposits("a", [3]))
        heard = [note.payload for note in conn.notifies(timeout=60, stop_after=2)]
    assert heard == ["2", "3"]


async def test_an_event_above_the_maximum_is_refused_whole_and_nothing_else_suffers(
    database: Database, log: PostgresLog, caplog: pytest.LogCaptureFixture
) -> None:
    size = EVENT_BYTES_MAX + 1
    too_large = Pending("demo/round/r", 1, RoundPaused("r", "x" * size, AT), 0, sample_meta(), AT)
    with pytest.raises(LogUnavailable, match="at most 8388608 are stored"):
        await put(log, [*deposits("a", [1]), too_large])
    assert "cannot be stored" in caplog.text
    assert stored(database) == []
    fits = Pending("demo/round/r", 1, RoundPaused("r", "x" * (EVENT_BYTES_MAX - 700), AT), 0, sample_meta(), AT)
    assert await put(log, [fits]) == 1


async def test_two_turns_of_one_log_at_once_are_a_fault_of_the_program(log: PostgresLog) -> None:
    async with log.turn([], None):
        with pytest.raises(RuntimeError, match="one turn at a time"):
            async with log.turn([], None):
                pass
    async with log.turn([], None) as turn:
        await turn.append(deposits("a", [1]), [])
        with pytest.raises(RuntimeError, match="appends once"):
            await turn.append(deposits("a", [2]), [])


async def test_the_log_holds_one_connection(database: Database, log: PostgresLog) -> None:
    for version in range(1, 4):
        await put(log, deposits("a", [version]))
    with psycopg.connect(database.superuser) as conn:
        count = conn.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'studbook_writer' AND datname = %s", [database.name]
        ).fetchone()
    assert count == (1,)
