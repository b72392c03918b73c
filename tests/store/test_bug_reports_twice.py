"""Public faults in which something counts twice, half or in the wrong order, tried on the real store by processes that
know nothing of each other.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import Counter
from contextlib import AsyncExitStack
from threading import Event
from unittest.mock import patch

import psycopg
import pytest
from psycopg import sql

from adapters.event_store import PostgresLog
from adapters.event_store.turn import PostgresTurn
from adapters.projector import Projector, compare_models
from adapters.projector.storage import add_first_generations, prepare_session
from domain.jackpots.events import Awarded, Contributed
from domain.rounds.events import BettingClosed, Dealt, RoundCancelled
from domain.seats.events import SeatSettled
from domain.settlement import Decision
from domain.wallets.events import PrizePaid, StakesSettled
from services import commands as c
from services.states import States
from tests.adapters.event_store_support import CutAt
from tests.adapters.projecting import all_at
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.postgres import Database
from tests.store.support import Ask, Outcome, Shop, Work, assert_sound, at_once, events_of, head_of, shop_of
from tests.store.test_commit_unknown import cut
from tests.support.cards import ACE_KING, FLUSH, HIGH, cards, feed, hand

SEATED = {1: hand(FLUSH, 1), 2: hand(HIGH, 2)}


def codes(*outcomes: list[Outcome]) -> Counter[str]:
    return Counter(one.code for some in outcomes for one in some)


def deal(round_id: str) -> c.Deal:
    """A flush on seat 1, nothing on seat 2, a dealer who plays."""
    return c.Deal(round_id, None, tuple(feed(SEATED)), cards(ACE_KING))


def step(database: Database) -> bool:
    """Five events at most, by a projector that has just been started."""
    projector = Projector(database.conninfo("projector"), Event(), batch=5)
    with database.connect("projector") as conn:
        prepare_session(conn)
        add_first_generations(conn, list(projector.models.values()))
        return projector.step(conn)


async def test_bug_006_what_is_kept_of_a_stream_is_never_evolved_twice_by_the_same_events(database: Database) -> None:
    """There are no snapshots; what comes nearest are the states that a house keeps, and the rows of read models."""
    conninfo = database.conninfo("writer")
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(shop_of(conninfo)) for _ in range(2)]
        with patch("services.house.States", lambda: States(bytes_max=1)):
            houses.append(await stack.enter_async_context(shop_of(conninfo)))
        await houses[0].all_done(*(Ask(c.RegisterPlayer(player, "EUR")) for player in ("ann", "bob")))
        for nth in range(12):  # in turn, so that each has news of another to take in, and the third must load again
            house = houses[nth % 3]
            (one,) = await house.all_done(Ask(c.DepositFunds("ann", 100, "EUR", f"c{nth}")))
            assert f'"available":{100 * (nth + 1)},' in one.body.decode().replace(" ", "")
            await houses[2].all_done(Ask(c.DepositFunds("bob", 1, "EUR", f"b{nth}")))
            step(database)
        cold = await stack.enter_async_context(shop_of(conninfo))
        for house in (*houses, cold):
            (told,) = await house.ask_all([Ask(c.WithdrawFunds("ann", 1_201, "EUR", "all"))])
            assert told.code == "INSUFFICIENT_FUNDS"
        (last,) = await cold.all_done(Ask(c.WithdrawFunds("ann", 1_200, "EUR", "all")))
    while step(database):
        pass
    assert all_at(database, last.position)
    with database.connect("projector") as conn:
        assert compare_models(conn) == []
    assert_sound(database)


@pytest.mark.parametrize(
    ("deposit", "tables", "found"),
    [
        (13_000, 5, {"OK": 4, "TABLE_LIMIT": 1}),
        (5_000, 6, {"OK": 1, "INSUFFICIENT_FUNDS": 5}),
    ],
)
async def test_bug_016_antes_on_many_tables_at_once_from_two_processes_are_held_three_times_over(
    database: Database, deposit: int, tables: int, found: dict[str, int]
) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann"], deposit)
        rounds = await shop.rounds_at(LIVE, tables)
    asks = [Ask(c.PlaceWager(one, "ann", None, 1_000, 0, 0)) for one in rounds]
    assert codes(*at_once(database, Work(asks[::2]), Work(asks[1::2]))) == found
    async with shop_of(database.conninfo("writer")) as shop:
        left = deposit - 3_000 * found["OK"]
        (told,) = await shop.ask_all([Ask(c.WithdrawFunds("ann", left + 1, "EUR", "more"))])
        assert told.code == "INSUFFICIENT_FUNDS"
        await shop.all_done(Ask(c.WithdrawFunds("ann", left, "EUR", "all")))
    assert_sound(database)


async def test_bug_024_settles_of_wallets_and_pool_in_opposite_orders_end_once_each_without_a_deadlock(
    database: Database,
) -> None:
    """Two processes settle the same rounds, one from the first to the last, one backwards; the rounds share players in
    crossed seats, and one pool that each of them is paid from.
    """
    pairs = [(f"a{nth}", f"b{nth}") for nth in range(50)]
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.jackpot("gold", LAND)
        await shop.all_done(*(Ask(c.RegisterPlayer(one, "USD")) for pair in pairs for one in pair))
        await shop.all_done(*(Ask(c.DepositFunds(one, 100_000, "USD", one)) for pair in pairs for one in pair))
        rounds = await shop.rounds_at(LAND, 4 * len(pairs), currency="USD", jackpot="gold")
        seats = [pair if nth % 2 else pair[::-1] for pair in pairs for nth in range(4)]
        await shop.all_done(
            *(
                Ask(c.PlaceWager(one, player, seat, 1_000, 0, 100))
                for one, pair in zip(rounds, seats, strict=True)
                for seat, player in enumerate(pair, 1)
            )
        )
        await shop.all_done(*(Ask(c.CloseBetting(one)) for one in rounds))
        await shop.all_done(*(Ask(deal(one)) for one in rounds))
    asks = [Ask(c.Settle(one, None), status=200) for one in rounds]

    found = at_once(database, Work(asks, at_a_time=4), Work(asks[::-1], at_a_time=4))

    assert codes(*found) == {"OK": len(rounds), "WRONG_PHASE": len(rounds)}
    assert all("OK" in {one.code for one in side} for side in found), "one of the two was too late for all"
    log = [one.event for one in events_of(database)]
    settled = Counter((one.round, one.player) for one in log if isinstance(one, SeatSettled))
    assert settled == {(one, player): 1 for one, pair in zip(rounds, seats, strict=True) for player in pair}
    awarded = Counter(one.round for one in log if isinstance(one, Awarded))
    assert awarded == dict.fromkeys(rounds, 1)
    with psycopg.connect(database.superuser) as conn:
        row = conn.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = %s", [database.name]).fetchone()
    assert row == (0,)
    assert_sound(database)


async def test_bug_035_what_fails_its_last_check_leaves_no_row_in_any_table(database: Database) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann"], 10_000)
        (round_id,) = await shop.rounds_at(LIVE, 1, total_max_minor=1_000)
        await shop.all_done(Ask(c.PlaceWager(round_id, "ann", None, 500, 0, 0)))
        while step(database):
            pass
        before = contents(database)
        dry = c.Void(round_id, "malfunction", None, None, None, True)
        asks = [
            Ask(c.PlaceWager(round_id, "ann", None, 501, 0, 0), "k1"),
            Ask(c.PlaceWager(round_id, "ann", None, 450, 51, 0), "k2"),
            Ask(c.PlaceWager(round_id, "newcomer", None, 500, 0, 0), "k3"),
            Ask(c.WithdrawFunds("newcomer", 1, "EUR", "w"), "k4"),
            Ask(dry, "k5", 200),
        ]
        found = await shop.ask_all(asks)
        assert [one.code for one in found] == ["ABOVE_MAXIMUM", "ABOVE_MAXIMUM", "NOT_FOUND", "NOT_FOUND", "OK"]
        while step(database):
            pass
        assert contents(database) == before
    assert_sound(database)


def contents(database: Database) -> dict[str, object]:
    """What every table holds: the number of its rows and a hash of them."""
    read = "SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM {} t"
    with psycopg.connect(database.superuser) as conn:
        tables = [name for (name,) in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'studbook'")]
        assert {"stored_events", "idempotency", "view_rows", "view_progress"} <= set(tables)
        return {
            name: conn.execute(sql.SQL(read).format(sql.Identifier("studbook", name))).fetchone() for name in tables
        }


@pytest.mark.parametrize("at", list(CutAt))
async def test_bug_053_a_connection_cut_while_a_win_is_settled_pays_both_or_neither_and_the_retry_once(
    database: Database, at: CutAt
) -> None:
    round_id = await won(database)
    before = head_of(database)
    async with cut(database, at) as through:
        shop = through.shop
        settle = shop.order(c.Settle(round_id, None), key="settle")
        first = await shop.ask(settle)
        assert first.code in {"OK", "UNAVAILABLE"}
        assert paid(database, before) == ((2, 2, 1) if first.code == "OK" else (0, 0, 0))
        assert (await shop.ask(settle)).code == "OK"
    assert paid(database, before) == (2, 2, 1)
    assert_sound(database)


async def won(database: Database) -> str:
    """A round in which everybody has decided: a flush with a progressive wager on seat 1, nothing on seat 2."""
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.jackpot("gold", EURO)
        await shop.furnish(["ann", "bob"], 10_000)
        (round_id,) = await shop.rounds_at(EURO, 1, jackpot="gold")
        for seat, player in enumerate(("ann", "bob"), 1):
            await shop.wager(round_id, player, seat=seat, ante=1_000, progressive=50)
        await shop.close(round_id)
        await shop.submit(deal(round_id))
        for player in ("ann", "bob"):
            await shop.decide(round_id, player, Decision.CALL)
    return round_id


def paid(database: Database, after: int) -> tuple[int, int, int]:
    """Seats settled, stakes settled in wallets, prizes paid."""
    log = [one.event for one in events_of(database, after)]
    kinds = (SeatSettled, StakesSettled, PrizePaid)
    counted = tuple(sum(isinstance(one, kind) for one in log) for kind in kinds)
    return counted[0], counted[1], counted[2]


def _settle_and_die(conninfo: str, round_id: str, when: str) -> None:
    """A process that is killed before its append reaches the server, or just after it was committed."""
    append = PostgresTurn.append

    async def dying(turn: PostgresTurn, *what: object) -> None:
        if when == "after":
            await append(turn, *what)  # type: ignore[arg-type]  # passed on as it came
        os.kill(os.getpid(), signal.SIGKILL)

    async def run() -> None:
        with patch.object(PostgresTurn, "append", dying):
            async with Shop(PostgresLog(conninfo)) as shop:
                await shop.submit(c.Settle(round_id, None), key="settle")

    asyncio.run(run())


@pytest.mark.parametrize(("when", "then"), [("before", (0, 0, 0)), ("after", (2, 2, 1))])
async def test_bug_053_a_process_killed_around_the_credit_of_a_win_has_paid_both_or_neither(
    database: Database, when: str, then: tuple[int, int, int]
) -> None:
    round_id = await won(database)
    before = head_of(database)
    process = multiprocessing.get_context("spawn").Process(
        target=_settle_and_die, args=(database.conninfo("writer"), round_id, when)
    )
    process.start()
    await asyncio.to_thread(process.join, 60)
    assert process.exitcode == -signal.SIGKILL
    process.close()
    assert paid(database, before) == then
    async with shop_of(database.conninfo("writer")) as shop:
        for _ in range(2):
            await shop.submit(c.Settle(round_id, None), key="settle")
            assert paid(database, before) == (2, 2, 1)
    assert_sound(database)


async def test_bug_055_two_deals_at_once_draw_once_and_the_pool_grows_once(database: Database) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.jackpot("gold", EURO)
        players = [f"p{nth}" for nth in range(40)]
        await shop.furnish(players, 10_000)
        rounds = await shop.rounds_at(EURO, 40, jackpot="gold", card_source="SHOE")
        await shop.all_done(
            *(Ask(c.PlaceWager(one, player, 1, 1_000, 0, 50)) for one, player in zip(rounds, players, strict=True))
        )
    closes = [Ask(c.CloseBetting(one), status=200) for one in rounds]
    deals = [Ask(c.Deal(one, None, None, None), status=200) for one in rounds]

    found = at_once(database, *[Work(closes, at_a_time=4)] * 2)
    assert codes(*found) == {"OK": 40, "BETTING_CLOSED": 40}
    found = at_once(database, *[Work(deals, at_a_time=4)] * 2)
    assert codes(*found) == {"OK": 40, "WRONG_PHASE": 40}

    log = [one.event for one in events_of(database)]
    for kind in (BettingClosed, Dealt, Contributed):
        assert Counter(one.round for one in log if isinstance(one, kind)) == dict.fromkeys(rounds, 1), kind
    assert not any(isinstance(one, RoundCancelled) for one in log)
    assert_sound(database)
