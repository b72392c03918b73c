"""A player's seat and the wagers on it; bob has an ante on seat 2 of the same round."""

from __future__ import annotations

from services import commands as c
from tests.matrix.rounds import BETTING, DECISIONS, ROUND, VOIDS, resettle, table
from tests.matrix.subject import Row, Scene, State, Subject
from tests.support.cards import HIGH, PAIR, hand


async def none(at: Scene) -> None:
    """Only bob has bet."""
    await table(at)
    await at.money("bob", 10_000)
    at.round = await at.casino.round(at["t"])
    await at.casino.wager(at.round, at["bob"], seat=2, ante=1_000)


async def placed(at: Scene) -> None:
    await none(at)
    wagers = await at.casino.wager(at.round, at["ann"], seat=1, ante=1_000)
    at.wager = wagers["wagers"][0]["wager"]


async def undone(at: Scene) -> None:
    await placed(at)
    await at.casino.undo(at.round, at["ann"])


async def doubled(at: Scene) -> None:
    await placed(at)
    await at.casino.submit(c.DoubleWagers(at.round, at["ann"]))


async def passed(at: Scene) -> None:
    await none(at)
    await at.casino.submit(c.PassRound(at.round, at["ann"]))


async def left(at: Scene) -> None:
    await placed(at)
    await at.casino.leave(at.round, at["ann"])


async def undecided(at: Scene) -> None:
    await placed(at)
    await at.casino.close(at.round)
    await at.casino.deal(at.round, {1: hand(PAIR, 1), 2: hand(HIGH, 2)})


async def called(at: Scene) -> None:
    await undecided(at)
    await at.casino.call(at.round, at["ann"])


async def folded(at: Scene) -> None:
    await undecided(at)
    await at.casino.fold(at.round, at["ann"])


async def won(at: Scene) -> None:
    await called(at)
    await at.casino.settle(at.round)


async def spot_voided(at: Scene) -> None:
    await won(at)
    await at.casino.void(at.round, wagers=(at.wager,))


STATES = {
    "none": State("no bet of the player", none),
    "placed": State("an ante placed", placed),
    "doubled": State("an ante doubled", doubled),
    "undone": State("an ante placed and undone", undone),
    "passed": State("this deal skipped", passed),
    "left": State("bets declined because the player left", left),
    "undecided": State("dealt", undecided),
    "called": State("called", called),
    "folded": State("folded", folded),
    "paid": State("the round is paid", won),
    "ante void": State("the ante was voided after it was paid", spot_voided),
}
SUBJECT = Subject(
    "A seat and its wagers",
    "Another player has an ante on seat 2 all the time.",
    STATES,
    (
        *BETTING,
        Row("the other's seat", ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 2, 500, 0, 0), 201),
        Row("a second seat", ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 3, 500, 0, 0), 201),
        Row("too much", ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 1, 100_001, 0, 0), 201),
        Row("more than there is", ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 1, 9_000, 0, 0), 201),
        *DECISIONS,
        *VOIDS,
        resettle({1: hand(HIGH, 1), 2: hand(PAIR, 2)}),
    ),
)
