"""A round: every command in every phase. One player has an ante on seat 1 of a table with cards from a studio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import EURO
from tests.matrix.subject import Row, Scene, State, Subject, Way
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, feed, hand

ROUND = "POST /v1/rounds/{round}/"
DEALT = tuple(feed({1: hand(HIGH)}))
PLACES = [
    (to, nth, one[nth - 1]) for nth in range(1, 6) for to, one in (("1", DEALT[0][1]), ("dealer", cards(ACE_KING)))
]
"""Every card of this deal in the order in which it is scanned."""


async def table(at: Scene, **terms: object) -> None:
    """A table, and ann with money."""
    await at.money("ann", 10_000)
    await at.casino.table(at["t"], EURO, **terms)


async def unheard(at: Scene) -> None:
    await table(at)
    at.round = at["no-round"]


async def empty(at: Scene) -> None:
    await table(at)
    at.round = await at.casino.round(at["t"])


async def betting(at: Scene, **terms: object) -> None:
    await table(at, **terms)
    at.round = await at.casino.round(at["t"])
    placed = await at.casino.wager(at.round, at["ann"], seat=1, ante=1_000)
    at.wager = placed["wagers"][0]["wager"]


async def closed(at: Scene, **terms: object) -> None:
    await betting(at, **terms)
    await at.casino.close(at.round)


async def scanning(at: Scene, count: int = 1) -> None:
    """Cards are scanned one by one; the last of all waits for the dealer's word."""
    await closed(at)
    for place in PLACES[:count]:
        await at.casino.submit(c.ScanCard(at.round, *place, place == PLACES[-1]))


async def scanned(at: Scene) -> None:
    await scanning(at, len(PLACES))


async def deciding(at: Scene) -> None:
    await closed(at)
    await at.casino.deal(at.round, {1: hand(HIGH)})


async def called(at: Scene) -> None:
    await deciding(at)
    await at.casino.call(at.round, at["ann"])


async def folded(at: Scene) -> None:
    await deciding(at)
    await at.casino.fold(at.round, at["ann"])


async def settled(at: Scene) -> None:
    await called(at)
    await at.casino.settle(at.round)


async def cancelled(at: Scene) -> None:
    await closed(at, abandon_seconds=1)
    await at.abandoned()


async def voided(at: Scene) -> None:
    await settled(at)
    await at.casino.void(at.round)


async def review(at: Scene) -> None:
    """The winnings are gone when the round is voided, and what is missing is held for review."""
    await closed(at)
    await at.casino.deal(at.round, {1: hand(PAIR)})
    await at.casino.call(at.round, at["ann"])
    await at.casino.settle(at.round)
    await at.casino.withdraw(at["ann"], 12_000, "EUR", at["w"])
    await at.casino.void(at.round, VoidPolicy.HOLD_FOR_REVIEW)


def then(before: Callable[[Scene], Awaitable[object]], more: Callable[[Scene], c.Command]) -> State:
    async def reach(at: Scene) -> None:
        await before(at)
        await at.casino.submit(more(at))

    return State("", reach)


def _paused(before: Callable[[Scene], Awaitable[object]], text: str) -> State:
    return State(text, then(before, lambda at: c.Pause(at.round, "look")).reach)


STATES = {
    "unheard of": State("no round of this id", unheard),
    "empty": State("betting open, nobody has bet", empty),
    "open": State("betting open, an ante placed", betting),
    "closed": State("betting closed", closed),
    "scanning": State("the first card is scanned", scanning),
    "scanned": State("all cards are scanned, the deal waits for the dealer's word", scanned),
    "deciding": State("dealt, nobody has decided", deciding),
    "called": State("all have called", called),
    "paused": _paused(betting, "paused while betting was open"),
    "paused late": _paused(called, "paused after all had called"),
    "settled": State("paid", settled),
    "cancelled": State("given up because nobody touched it", cancelled),
    "voided": State("voided after it was paid", voided),
    "in review": State("voided, and what a player owes is held for review", review),
}


def _void(at: Scene, *, dry_run: bool = False, wagers: tuple[str, ...] = ()) -> c.Void:
    return c.Void(at.round, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, dry_run, wagers)


