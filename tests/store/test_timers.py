"""Durable timers on the real store: abandoned rounds are given up, rounds left while paying are paid on (F29)."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from unittest.mock import patch

from adapters.event_store import PostgresLog
from adapters.round_watch import RoundWatch
from domain.rounds.events import RoundCancelled, RoundSettled
from domain.seats.events import SeatSettled
from domain.settlement import Decision
from services import commands as c
from services.batch import Order, Result
from services.house import House
from tests.domain.showdowns import EURO, LIVE
from tests.postgres import Database
from tests.store.pit import pit_of
from tests.store.support import Ask, Shop, assert_sound, events_of, head_of, shop_of
from tests.support.cards import FLUSH, HIGH, hand

PLAYERS = [f"p{nth:04d}" for nth in range(1_200)]
_SECONDS = 60


async def test_rounds_nobody_touches_are_cancelled_once_and_every_stake_is_back(database: Database) -> None:
    async with pit_of(database) as pit:
        casino = pit.casino
        await casino.jackpot("j", EURO)
        rounds = {}
        for phase in ("open", "closed", "deciding", "paused", "called"):
            await casino.table(phase, EURO, jackpot="j", abandon_seconds=1)
            await casino.player(phase, "EUR", deposit=10_000)
            rounds[phase] = await casino.round(phase)
            await casino.wager(rounds[phase], phase, seat=1, ante=1_000, progressive=50)
        for phase in ("closed", "deciding", "called"):
            await casino.close(rounds[phase])
        for phase in ("deciding", "called"):
            await casino.deal(rounds[phase], {1: hand(HIGH)})
        await casino.call(rounds["called"], "called")
        await casino.submit(c.Pause(rounds["paused"], "look"))

        casino.clock.forward(0.9)
        assert await pit.look() == 0
        casino.clock.forward(0.1)
        assert await pit.look() == 5
        head = head_of(database)
        assert await pit.look(is_stale=True) == 0
        assert await pit.look() == 0
        assert head_of(database) == head
        await casino.audit()
        for phase in rounds:
            assert casino.books.balance(f"av/{phase}") == 10_000 * 10**6
            assert casino.books.balance(f"held/{phase}") == 0
        assert casino.books.balance("m/j") == 100_000 * 10**6
    cancelled = [one for one in events_of(database) if isinstance(one.event, RoundCancelled)]
    assert [(one.meta.actor, one.meta.operator) for one in cancelled] == [("system", "op")] * 5
    assert_sound(database)


async def test_a_round_touched_since_the_read_models_last_saw_it_is_left_alone(database: Database) -> None:
    async with pit_of(database) as pit:
        casino = pit.casino
        await casino.table("t", LIVE, abandon_seconds=1)
        await casino.player("ann", "EUR", deposit=10_000)
        round_id = await casino.round("t")
        await casino.wager(round_id, "ann", ante=1_000)
        await pit.look()
        casino.clock.forward(0.8)
        await casino.wager(round_id, "ann", ante=1_000)  # an event of the seat, not of the round
        casino.clock.forward(0.8)
        assert await pit.look(is_stale=True) == 0
        assert await pit.look() == 0
        casino.clock.forward(0.2)
        assert await pit.look() == 1
    assert_sound(database)


async def test_the_timers_of_a_database_run_in_one_process(database: Database) -> None:
    async with pit_of(database) as pit:
        await pit.casino.table("t", LIVE, abandon_seconds=1)
        await pit.casino.round("t")
        await pit.look()
        pit.casino.clock.forward(5)
        other = RoundWatch(database.conninfo("projector"))
        assert await other.look() is None
        await other.close()
        assert await pit.look() == 1


class Doomed(House):
    """Dies by SIGKILL between the first slice of seats and the second."""

    async def _pay_to_the_end(self, order: Order, round_id: str) -> Result:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("nobody survives that")


def _settle_and_die(conninfo: str, round_id: str) -> None:
    async def run() -> None:
        with patch("tests.store.support.House", Doomed):
            async with Shop(PostgresLog(conninfo)) as shop:
                await shop.submit(c.Settle(round_id, None), key="settle")

    asyncio.run(run())


async def test_a_round_left_while_paying_is_paid_on_by_the_timers_of_the_next_process(database: Database) -> None:
    conninfo = database.conninfo("writer")
    async with shop_of(conninfo) as shop:
        await shop.furnish(PLAYERS, 3_000)
        (round_id,) = await shop.rounds_at(LIVE, 1, abandon_seconds=1)
        await shop.all_done(*(Ask(c.PlaceWager(round_id, player, None, 1_000, 0, 0)) for player in PLAYERS))
        await shop.close(round_id)
        await shop.deal(round_id, hand(FLUSH))
        await shop.all_done(*(Ask(c.Decide(round_id, player, Decision.CALL)) for player in PLAYERS[400:]))
    before = head_of(database)
    process = multiprocessing.get_context("spawn").Process(target=_settle_and_die, args=(conninfo, round_id))
    process.start()
    await asyncio.to_thread(process.join, _SECONDS)
    assert process.exitcode == -signal.SIGKILL
    process.close()
    assert settled(database, before) == (500, 0)

    async with pit_of(database, Shop) as pit:
        assert await pit.look() == 1
        assert settled(database, before) == (1_200, 1)
        head = head_of(database)
        await pit.look(is_stale=True)
        assert await pit.look() == 0
        assert head_of(database) == head
        answer = await pit.casino.submit(c.Settle(round_id, None), key="settle")
        assert (answer["phase"], answer["seats"]) == ("SETTLED", 1_200)
        assert head_of(database) == head
    assert_sound(database)


def settled(database: Database, after: int) -> tuple[int, int]:
    """Players paid, each once, and rounds said to be settled, in the log past `after`."""
    log = [one.event for one in events_of(database, after)]
    paid = [one.player for one in log if isinstance(one, SeatSettled)]
    assert len(set(paid)) == len(paid)
    return len(paid), sum(isinstance(one, RoundSettled) for one in log)
