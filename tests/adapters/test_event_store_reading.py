"""Events that cannot be read, and newer ones, on the writer's side and the reader's (bug reports 8 and 9)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest
import pytest_asyncio

from adapters.event_store import LogReader, PostgresLog, UnreadableEvent
from domain.ids import wallet_stream
from services.ports import NewerEvent, Recorded
from tests.adapters.event_store_support import as_recorded, deposits, opened, put, stored
from tests.postgres import Database

A, B = wallet_stream("demo", "a"), wallet_stream("demo", "b")
EVENTS = [*deposits("a", [1, 2]), *deposits("b", [1]), *deposits("a", [3])]


@pytest_asyncio.fixture
async def log(database: Database) -> AsyncIterator[PostgresLog]:
    """Four events, the second of which a test then spoils."""
    async with opened(database.conninfo("writer")) as made:
        await put(made, EVENTS)
        yield made


def spoil(database: Database, assignment: str, position: int = 2) -> None:
    with database.tamper() as conn:
        conn.execute(f"UPDATE stored_events SET {assignment} WHERE notification_id = {position}".encode())


def read_until_fault(database: Database, after: int = 0) -> tuple[list[Recorded], Exception | None]:
    read: list[Recorded] = []
    with database.connect("projector") as conn:
        try:
            for event in LogReader(conn).events(after):
                read.append(event)
        except (UnreadableEvent, NewerEvent) as error:
            return read, error
    return read, None


@pytest.mark.parametrize("page", [1, 3, 4, 5, 5_000])
async def test_the_whole_log_is_read_in_order_whatever_the_page(
    database: Database, log: PostgresLog, page: int
) -> None:
    with database.connect("projector") as conn:
        reader = LogReader(conn, page)
        assert list(reader.events()) == as_recorded(EVENTS, 1)
        assert [row.position for row in reader.raw(after=2)] == [3, 4]
        assert reader.head() == (4, stored(database)[-1].hash)


async def test_an_empty_log_has_nothing_to_read(database: Database) -> None:
    with database.connect("projector") as conn:
        assert (list(LogReader(conn).events()), LogReader(conn).head()) == ([], None)


SPOILT = [
    ("topic = 'wallet.juggled.v1'", "is not the name of an event"),
    ("state = '{'", "stored bytes"),
    ("state = '\\xff'", "stored bytes"),
    ("topic = 'seat.settled.v1'", "does not belong"),
]


@pytest.mark.parametrize(("assignment", "reason"), SPOILT)
async def test_bug_009_a_reader_stops_exactly_before_a_bad_event_and_names_it(
    database: Database, log: PostgresLog, assignment: str, reason: str
) -> None:
    spoil(database, assignment)
    read, error = read_until_fault(database)
    assert [event.position for event in read] == [1]
    assert isinstance(error, UnreadableEvent)
    assert (error.position, error.stream) == (2, A)
    assert reason in str(error)


@pytest.mark.parametrize(("assignment", "reason"), SPOILT)
async def test_bug_009_a_stream_with_a_bad_event_is_named_and_stops_nobody_else(
    database: Database, log: PostgresLog, assignment: str, reason: str
) -> None:
    spoil(database, assignment)
    async with log.turn([], 4) as turn:
        loaded = await turn.load([A, B], [])
        assert [event.stream for event in loaded.events] == [B]
        assert loaded.broken.keys() == {A}
        assert "position 2" in loaded.broken[A]
        assert reason in loaded.broken[A]
        await turn.append(deposits("b", [2]), [])
    assert len(stored(database)) == 5


async def test_a_stream_whose_event_is_gone_is_named(database: Database, log: PostgresLog) -> None:
    with database.tamper() as conn:
        conn.execute("DELETE FROM stored_events WHERE notification_id = 2")
    async with log.turn([], 4) as turn:
        loaded = await turn.load([A, B], [])
    assert loaded.broken == {A: "position 4: version 2 is missing"}


async def test_bad_news_drop_what_was_known_and_writing_goes_on(
    database: Database, log: PostgresLog, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(database, "state = '{'")
    async with log.turn([], 1) as turn:
        assert (turn.news, turn.head) == (None, 4)
        await turn.append(deposits("b", [2]), [])
    assert "position 2" in caplog.text


async def test_a_bad_head_has_no_time_and_writing_goes_on(database: Database, log: PostgresLog) -> None:
    spoil(database, "state = '{'", position=4)
    async with log.turn([], None) as turn:
        assert (turn.head, turn.last_recorded_at) == (4, None)
        await turn.append(deposits("b", [2]), [])


async def test_bug_008_a_newer_event_stops_the_writer_wherever_it_is_met(database: Database, log: PostgresLog) -> None:
    spoil(database, "topic = 'wallet.deposited.v2'")
    spoil(database, "topic = 'wallet.deposited.v3'", position=4)
    with pytest.raises(NewerEvent, match=r"wallet\.deposited\.v2"):
        async with log.turn([], 1):
            pass
    async with log.turn([], None) as turn:
        with pytest.raises(NewerEvent, match=r"wallet\.deposited\.v2"):
            await turn.load([A], [])
        with pytest.raises(NewerEvent, match=r"wallet\.deposited\.v3"):
            assert turn.last_recorded_at
    read, error = read_until_fault(database)
    assert isinstance(error, NewerEvent)
    assert len(read) == 1


async def test_a_reader_never_writes(database: Database, log: PostgresLog) -> None:
    with database.connect("projector") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("DELETE FROM stored_events")
