"""An append of many events goes to the server in pieces, and is one append all the same (docs/adr/0024)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import psycopg
import pytest

from adapters.event_store import EVENT_BYTES_MAX
from adapters.event_store.batch import PIECE, Batch, pieces_of
from adapters.event_store.statements import SESSION
from domain.rounds.events import RoundPaused
from services.chain import verify_chain
from services.ports import LogUnavailable, OutcomeUnknown, Pending
from tests.adapters.event_samples import AT, sample_meta
from tests.adapters.event_store_support import as_recorded, deposits, key_record, known, opened, put, stored
from tests.postgres import Database

MANY = range(1, 2 * PIECE + 51)
KEY = ("demo", "key", "k")


@pytest.mark.parametrize("count", [0, 1, PIECE, PIECE + 1, 3 * PIECE])
def test_pieces_hold_every_event_once_and_in_order(count: int) -> None:
    events = deposits("a", range(1, count + 1))
    pieces = pieces_of(events)
    assert [one for piece in pieces for one in piece] == events
    assert len(pieces) == max(1, -(-count // PIECE))
    assert max(map(len, pieces)) <= PIECE


async def test_many_events_are_one_line_of_the_chain_and_announced_once(database: Database) -> None:
    events = [*deposits("a", MANY), *deposits("b", MANY, "other")]
    with psycopg.connect(database.conninfo("projector"), autocommit=True) as conn:
        conn.execute("LISTEN studbook_events")
        async with opened(database.conninfo("writer")) as log:
            assert await put(log, events, [key_record("k", len(events))]) == len(events)
            async with log.turn([KEY], None) as turn:
                loaded = await turn.load({events[0].stream, events[-1].stream}, [])
                assert list(turn.records) == [KEY]
            assert await put(log, deposits("c", [1])) == len(events) + 1
        heard = [note.payload for note in conn.notifies(timeout=60, stop_after=2)]
    assert heard == [str(len(events)), str(len(events) + 1)]
    assert list(loaded.events) == as_recorded(events, 1)
    verdict = verify_chain(stored(database))
    assert (verdict.events, verdict.fault) == (len(events) + 1, None)


async def test_an_alarm_in_the_first_piece_leaves_nothing_of_any(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(database.conninfo("writer")) as log:
        await put(log, deposits("a", [1]))
        with pytest.raises(LogUnavailable):
            await put(log, [*deposits("a", [1]), *deposits("b", MANY)], [key_record("k")])
        assert [record.levelname for record in caplog.records] == ["CRITICAL"]
        assert await known(log, [KEY]) == {}
        assert await put(log, deposits("b", MANY)) == len(MANY) + 1
    assert verify_chain(stored(database)).events == len(MANY) + 1


async def test_what_cannot_be_stored_in_the_last_piece_takes_those_before_with_it(database: Database) -> None:
    too_large = Pending("demo/round/r", 1, RoundPaused("r", "x" * (EVENT_BYTES_MAX + 1), AT), 0, sample_meta(), AT)
    async with opened(database.conninfo("writer")) as log:
        with pytest.raises(LogUnavailable, match="at most 8388608 are stored"):
            await put(log, [*deposits("a", MANY), too_large], [key_record("k")])
        assert await known(log, [KEY]) == {}
        assert stored(database) == []
        assert await put(log, deposits("a", MANY)) == len(MANY)


async def test_a_process_that_hangs_between_two_pieces_loses_the_lock_and_nothing_is_written(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.event_store.log.SESSION", {**SESSION, "idle_in_transaction_session_timeout": "300ms"})
    real = Batch.parameters

    def hanging(batch: Batch, events: Sequence[Pending]) -> list[bytes]:
        if batch.position >= PIECE:
            time.sleep(1.5)
            with psycopg.connect(database.conninfo("writer"), autocommit=True) as conn:
                locks = conn.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
            assert locks == (0,)
        return real(batch, events)

    async with opened(database.conninfo("writer")) as log:
        with monkeypatch.context() as while_it_hangs:
            while_it_hangs.setattr(Batch, "parameters", hanging)
            with pytest.raises((LogUnavailable, OutcomeUnknown)):
                await put(log, deposits("a", MANY))
        assert stored(database) == []
        assert await put(log, deposits("a", MANY)) == len(MANY)