BETTING = (
    Row("wager", ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 1, 500, 0, 0), 201),
    Row("undo", ROUND + "undo", lambda at: c.UndoWager(at.round, at["ann"])),
    Row("double", ROUND + "double", lambda at: c.DoubleWagers(at.round, at["ann"])),
    Row("repeat", ROUND + "repeat", lambda at: c.RepeatWagers(at.round, at["ann"])),
    Row("pass", ROUND + "pass", lambda at: c.PassRound(at.round, at["ann"])),
    Row("leave", ROUND + "leave", lambda at: c.LeaveRound(at.round, at["ann"])),
)
DECISIONS = (
    Row("call", ROUND + "decisions", lambda at: c.Decide(at.round, at["ann"], Decision.CALL)),
    Row("fold", ROUND + "decisions", lambda at: c.Decide(at.round, at["ann"], Decision.FOLD)),
)
IN_BULK = (
    Row("wager, in bulk", ROUND + "wagers/bulk", BETTING[0].make, 201, Way.IN_BULK),
    Row("wager, atomic", ROUND + "wagers/bulk", BETTING[0].make, 201, Way.ATOMIC),
    Row("call, in bulk", ROUND + "decisions/bulk", DECISIONS[0].make, 200, Way.IN_BULK),
    Row("call, atomic", ROUND + "decisions/bulk", DECISIONS[0].make, 200, Way.ATOMIC),
)
VOIDS = (
    Row("void", ROUND + "void", _void),
    Row("void, dry run", ROUND + "void", lambda at: _void(at, dry_run=True)),
    Row("void the ante", ROUND + "void", lambda at: _void(at, wagers=(at.wager,))),
    Row("resolve", ROUND + "void/resolve", lambda at: c.Resolve(at.round, VoidPolicy.CLAW_BACK)),
)


def resettle(hands: Mapping[int, str]) -> Row:
    """The round on these hands."""
    dealt, policy = tuple(feed(hands)), VoidPolicy.CLAW_BACK
    return Row(
        "resettle",
        ROUND + "resettle",
        lambda at: c.Resettle(at.round, None, dealt, cards(ACE_KING), policy, "misread", "boss"),
    )


ENDINGS = (*VOIDS, resettle({1: hand(PAIR)}))
SUBJECT = Subject(
    "A round",
    "One player has an ante on seat 1; cards come from a studio. `-` for `leave`: presence is lost, bets stand.",
    STATES,
    (
        *BETTING,
        Row("close", ROUND + "close", lambda at: c.CloseBetting(at.round)),
        Row("deal", ROUND + "deal", lambda at: c.Deal(at.round, None, DEALT, cards(ACE_KING))),
        Row("deal as scanned", ROUND + "deal", lambda at: c.Deal(at.round, None, None, None)),
        Row("scan the first card", ROUND + "cards", lambda at: c.ScanCard(at.round, *PLACES[0], False)),
        Row("scan the second card", ROUND + "cards", lambda at: c.ScanCard(at.round, *PLACES[1], False)),
        Row("scan a card twice", ROUND + "cards", lambda at: c.ScanCard(at.round, *PLACES[1][:2], PLACES[0][2], False)),
        Row("put the first card right", ROUND + "cards/corrections",
            lambda at: c.CorrectScan(at.round, *PLACES[0][:2], "2c", "misread")),
        *DECISIONS,
        *IN_BULK,
        Row("settle", ROUND + "settle", lambda at: c.Settle(at.round, None)),
        Row("pause", ROUND + "pause", lambda at: c.Pause(at.round, "look")),
        Row("resume", ROUND + "resume", lambda at: c.Resume(at.round, "seen")),
        *ENDINGS,
        Row("next round", "POST /v1/tables/{table}/rounds", lambda at: c.OpenRound(at["t"]), 201),
        Row("(pay on)", "", lambda at: c.PayOn(at.round)),
        Row("(time out)", "", lambda at: c.TimeOut(at.round)),
        Row("(give up)", "", lambda at: c.CancelAbandoned(at.round)),
    ),
)  # fmt: skip
