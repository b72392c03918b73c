"""Many writers and a reader that follows: one line of positions, none missed, none twice (F13, F22)."""

from __future__ import annotations

import asyncio
import random

from adapters.event_store import PostgresLog
from services.chain import verify_chain
from services.ports import LogUnavailable
from tests.adapters.event_store_support import deposits, key_record, opened, put, stored
from tests.postgres import Database
from tests.support.followers import following, slow_down_inserts

WRITERS, TURNS, SEED = 8, 60, 20_261_129


async def write(log: PostgresLog, name: str, dice: random.Random) -> int:
    """Turns of 1 to 8 events; one in twenty fails after its events were inserted. How many events went in."""
    version, after = 0, None
    for number in range(TURNS):
        events = deposits(name, range(version + 1, version + 1 + dice.randint(1, 8)), operator=f"op-{len(name) % 3}")
        key = f"{name}-{number}" if dice.random() >= 0.05 else "taken"
        try:
            async with log.turn([], after) as turn:
                await asyncio.sleep(dice.random() * 0.002)
                await turn.append(events, [key_record(key)])
                after = turn.head
            version += len(events)
        except LogUnavailable:
            after = None
        await asyncio.sleep(dice.random() * 0.002)
    return version


async def test_F13_F22_bug_088_eight_writers_make_one_line_and_no_follower_misses_an_event(database: Database) -> None:
    slow_down_inserts(database)
    dice = random.Random(SEED)
    async with opened(database.conninfo("writer")) as log:
        with following(database) as followers:
            head = await put(log, deposits("first", [1]), [key_record("taken")])
            logs = [PostgresLog(database.conninfo("writer")) for _ in range(WRITERS)]
            written = await asyncio.gather(
                *(write(log, "w" * n, random.Random(dice.random())) for n, log in enumerate(logs, 1))
            )
            head += sum(written)
            for follower in followers:
                follower.last = head
            await put(log, deposits("last", [1]))
        for writer in logs:
            await writer.aclose()
    assert min(written) > TURNS * 2
    for follower in followers:
        assert follower.seen[:head] == list(range(1, head + 1))
    verdict = verify_chain(stored(database, page=97))
    assert (verdict.events, verdict.fault) == (head + 1, None)


async def test_two_writers_at_once_never_decide_on_the_same_head(database: Database) -> None:
    inside: list[str] = []

    async def one(log: PostgresLog, name: str) -> list[int]:
        heads: list[int] = []
        for version in range(1, 31):
            async with log.turn([], None) as turn:
                inside.append(name)
                assert len(inside) == 1
                heads.append(turn.head)
                await asyncio.sleep(0.001)
                inside.remove(name)
                await turn.append(deposits(name, [version]), [])
        return heads

    async with opened(database.conninfo("writer")) as first, opened(database.conninfo("writer")) as second:
        heads = await asyncio.gather(one(first, "a"), one(second, "b"))
    assert sorted(heads[0] + heads[1]) == list(range(60))


async def test_what_is_read_under_the_lock_includes_what_was_committed_while_waiting_for_it(
    database: Database,
) -> None:
    async with opened(database.conninfo("writer")) as first, opened(database.conninfo("writer")) as second:

        async def wait_and_read() -> tuple[int, int, bool]:
            key = ("demo", "key", "k")
            async with second.turn([key], 0) as turn:
                return turn.head, len(turn.news or ()), key in turn.records

        async with first.turn([], 0) as turn:
            waiting = asyncio.create_task(wait_and_read())
            await asyncio.sleep(0.3)
            assert not waiting.done()
            await turn.append(deposits("a", [1, 2]), [key_record("k")])
        assert await waiting == (2, 2, True)
