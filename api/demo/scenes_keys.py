"""Keys and refusals: a wager that is not covered leaves nothing, a repeated call has one effect and one answer."""

from __future__ import annotations

from api.demo.client import expect
from api.demo.faults import DemoFailed
from api.demo.floor import Floor, deposit, open_wallet
from api.demo.money import money
from api.demo.play import Bet, Play
from api.demo.rounds import place, wishes
from api.demo.scene import Scene, should_be

FIRST_MONEY = 250
"""Minor units of a player who comes with too little: an ante of 100 holds 300."""


async def refused_and_replayed(floor: Floor) -> Scene:
    """A live round with one more player, who has too little at first and whose network loses an answer."""
    table = floor.table("live-1")
    service, books = floor.service, floor.books
    newcomer = f"newcomer.{service.run}"
    await open_wallet(service, books, newcomer, table.plan.currency)
    await deposit(service, books, newcomer, FIRST_MONEY)
    play = Play(floor, table)
    bets = await wishes(floor, table, floor.choices("keys"))
    await play.open()
    await place(play, bets)
    bet, key = Bet(newcomer, None, table.plan.ante_min), service.new_key()
    code = await _refused(floor, play, bet, key)
    await deposit(service, books, newcomer, 100 * table.plan.ante_min)
    await _twice(floor, play, bet, key)
    await play.close()
    dealt = await play.deal()
    await play.decide(play.standing, dealt["position"])
    await play.settle()
    lines = [
        f"an ante of {money(bet.ante)} with {money(FIRST_MONEY)} at hand: {code}, nothing of it is left",
        "after a deposit the same call and key are accepted: a refusal burns no key",
        "sent once more, it answers byte for byte the same and moves nothing",
    ]
    return Scene("a refusal, and a call that is sent twice (live)", lines, {"refused": code, "replayed_equal": True})


async def _refused(floor: Floor, play: Play, bet: Bet, key: str) -> str:
    """The wager is refused; neither the wallet nor the round shows a trace of it."""
    service = floor.service
    reply = await service.try_post(play.path("wagers"), play.wager(bet), key)
    should_be("a wager that is not covered", [reply.status, reply.body.get("code")], [409, "INSUFFICIENT_FUNDS"])
    balance = await service.get(f"/v1/players/{bet.player}/balance", min_position=service.position)
    floor.books.compare(bet.player, balance["available"], balance["held"])
    seats = await play.seats(service.position)
    if any(row["player"] == bet.player for row in seats):
        raise DemoFailed(f"GET {play.path()}: a refused wager has left a seat")
    code = str(reply.body["code"])
    floor.books.refusals[code] += 1
    return code


async def _twice(floor: Floor, play: Play, bet: Bet, key: str) -> None:
    """The same call under the same key, as after a lost answer."""
    service, path, body = floor.service, play.path("wagers"), play.wager(bet)
    first = await service.try_post(path, body, key)
    answer = expect(first, 201)
    second = await service.try_post(path, body, key)
    should_be("a repeated call: bytes of its answer", second.content, first.content)
    should_be("a repeated call: Idempotency-Replayed", [first.replayed, second.replayed], [False, True])
    floor.books.seen["replays"] += 1
    play.take(bet, answer)
