"""Two operating system processes, each with a house of its own, on one database: every decision is made on the newest
state (docs/architecture.md, The write path, F04, F06, F08).
"""

from __future__ import annotations

import json
import random
from collections import Counter

from domain.rounds.events import BettingClosed
from domain.seats.events import WagerPlaced
from domain.settlement import Decision
from domain.wallets.events import FundsHeld, VoidPolicy, Withdrawn
from services import commands as c
from tests.domain.showdowns import EURO, LIVE
from tests.postgres import Database
from tests.store.support import Ask, Outcome, Work, assert_sound, at_once, events_of, head_of, shop_of


def bet(round_id: str, player: str, seat: int | None = None) -> Ask:
    return Ask(c.PlaceWager(round_id, player, seat, 100, 0, 0))


def codes(*outcomes: list[Outcome]) -> Counter[str]:
    return Counter(one.code for some in outcomes for one in some)


async def test_of_ten_thousand_wagers_none_lies_above_the_close_that_another_process_decides(
    database: Database,
) -> None:
    players = [f"p{nth}" for nth in range(1_000)]
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(players, 100_000)
        (round_id,) = await shop.rounds_at(LIVE, 1)
    asks = [bet(round_id, player) for player in players for _ in range(10)]
    random.Random(7).shuffle(asks)
    head = head_of(database)

    placed, (closed,) = at_once(database, Work(asks), Work([Ask(c.CloseBetting(round_id), status=200)], head + 5_000))

    assert closed.code == "OK"
    assert codes(placed).keys() == {"OK", "BETTING_CLOSED"}
    accepted = [one for one in placed if one.code == "OK"]
    assert len(placed) == 10_000
    log = events_of(database, head)
    ((close, event),) = [(one, one.event) for one in log if isinstance(one.event, BettingClosed)]
    wagers = [one for one in log if isinstance(one.event, WagerPlaced)]
    assert max(one.position for one in accepted) < close.position == closed.position
    assert max(one.position for one in wagers) < close.position
    assert {json.loads(one.body)["wagers"][0]["wager"] for one in accepted} == {
        one.event.wagers[0].wager for one in wagers if isinstance(one.event, WagerPlaced)
    }
    seated = {json.loads(one.body)["player"] for one in accepted}
    assert json.loads(closed.body)["seats"] == len(seated) == event.seats
    assert_sound(database)


async def test_of_two_processes_that_want_the_same_seat_exactly_one_player_gets_it(database: Database) -> None:
    ours, theirs = [f"a{nth}" for nth in range(8)], [f"b{nth}" for nth in range(8)]
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish([*ours, *theirs, "ann", "bob"], 1_000_000)
        rounds = await shop.rounds_at(EURO, 4)  # more would be more tables than one player may be at

    found = at_once(
        database,
        Work([bet(one, player, 1) for one in rounds for player in ours], before=[bet(one, "ann", 2) for one in rounds]),
        Work(
            [bet(one, player, 1) for one in rounds for player in theirs], before=[bet(one, "bob", 3) for one in rounds]
        ),
    )

    assert codes(*found) == {"OK": 4, "SEAT_TAKEN": 60}
    placed = [one.event for one in events_of(database) if isinstance(one.event, WagerPlaced)]
    winners = [one for one in placed if one.seat == 1]
    assert sorted(one.round for one in winners) == sorted(rounds)
    assert_sound(database)


async def test_F06_money_for_a_hundred_bets_pays_a_hundred_of_a_thousand_tries_from_two_processes(
    database: Database,
) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(["ann"], 100 * 300)  # an ante of 1.00 holds the call too
        (round_id,) = await shop.rounds_at(LIVE, 1)

    found = at_once(database, *[Work([bet(round_id, "ann")] * 500)] * 2)

    assert codes(*found) == {"OK": 100, "INSUFFICIENT_FUNDS": 900}
    held = [one.event for one in events_of(database) if isinstance(one.event, FundsHeld)]
    assert [(one.available_after_minor, one.held_after_minor) for one in held] == [
        (30_000 - 300 * nth, 300 * nth) for nth in range(1, 101)
    ]
    balances = sorted(json.loads(one.body)["balance"]["available"] for some in found for one in some if one.body)
    assert balances == list(range(0, 30_000, 300))
    assert_sound(database)


async def test_bug_081_twenty_equal_requests_at_once_over_two_processes_have_one_effect_and_one_answer(
    database: Database,
) -> None:
    players = [f"p{nth}" for nth in range(20)]
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(players, 5_000)
        (round_id,) = await shop.rounds_at(LIVE, 1)
    kinds = [Ask(c.PlaceWager(round_id, player, None, 100, 0, 0), f"bet-{player}") for player in players]
    kinds += [Ask(c.WithdrawFunds(player, 100, "EUR", f"w-{player}"), f"out-{player}") for player in players]

    found = at_once(database, *[Work([one for one in kinds for _ in range(10)])] * 2)

    assert codes(*found) == {"OK": 800}
    for nth, one in enumerate(kinds):
        same = [answer for some in found for answer in some[10 * nth : 10 * nth + 10]]
        assert len({(answer.status, answer.body, answer.position) for answer in same}) == 1, one
        assert [answer.replayed for answer in same].count(False) == 1, one
    log = [one.event for one in events_of(database)]
    assert sum(isinstance(one, WagerPlaced) for one in log) == 20
    assert sum(isinstance(one, Withdrawn) for one in log) == 20
    assert_sound(database)


async def test_F08_each_of_two_hundred_rounds_voided_twice_at_once_is_voided_once(database: Database) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        pairs = [(f"a{nth}", f"b{nth}") for nth in range(200)]
        await shop.furnish([player for pair in pairs for player in pair], 1_000_000)
        rounds = await shop.rounds_at(LIVE, 200)
        await shop.all_done(*(bet(one, player) for one, pair in zip(rounds, pairs, strict=True) for player in pair))
        hand, dealer = ("Ah", "Kd", "9c", "8c", "7c"), ("4c", "4d", "4h", "5s", "2s")
        played = rounds[::2]
        await shop.all_done(*(Ask(c.CloseBetting(one)) for one in played))
        await shop.all_done(*(Ask(c.Deal(one, hand, None, dealer)) for one in played))
        await shop.all_done(*(Ask(c.Decide(one, pairs[rounds.index(one)][0], Decision.CALL)) for one in played))
        await shop.all_done(*(Ask(c.Settle(one, None)) for one in played))
    asks = [Ask(c.Void(one, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, False), status=200) for one in rounds]

    found = at_once(database, Work(asks), Work(asks))

    assert codes(*found) == {"OK": 200, "ALREADY_VOIDED": 200}
    assert all({one.code for one in pair} == {"OK", "ALREADY_VOIDED"} for pair in zip(*found, strict=True))
    async with shop_of(database.conninfo("writer")) as shop:
        asks = [Ask(c.WithdrawFunds(player, 1_000_000, "EUR", f"all-{player}")) for pair in pairs for player in pair]
        assert {json.loads(one.body)["balance"]["available"] for one in await shop.ask_all(asks)} == {0}
    assert_sound(database)
