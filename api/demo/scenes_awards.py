"""Two winners of one pool in one round, with cards from a feed: order, awards, reset, and a player who is away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from api.demo.floor import Floor
from api.demo.games import POOLS, PoolPlan
from api.demo.money import MICRO, meter, money
from api.demo.play import Bet, Play
from api.demo.scene import Scene, should_be

ROYAL: Final = "ROYAL_FLUSH"
STRAIGHT_FLUSH: Final = "STRAIGHT_FLUSH"


@dataclass(frozen=True, slots=True)
class Script:
    """Cards by seat, the winners' seats and hands in the order of payment, and who does not decide in time."""

    table: str
    hands: dict[int, str]
    dealer: str
    winners: tuple[tuple[int, str], ...]
    absent: int
    decided_for_him: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A prize in minor units, and the part of it that the house adds to reach the floor."""

    prize: int
    house: int


EURO_SCRIPT: Final = Script(
    "euro-feed",
    {1: "As Ks Qs Js Ts", 2: "9c 7d 5c 3d 2c", 3: "Ah Kh Qh Jh Th", 4: "8c 8d 6h 4s 2d"},
    "Ad Kc 9d 6c 3s",
    ((3, ROYAL), (1, ROYAL)),  # from the dealer's right to left
    4,
    "CALL",  # a pair or better is bet for him
)
DOLLAR_SCRIPT: Final = Script(
    "dollar-feed",
    {1: "9c 7d 5c 3d 2c", 2: "5h 6h 7h 8h 9h", 4: "As Ks Qs Js Ts", 5: "Qc Qd 8s 4d 4c"},
    "Ad Kc 9d 6c 3s",
    ((2, STRAIGHT_FLUSH), (4, ROYAL)),  # what is left lies below the royal's floor: the house tops up
    5,
    "FOLD",  # this table folds for who is away, whatever he holds
)
LAND_SCRIPT: Final = Script(
    "land-feed",
    {1: "As Ks Qs Js Ts", 4: "9c 7d 5c 3d 2c", 6: "5h 6h 7h 8h 9h", 7: "Qc Jd 8s 4d 3c"},
    "Ad Kc 9d 6c 3s",
    ((1, ROYAL), (6, STRAIGHT_FLUSH)),
    7,
    "FOLD",
)


async def two_winners(floor: Floor, script: Script) -> Scene:
    """Play the script; each award must be the meter's as its turn finds it, by our own reckoning."""
    table = floor.table(script.table)
    plan = next(one for one in POOLS if one.game is table.game)
    play = await led_to_the_deal(floor, script)
    before = (await play.look_at_meter(play.closed_at))["meter_micro"]
    dealt = await play.deal(cards_of(script))
    absent = player_on(play, script.absent)
    await play.decide([one for one in play.standing if one.player != absent], dealt["position"])
    settled = await play.settle()
    pool = await play.look_at_meter(settled["position"])
    turns, after = reckoned(before, [hand for _, hand in script.winners], plan)
    paid = [(one.player, one.hand, one.amount) for one in play.prizes]
    should = [(player_on(play, seat), hand, one.prize) for (seat, hand), one in zip(script.winners, turns, strict=True)]
    should_be(f"{script.table}: awards in the order of payment", paid, should)
    should_be(f"{script.table}: meter after the awards", pool["meter_micro"], after)
    should_be(f"{script.table}: decision for who is away", play.parts[absent].decision, script.decided_for_him)
    return _told(script, plan, before, turns, after)


async def led_to_the_deal(floor: Floor, script: Script) -> Play:
    """Open the round, let every seat of the script bet with the progressive wager, and close the betting."""
    table = floor.table(script.table)
    play = Play(floor, table)
    await play.open()
    for seat, player in zip(script.hands, table.regulars, strict=False):
        await play.bet(Bet(player, seat, 2 * table.plan.ante_min, table.game.side_price or 0))
    await play.close()
    return play


def cards_of(script: Script) -> dict[str, object]:
    """The feed's cards: each seat's five and the dealer's five, of which four stay hidden."""
    return {"seats": {str(seat): hand.split() for seat, hand in script.hands.items()}, "dealer": script.dealer.split()}


def player_on(play: Play, seat: int) -> str:
    """Who sits there."""
    return next(one.player for one in play.parts.values() if one.seat == seat)


def reckoned(meter_micro: int, hands: Sequence[str], plan: PoolPlan) -> tuple[list[Turn], int]:
    """What hands get that are paid in turn, and the meter after them, in micro-units."""
    turns: list[Turn] = []
    for hand in hands:
        is_royal = hand == ROYAL
        share = meter_micro // (MICRO if is_royal else 10 * MICRO)
        prize = max(plan.royal_floor if is_royal else plan.straight_flush_floor, share)
        turns.append(Turn(prize, prize - share))
        meter_micro += ((plan.reset if is_royal else 0) - share) * MICRO
    return turns, meter_micro


def _told(script: Script, plan: PoolPlan, before: int, turns: Sequence[Turn], after: int) -> Scene:
    lines = [f"meter {meter(before)} {plan.currency} when betting closed"]
    awards: list[dict[str, object]] = []
    for (seat, hand), turn in zip(script.winners, turns, strict=True):
        house = f" (house adds {money(turn.house)})" if turn.house else ""
        then = f"; reset to {money(plan.reset)}" if hand == ROYAL else ""
        lines.append(f"seat {seat}, {hand.lower().replace('_', ' ')}: {money(turn.prize)}{house}{then}")
        awards.append({"seat": seat, "hand": hand, "amount": turn.prize, "house_part": turn.house})
    lines.append(f"meter {meter(after)} {plan.currency} after both")
    lines.append(f"seat {script.absent} did not decide in time: {script.decided_for_him} by SYSTEM")
    facts: dict[str, object] = {
        "jackpot": plan.name,
        "meter_before_micro": before,
        "awards": awards,
        "reset": plan.reset,
        "meter_after_micro": after,
        "decided_by_system": script.decided_for_him,
    }
    return Scene(f"two winners of the {plan.name} pool in one round", lines, facts)
