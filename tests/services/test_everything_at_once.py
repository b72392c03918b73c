"""All that may be asked of one large round, asked at once of several houses while commits fail: whatever comes of it,
a key has one answer for ever, and no law is broken.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from domain.errors import Refusal, Unavailable
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.batch import Order, Result
from services.house import House
from services.laws import Laws
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, cards, hand
from tests.support.casino import Casino
from tests.support.interleaved import slices_of
from tests.support.memory_log import Fault, MemoryLog

PLAYERS = [f"p{nth}" for nth in range(7)]
PAIR = "Qs Qd 7c 4h 2s"
FAULTS = (Fault.NO_LOCK, Fault.NO_LOAD, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT)
STAGES = ("betting", "deciding", "deciding", "settled", "review")


async def prepared(casino: Casino, dice: Random) -> str:
    """A round of one hand for all in some phase; some have decided, and perhaps the time to decide is over."""
    stage = dice.choice(STAGES)
    await casino.table("t", LIVE)
    for player in PLAYERS:
        await casino.player(player, deposit=10_000)
    round_id = await casino.round("t")
    for player in PLAYERS:
        await casino.wager(round_id, player, ante=1_000)
    if stage != "betting":
        await casino.close(round_id)
        await casino.deal(round_id, hand(FLUSH))
        for player in PLAYERS[: dice.randint(0, 7)]:
            await casino.decide(round_id, player, dice.choice(list(Decision)))
        casino.clock.forward(60)
    if stage in {"settled", "review"}:
        await casino.settle(round_id)
    if stage == "review":
        await casino.resettle(round_id, hand(HIGH), PAIR, VoidPolicy.HOLD_FOR_REVIEW)
    casino.clock.forward(dice.choice((0, 4_000)))
    return round_id


def asked(dice: Random, round_id: str) -> c.Command:
    policy, player = dice.choice(list(VoidPolicy)), dice.choice(PLAYERS)
    dealer = cards(dice.choice((ACE_KING, PAIR)))
    commands: list[Callable[[], c.Command]] = [
        *[lambda: c.Settle(round_id, None)] * 3,
        *[lambda: c.Void(round_id, "malfunction", policy, "boss", None, False)] * 3,
        lambda: c.CancelAbandoned(round_id),
        lambda: c.Resolve(round_id, VoidPolicy.CLAW_BACK),
        lambda: c.Resettle(round_id, cards(hand(HIGH)), None, dealer, policy, "misread", "boss"),
        lambda: c.WithdrawFunds(player, 6_000, "EUR", f"w{dice.random()}"),
        lambda: c.Decide(round_id, player, Decision.CALL),
        lambda: c.OpenRound("t"),
    ]
    return dice.choice(commands)()


class Callers:
    """Send orders to any of the houses, and note each answer by its key."""

    def __init__(self, houses: list[House], dice: Random) -> None:
        self._houses, self._dice = houses, dice
        self.answers: defaultdict[str, set[tuple[int, bytes, int]]] = defaultdict(set)

    async def send(self, order: Order) -> Result | Refusal:
        for _ in range(self._dice.randint(0, 5)):
            await asyncio.sleep(0)
        try:
            found = await self._dice.choice(self._houses).submit(order)
        except Refusal as refusal:
            return refusal
        if order.keys:
            assert found.body
            self.answers[order.keys[0][0][2]].add((found.status, found.body, found.position))
        return found

    async def send_until_told(self, order: Order) -> None:
        for _ in range(3):
            if not isinstance(await self.send(order), Unavailable):
                return
        raise AssertionError(f"never answered: {order}")


@pytest.mark.parametrize("seed", range(40))
async def test_every_key_keeps_one_answer_and_every_law_holds_whatever_is_asked_at_once(seed: int) -> None:
    dice = Random(seed)
    with slices_of(2):
        async with Casino() as casino, Casino(casino.log) as other:
            other.clock, other.ids = casino.clock, casino.ids
            other.house._clock, other.house._ids = casino.clock, casino.ids
            round_id = await prepared(casino, dice)
            callers = Callers([casino.house, other.house], dice)
            orders = [casino.order(asked(dice, round_id)) for _ in range(dice.randint(2, 4))]
            timer = replace(casino.order(c.PayOn(round_id)), keys=())
            assert isinstance(casino.log, MemoryLog)
            casino.log.fail(*dice.sample(FAULTS, dice.randint(0, 3)))
            sent = [one for one in (*orders, timer) for _ in range(dice.randint(1, 3))]
            await asyncio.wait_for(asyncio.gather(*(callers.send(one) for one in sent)), 60)
            casino.log.forget_faults()
            for order in orders * 2:
                await callers.send_until_told(order)
            assert [key for key, found in callers.answers.items() if len(found) > 1] == []
            laws = Laws()
            for one in await casino.everything():
                laws.take(one)
            assert laws.finish() == []
            (await casino.replay()).check()
