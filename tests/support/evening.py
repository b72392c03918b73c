"""A recorded evening in which everything happens that can happen to a round; played once for all who replay it."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import NamedTuple

from domain.wallets.events import VoidPolicy
from services import commands as c
from services.ports import Log, Recorded
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, PAIR, QUEEN_HIGH, ROYAL, STRAIGHT_FLUSH, deck, hand
from tests.support.casino import CURRENCY, Casino, Play


class Evening(NamedTuple):
    """The log, and the rounds by what happened to them."""

    events: list[Recorded]
    rounds: dict[str, str]


@cache
def evening() -> Evening:
    """The evening, on a log in memory."""
    return asyncio.run(_alone())


async def _alone() -> Evening:
    async with Casino() as casino:
        rounds = await play_evening(casino)
        return Evening(list(await casino.everything()), rounds)


async def evening_on(log: Log) -> dict[str, str]:
    """The same evening on another log; its rounds."""
    async with Casino(log) as casino:
        return await play_evening(casino)


async def play_evening(casino: Casino) -> dict[str, str]:
    """Every kind of round once."""
    for player in ("ann", "bob", "cyd"):
        await casino.player(player, "EUR", deposit=100_000)
        await casino.player(f"u-{player}", "USD", deposit=100_000)
    for table, ruleset, more in (
        ("live", LIVE, {}), ("euro", EURO, {}), ("dollar", DOLLAR, {}), ("land", LAND, {"handpay_threshold_minor": 0}),
    ):  # fmt: skip
        if ruleset != LIVE:
            await casino.jackpot(table, ruleset, reserve_ppm=50_000, **more)
        await casino.table(table, ruleset, jackpot=None if ruleset == LIVE else table, currency=CURRENCY[ruleset])
    rounds = await _ordinary(casino)
    rounds |= await _undone(casino)
    return rounds | await _verified(casino)


async def _ordinary(casino: Casino) -> dict[str, str]:
    plays = {"ann": Play(1, hand(ROYAL, 1)), "bob": Play(2, hand(FLUSH, 2)), "cyd": Play(3, hand(HIGH, 3), call=False)}
    awards = await casino.played("euro", plays)
    side = await casino.round("live")
    for player in ("ann", "bob"):
        await casino.wager(side, player, ante=1_000, five_plus_one=500)
        await casino.wager(side, player, ante=500)
    await casino.undo(side, "bob")
    await casino.close(side)
    await casino.deal(side, "4h 4s 9d 8d 7c", "4c Ks Qd 3d 2h")
    await casino.call(side, "ann")
    await casino.fold(side, "bob")
    await casino.settle(side)
    absent = await casino.bets_closed("euro", {"ann": Play(1), "bob": Play(2)})
    await casino.deal(absent, {1: hand(PAIR, 1), 2: hand(HIGH, 2)}, QUEEN_HIGH)
    casino.clock.forward(3_600)
    await casino.settle(absent)
    return {"awards": awards, "side": side, "absent": absent}


async def _undone(casino: Casino) -> dict[str, str]:
    """Voids before and after settlement, whole and in part, and settlements on corrected cards."""
    voided = await casino.played("dollar", {"u-ann": Play(1, hand(STRAIGHT_FLUSH, 1)), "u-bob": Play(2)})
    await casino.void(voided)
    before = await casino.decided("euro", {"ann": Play(1), "bob": Play(2)})
    await casino.void(before, None, approver=None)
    part = await casino.played("dollar", {"u-ann": Play(1, hand(FLUSH, 1)), "u-bob": Play(2)})
    await casino.void(part, VoidPolicy.HOUSE_ABSORBS, wagers=(_wager(casino, part, "u-ann"),))
    resettled = await casino.played("euro", {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2)})
    await casino.resettle(resettled, {1: hand(HIGH, 1), 2: hand(PAIR, 2)}, ACE_KING, VoidPolicy.HOLD_FOR_REVIEW)
    await casino.resolve(resettled, VoidPolicy.CLAW_BACK)
    cancelled = await casino.bets_closed("live", {"ann": Play(), "bob": Play()})
    await casino.submit(c.Pause(cancelled, "camera 3"))
    await casino.submit(c.Resume(cancelled, "seen"))
    await casino.void(cancelled, None, approver=None)
    return {"voided": voided, "before": before, "part": part, "resettled": resettled, "cancelled": cancelled}


def _wager(casino: Casino, round_id: str, player: str) -> str:
    return casino.seat(round_id, player).wagers[0].wager


async def _verified(casino: Casino) -> dict[str, str]:
    """Prizes that wait, one verified, one refused, one left; and a shuffled deck."""
    found = {}
    for name in ("verified", "refused", "waiting"):
        found[name] = await casino.played("land", {"u-ann": Play(1, hand(FLUSH, 1)), "u-cyd": Play(3)})
    await casino.verify("land", f"{found['verified']}:1")
    await casino.refuse("land", f"{found['refused']}:1")
    await casino.table("shoe", EURO, jackpot="euro", card_source="SHOE")
    casino.shoe.decks.append(deck(4, {1: hand(PAIR, 1), 2: hand(HIGH, 2)}, ACE_KING))
    shuffled = await casino.bets_closed("shoe", {"ann": Play(1), "bob": Play(2)})
    await casino.submit(c.Deal(shuffled, None, None, None))
    await casino.call(shuffled, "ann")
    await casino.fold(shuffled, "bob")
    await casino.settle(shuffled)
    return {**found, "shuffled": shuffled}
