"""Streams with closing entries are loaded from the newest one on, found in one step of an index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
import pytest_asyncio

from adapters.codec import CODEC
from adapters.database.steps import STEPS
from adapters.event_store import PostgresLog
from adapters.event_store.statements import CARRIED as CARRIED_NAMES
from adapters.event_store.statements import SESSION, Sql
from domain.carrying import CARRIED, carried
from domain.ids import player_stream, wallet_stream
from domain.streams import State, evolve
from services.ports import Loaded, Pending, Recorded
from services.states import States
from tests.adapters.event_samples import sample
from tests.adapters.event_store_support import deposits, opened, put
from tests.postgres import Database

ANN, BOB = wallet_stream("demo", "ann"), wallet_stream("demo", "bob")


@pytest_asyncio.fixture
async def log(database: Database) -> AsyncIterator[PostgresLog]:
    async with opened(database.conninfo("writer")) as made:
        yield made


def with_closing_entries(events: Sequence[Pending], every: int) -> list[Pending]:
    """The same events; each `every`th is followed by a closing entry, and later versions move up."""
    found: list[Pending] = []
    state: State | None = None
    for nth, one in enumerate(events, 1):
        found.append(one._replace(version=len(found) + 1))
        state = evolve(one.stream, state, one.event)
        if nth % every == 0 and (event := carried(state)) is not None:
            found.append(one._replace(version=len(found) + 1, event=event))
    return found


async def load(log: PostgresLog, streams: Sequence[str], prefixes: Sequence[str] = ()) -> Loaded:
    async with log.turn([], None) as turn:
        return await turn.load(streams, prefixes)


def state_of(loaded: Loaded, stream: str) -> tuple[State | None, int]:
    states = States()
    states.absorb([stream], [], loaded)
    return states.get(stream)[:2]


async def test_a_wallet_of_1200_events_is_loaded_with_200_rows_and_is_what_all_of_them_add_up_to(
    log: PostgresLog,
) -> None:
    whole = with_closing_entries(deposits("ann", range(1, 1_201)), 500)
    await put(log, whole)
    loaded = await load(log, [ANN])
    assert [one.version for one in loaded.events] == list(range(1_002, 1_203))
    assert isinstance(loaded.events[0].event, CARRIED)
    state: State | None = None
    for one in whole:
        state = evolve(one.stream, state, one.event)
    assert state_of(loaded, ANN) == (state, 1_202)


async def test_streams_with_and_without_closing_entries_come_in_one_load(log: PostgresLog) -> None:
    await put(log, with_closing_entries(deposits("ann", range(1, 8)), 3))
    await put(log, deposits("bob", [1, 2]))
    loaded = await load(log, [BOB, ANN, wallet_stream("demo", "nobody")], ["demo/seat/r."])
    assert [(one.stream, one.version) for one in loaded.events] == [(ANN, 8), (ANN, 9), (BOB, 1), (BOB, 2)]
    assert loaded.broken == {}


@pytest.mark.parametrize("gone", [4, 6])
async def test_a_gap_behind_a_closing_entry_is_found_and_one_before_it_is_not_looked_at(
    database: Database, log: PostgresLog, gone: int
) -> None:
    await put(log, with_closing_entries(deposits("ann", range(1, 8)), 4))
    with database.tamper() as conn:
        conn.execute("DELETE FROM stored_events WHERE originator_version = %s", [gone])
    loaded = await load(log, [ANN])
    assert loaded.broken == ({ANN: "position 7: version 6 is missing"} if gone == 6 else {})
    assert [one.version for one in loaded.events] == ([] if gone == 6 else [5, 6, 7, 8])


async def test_a_stream_without_a_closing_entry_begins_at_its_first_event(database: Database, log: PostgresLog) -> None:
    await put(log, deposits("ann", [1, 2, 3]))
    with database.tamper() as conn:
        conn.execute("DELETE FROM stored_events WHERE originator_version = 1")
    assert (await load(log, [ANN])).broken == {ANN: "position 2: version 1 is missing"}


def test_the_index_holds_the_closing_entries_that_there_are() -> None:
    names = {CODEC.name(sample(kind, full=True)) for kind in CARRIED}
    assert set(CARRIED_NAMES) == names
    (step,) = (one for one in STEPS if one.number == 9)
    assert ", ".join(f"'{name}'" for name in CARRIED_NAMES) in step.text


@pytest.mark.parametrize("is_large", [False, True], ids=["empty", "large"])
async def test_the_newest_closing_entry_is_looked_up_in_its_index(
    database: Database, log: PostgresLog, is_large: bool
) -> None:
    if is_large:
        await put(log, with_closing_entries(deposits("ann", range(1, 5_001)), 500))
        with psycopg.connect(database.superuser, autocommit=True) as conn:
            conn.execute("ANALYZE studbook.stored_events")
    with database.connect("writer") as conn:
        for name, value in {**SESSION, "plan_cache_mode": "force_generic_plan"}.items():
            conn.execute("SELECT set_config(%s, %s, false)", [name, value])
        conn.execute(f"PREPARE streams (text[], text[], text[], text[]) AS {Sql.STREAMS.value}".encode())
        rows = conn.execute(f"EXPLAIN EXECUTE streams ('{{}}', '{{}}', '{{}}', '{{{ANN}}}')".encode()).fetchall()
    plan = "\n".join(text for (text,) in rows)
    assert "using stored_events_carried" in plan, plan
    assert "Seq Scan on stored_events" not in plan, plan


async def test_a_house_goes_on_from_a_closing_entry_that_another_process_wrote(log: PostgresLog) -> None:
    """A stream that is not in memory stays out of it until it is loaded, whatever its first news is."""
    await put(log, deposits("ann", [1, 2]))
    event = carried(state_of(await load(log, [ANN]), ANN)[0])
    assert event is not None
    last = deposits("ann", [3])[0]
    await put(log, [last._replace(event=event)])
    states = States()
    states.apply([Recorded(3, ANN, 3, event, 0, last.meta, last.recorded_at)])
    assert not states.knows(ANN)
    assert state_of(await load(log, [ANN]), ANN)[1] == 3
    assert (await load(log, [player_stream("demo", "ann")])).events == []
