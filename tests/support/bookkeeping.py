"""An evening with something of everything, and histories spread over time, for whoever reads reports of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from domain.money import MICRO
from domain.seats.events import WagerKind
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.ports import Recorded
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, PAIR, QUEEN_HIGH, ROYAL, STRAIGHT_FLUSH, hand
from tests.support.casino import Casino, Play

HOUR = 3_600


async def evening(casino: Casino) -> None:
    """Three games, two currencies, every kind of void and of correction; a game is left open at the end."""
    await furnished(casino)
    await casino.played("salon", {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(PAIR, 2), call=False)})
    casino.clock.forward(HOUR)
    won = await casino.played("salon", {"ann": Play(1, hand(STRAIGHT_FLUSH, 1)), "bob": Play(2, hand(HIGH, 2))})
    await casino.withdraw("ann", 150_000, transaction="out-1")
    casino.clock.forward(HOUR)
    await casino.void(won)
    await casino.void(await casino.decided("salon", {"bob": Play(3, hand(HIGH, 3))}))
    casino.clock.forward(HOUR)
    for policy in (VoidPolicy.HOUSE_ABSORBS, VoidPolicy.HOLD_FOR_REVIEW):
        taken = await casino.played("salon", {"cat": Play(1, hand(FLUSH, 1), ante=500)}, QUEEN_HIGH)
        has = casino.books.balance("av/cat") // MICRO
        await casino.withdraw("cat", has - 700, transaction=f"out-{policy}")
        await casino.void(taken, policy)
        await casino.deposit("cat", has - 700, transaction=f"in-{policy}")
    await casino.resolve(taken, VoidPolicy.CLAW_BACK)
    casino.clock.forward(HOUR)
    await live(casino)
    await land(casino)
    await office(casino)
    casino.clock.forward(HOUR)
    left_open = await casino.round("salon")
    await casino.wager(left_open, "bob", seat=2, ante=1_000, progressive=50)


async def furnished(casino: Casino) -> None:
    """Players, pools and tables."""
    for player in ("ann", "bob", "cat"):
        await casino.player(player, deposit=100_000)
    for player in ("una", "vic"):
        await casino.player(player, "USD", deposit=100_000)
    await casino.jackpot("euro", EURO, reserve_ppm=100_000)
    await casino.jackpot("spare", EURO)
    await casino.jackpot("land", LAND, handpay_threshold_minor=20_000)
    await casino.table("salon", EURO, jackpot="euro")
    await casino.table("studio", LIVE)
    await casino.table("floor", LAND, jackpot="land")


async def live(casino: Casino) -> None:
    """One hand for all with the 5+1 wager, some of it voided, then settled again."""
    round_id = await casino.round("studio")
    for player in ("ann", "bob"):
        await casino.deposit(player, 50_000)
        await casino.wager(round_id, player, ante=1_000, five_plus_one=200)
    await casino.close(round_id)
    await casino.deal(round_id, hand(FLUSH, 1), ACE_KING)
    await casino.call(round_id, "ann")
    await casino.fold(round_id, "bob")
    await casino.settle(round_id)
    await casino.void(round_id, wagers=(casino.wager_id(round_id, "bob", WagerKind.SIDE),))
    await casino.resettle(round_id, hand(PAIR, 1))
    undone = await casino.round("studio")
    await casino.wager(undone, "ann", ante=1_000)
    await casino.undo(undone, "ann")
    await casino.wager(undone, "ann", ante=2_000, five_plus_one=100)
    casino.clock.forward(2 * HOUR)
    await casino.submit(c.CancelAbandoned(undone))


async def land(casino: Casino) -> None:
    """Prizes that wait: one is verified and its round settled again, one refused, and one still waits."""
    for number, kind in enumerate((ROYAL, STRAIGHT_FLUSH, ROYAL)):
        round_id = await casino.played("floor", {"una": Play(1, hand(kind, 1)), "vic": Play(2, hand(FLUSH, 2))})
        award = f"{round_id}:1"
        casino.clock.forward(HOUR)
        if number == 0:
            await casino.verify("land", award)
            await casino.resettle(round_id, {1: hand(FLUSH, 1), 2: hand(FLUSH, 2)})
        elif number == 1 and casino.books.tally.rounds[round_id].awards[award].pending:
            await casino.refuse("land", award)


async def office(casino: Casino) -> None:
    """What staff does."""
    await casino.adjust("cat", -1_000)
    await casino.adjust("vic", -1_000_000)
    casino.clock.forward(HOUR)
    await casino.deposit("vic", 1_000, "USD")
    await casino.deposit("bob", 777, transaction="twice")
    await casino.roll_back("twice")
    await casino.correct("euro", 1_234_567)
    await casino.transfer("euro", "spare", 5_000_000)
    await casino.change("euro", ceiling_minor=9_000_000)


def spread(events: Sequence[Recorded], start: datetime, every: timedelta) -> list[Recorded]:
    """The same log, each command later than the one before; it took effect half of that before it was recorded."""
    found, at, command = [], start - every, ""
    for one in events:
        if one.meta.causation != command:
            at, command = at + every, one.meta.causation
        meta = replace(one.meta, effective_at=at - every / 2)
        found.append(replace(one, recorded_at=at, meta=meta))
    return found
