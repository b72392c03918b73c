"""Voids: one before settlement, where every stake comes back, and one after it, where winners give back."""

from __future__ import annotations

from typing import Final

from api.demo.client import Answer
from api.demo.floor import Floor
from api.demo.money import meter, money
from api.demo.play import Play
from api.demo.rounds import place, wishes
from api.demo.scene import Scene, should_be
from api.demo.scenes_awards import STRAIGHT_FLUSH, Script, cards_of, led_to_the_deal

APPROVER: Final = "shift-manager"

VOID_SCRIPT: Final = Script(
    "land-feed",
    {2: "5h 6h 7h 8h 9h", 3: "Kd Kh 8s 4d 3c", 5: "9c 7d 5c 3d 2c"},
    "Ad Kc 9d 6c 3s",
    ((2, STRAIGHT_FLUSH),),
    0,
    "",
)


async def void_before_settlement(floor: Floor) -> Scene:
    """A live round with its many players falls while half of them have decided: every stake is back at once."""
    table = floor.table("live-1")
    play = Play(floor, table)
    bets = await wishes(floor, table, floor.choices("void before"))
    await play.open()
    await place(play, bets)
    await play.close()
    dealt = await play.deal()
    await play.decide(play.standing[::2], dealt["position"])
    body: dict[str, object] = {"reason": "a card fell from the table"}
    answer = await floor.service.post(play.path("void"), body)
    should_be(
        "void before settlement: phase and stage", [answer["phase"], answer["stage"]], ["VOIDED", "BEFORE_SETTLEMENT"]
    )
    refunds = {one["player"]: one["refund"] for one in answer["players"]}
    should_be("void before settlement: refunds", refunds, {one.player: one.on_game for one in play.standing})
    _compare_all(floor, answer)
    _count(floor, play, "voids before settlement")
    floor.progress.round_done()
    total = sum(refunds.values())
    lines = [f"{len(refunds)} players had {money(total, 'EUR')} on game, some had called: all of it is back"]
    facts: dict[str, object] = {"players": len(refunds), "refunded": total, "currency": "EUR"}
    return Scene("void before settlement (live)", lines, facts)


async def void_after_settlement(floor: Floor) -> Scene:
    """A settled round with a prize out of the pool falls: shown as a dry run, then done, once."""
    play = await led_to_the_deal(floor, VOID_SCRIPT)
    opened = floor.pool(play.table).course
    dealt = await play.deal(cards_of(VOID_SCRIPT))
    await play.decide(play.standing, dealt["position"])
    settled = await play.settle()
    path, service = play.path("void"), floor.service
    body: dict[str, object] = {"reason": "the camera shows another card", "policy": "CLAW_BACK", "approver": APPROVER}
    shown = await service.post(path, {**body, "dry_run": True})
    seats = {row["player"]: row for row in await play.seats(settled["position"])}
    should_be("dry run of a void: seats that it has touched", [one for one, row in seats.items() if row["voided"]], [])
    done = await service.post(path, {**body, "evidence": "camera 4"})
    for part in ("stage", "policy", "players", "jackpots"):
        should_be(f"void after settlement: {part} as the dry run showed", done[part], shown[part])
    again = await service.try_post(path, body, service.new_key())
    should_be("a second void: code", again.body["code"], "ALREADY_VOIDED")
    floor.books.refusals[again.body["code"]] += 1
    _take_back(floor, play)
    _compare_all(floor, done)
    _count(floor, play, "voids after settlement")
    pool = await play.look_at_meter(done["position"])
    should_be("void after settlement: meter as before the round", pool["meter_micro"], opened[-1][1])
    return _told(play, done, pool["meter_micro"])


def _take_back(floor: Floor, play: Play) -> None:
    """The round is of no effect: take it out of the books."""
    for part in play.standing:
        floor.books.move(part.player, -part.net)
    floor.books.tally(play.table.game.ruleset, play.table.plan.currency).add(play.result, -1)
    pool = floor.pool(play.table)
    pool.prizes = [one for one in pool.prizes if one.round != play.round]
    pool.voided_prizes += play.prizes
    pool.contributed_micro -= play.contribution_micro
    pool.voided_contributions_micro += play.contribution_micro


def _compare_all(floor: Floor, answer: Answer) -> None:
    """Each balance that the void reports is that of our books."""
    for one in answer["players"]:
        floor.books.compare(one["player"], one["balance"]["available"], one["balance"]["held"])


def _count(floor: Floor, play: Play, what: str) -> None:
    floor.books.seen[what] += 1
    if what == "voids before settlement":
        floor.books.tally(play.table.game.ruleset, play.table.plan.currency).rounds += 1


def _told(play: Play, done: Answer, meter_micro: int) -> Scene:
    currency = play.table.plan.currency
    taken = sum(one["taken"] for one in done["players"])
    returned = sum(max(-part.net, 0) for part in play.standing)
    prize = sum(one.amount for one in play.prizes)
    lines = [
        f"CLAW_BACK, approved by {APPROVER}; the dry run showed each cent of it first",
        f"winners gave back {money(taken, currency)}, of it a prize of {money(prize)}; losers got {money(returned)}",
        f"meter {meter(meter_micro)} {currency}, as before the round; a second void is refused",
    ]
    facts: dict[str, object] = {
        "policy": "CLAW_BACK",
        "approver": APPROVER,
        "dry_run_equal": True,
        "taken": taken,
        "refunded": returned,
        "currency": currency,
        "voided_prizes": prize,
        "meter_after_micro": meter_micro,
    }
    return Scene("void after settlement (land)", lines, facts)
