"""Reading for requests: one operator, one snapshot, no older than asked for."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from adapters.projector import Projector
from adapters.view_store import ViewStore
from adapters.view_store.store import _SESSION
from domain.errors import NotFound, Unavailable
from domain.views.balances import BALANCES, Balance, balance_key
from domain.views.model import RowKey
from services.queries import balance
from tests.adapters.projecting import running, until
from tests.adapters.viewing import opened, reads_of, told
from tests.domain.views.story import Story
from tests.postgres import Database

ANN = balance_key("ann")


async def test_F19_bug_091_an_operator_sees_its_own_rows_and_events_and_no_others(database: Database) -> None:
    ours, theirs = Story().open_house(("ann",), 100), Story("other").open_house(("ann", "eve"), 900)
    both = Story()
    both.told = ours.told + theirs.told
    told(database, both)
    async with opened(database, size=1) as store:
        for operator, amount, events in (("demo", 100, 6), ("other", 900, 9), ("demo", 100, 6), ("nobody", None, 0)):
            async with store.reading(operator, {BALANCES.name}) as snapshot:
                row = await snapshot.get(BALANCES.name, ANN, Balance)
                assert (row and row.available_minor) == amount
                assert len(await snapshot.events(0, 100)) == events


async def test_F19_bug_091_the_operator_of_one_request_does_not_stay_on_the_connection(database: Database) -> None:
    told(database, Story().open_house(("ann",), 100))
    async with opened(database, size=1) as store:
        async with store.reading("demo", {BALANCES.name}):
            pass
        async with store._pool.connection() as conn:
            row = await (await conn.execute("SELECT count(*) FROM view_rows")).fetchone()
            assert row == (0,)


async def test_a_read_waits_for_the_position_that_it_asks_for(database: Database) -> None:
    story = Story().open_house(("ann",), 100)
    last = told(database, story)
    story.deposit("ann", 50)
    async with reads_of(database) as reads:
        waiting = asyncio.create_task(balance(reads, "demo", "ann", min_position=last + 1))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await asyncio.to_thread(told, database, story)
        answer = await waiting
    assert (answer.available, answer.position) == (150, last + 1)


async def test_a_position_that_does_not_come_is_unavailable_and_may_be_asked_for_again(database: Database) -> None:
    last = told(database, Story().open_house(("ann",), 100))
    async with opened(database, wait_seconds=0.2) as store:
        with pytest.raises(Unavailable, match=f"position {last}, {last + 1} is asked for") as refused:
            async with store.reading("demo", {BALANCES.name}, last + 1):
                raise AssertionError("the read began")
        assert refused.value.retryable
        async with store.reading("demo", {BALANCES.name}, last) as snapshot:
            assert snapshot.position == last


async def test_many_that_wait_do_not_keep_one_connection_from_others(database: Database) -> None:
    last = told(database, Story().open_house(("ann",), 100))
    async with opened(database, size=1, wait_seconds=2.0) as store:

        async def wait() -> None:
            async with store.reading("demo", {BALANCES.name}, last + 1):
                pass

        async def look() -> int:
            async with store.reading("demo", {BALANCES.name}, last) as snapshot:
                return snapshot.position

        found = await asyncio.gather(*(wait() for _ in range(10)), look(), return_exceptions=True)
        assert [type(one) for one in found[:10]] == [Unavailable] * 10
        assert found[10] == last


async def test_all_that_one_read_sees_is_of_one_moment(database: Database) -> None:
    story = Story().open_house(("ann",), 100)
    told(database, story)
    async with opened(database) as store, store.reading("demo", {BALANCES.name}) as snapshot:
        before = await snapshot.get(BALANCES.name, ANN, Balance)
        story.deposit("ann", 50)
        await asyncio.to_thread(told, database, story)
        assert await snapshot.get(BALANCES.name, ANN, Balance) == before
        assert len(await snapshot.events(0, 100)) == len(story.told) - 1


async def test_F03_reads_go_on_after_their_connections_were_cut(database: Database) -> None:
    told(database, Story().open_house(("ann",), 100))
    async with reads_of(database) as reads:
        assert (await balance(reads, "demo", "ann")).available == 100
        with database.tamper() as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                " AND usename = 'studbook_request'"
            )
        assert (await balance(reads, "demo", "ann")).available == 100


async def _standing_still(store: ViewStore) -> None:
    """A read in the midst of which the whole process stands still, as on a machine that is paused."""
    async with store.reading("demo", ["balances"]) as snapshot:
        await asyncio.sleep(1)
        await snapshot.texts(["any"])


async def _is_read(store: ViewStore) -> bool:
    """A read that does not stand still; on a busy machine it may be ended all the same, and is sent again."""
    try:
        async with store.reading("demo", ["balances"]) as snapshot:
            return await snapshot.texts(["any"]) == {}
    except Unavailable:
        return False


async def test_F28_a_read_whose_session_was_ended_for_standing_still_may_be_sent_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_SESSION, "idle_in_transaction_session_timeout", "200ms")
    story = Story().open_house()
    told(database, story)
    async with opened(database) as store:
        with pytest.raises(Unavailable):
            await _standing_still(store)
        async with asyncio.timeout(60):
            while not await _is_read(store):
                await asyncio.sleep(0.05)


async def test_without_any_projector_a_read_says_so(database: Database) -> None:
    async with reads_of(database) as reads:
        with pytest.raises(Unavailable, match="balances has not begun"):
            await balance(reads, "demo", "ann")


async def test_F11_health_names_the_model_and_the_position_at_which_it_stands_still(database: Database) -> None:
    story = Story().open_house(("ann",), 100)
    last = told(database, story, project=False)
    with database.tamper() as admin:
        admin.execute("UPDATE stored_events SET state = '{' WHERE notification_id = %s", [last])
    with running(Projector(database.conninfo("projector"), Event())):
        with database.connect("projector") as conn:
            stands = "SELECT count(*) FROM view_progress WHERE stopped_reason IS NOT NULL"
            until(lambda: conn.execute(stands).fetchone() == (2,))
        async with opened(database) as store:
            health = {one.model: (one.position, one.stopped_reason) for one in await store.health()}
    assert health["balances"][0] == last - 1
    assert (health["balances"][1] or "").startswith(f"position {last}: ")
    assert health["rounds"] == (last, None)


async def test_an_unreadable_event_makes_the_feed_unavailable_and_names_the_position(database: Database) -> None:
    last = told(database, Story().open_house(("ann",), 100))
    with database.tamper() as admin:
        admin.execute("UPDATE stored_events SET topic = 'wallet.gilded.v1' WHERE notification_id = %s", [last])
    async with opened(database) as store, store.reading("demo", ()) as snapshot:
        with pytest.raises(Unavailable, match=f"position {last}"):
            await snapshot.events(0, 100)
        assert len(await snapshot.events(0, last - 1)) == last - 1


async def test_scans_keep_to_their_bounds_in_both_directions(database: Database) -> None:
    told(database, Story().open_house(tuple(f"p{n}" for n in range(5)), 100))
    async with opened(database) as store, store.reading("demo", {BALANCES.name}) as snapshot:
        first, end = RowKey("player", "p1"), RowKey("player", "p4")
        rows = await snapshot.scan(BALANCES.name, Balance, first, end, limit=10)
        assert [row.player for _, row in rows] == ["p1", "p2", "p3"]
        back = await snapshot.scan(BALANCES.name, Balance, first, end, limit=2, newest_first=True)
        assert [row.player for _, row in back] == ["p3", "p2"]


async def test_a_refusal_within_a_read_passes_and_the_connection_serves_on(database: Database) -> None:
    told(database, Story().open_house(("ann",), 100))
    async with reads_of(database) as reads:
        for _ in range(5):
            with pytest.raises(NotFound):
                await balance(reads, "demo", "eve")
        assert (await balance(reads, "demo", "ann")).available == 100
