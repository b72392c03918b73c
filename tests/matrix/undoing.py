"""What undoes what: each call that takes something back, after each thing that moved money. docs/lost-answers.md has
the table, written by `python -m tests.matrix.undoing`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from domain.errors import Refusal
from domain.jackpots.upkeep import PoolAccount
from domain.money import MICRO
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import EURO
from tests.house.tree import ROOT
from tests.matrix.pools import terms
from tests.matrix.subject import Scene
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, feed, hand
from tests.support.casino import Casino

PAGE: Final = ROOT / "docs" / "lost-answers.md"
HEAD: Final = "## What undoes what\n"
UNDONE, ELSE, NOTHING = "undone", "moves money", "nothing"


async def ground(at: Scene) -> None:
    """Ann with 100.00, two pools, a round that is open for bets."""
    await at.money("ann", 10_000)
    for name in ("j", "k"):
        await at.casino.submit(c.OpenJackpot(terms(at, jackpot=at[name]), True), status=201)
    await at.casino.table(at["t"], EURO, jackpot=at["j"])
    at.round = await at.casino.round(at["t"])


async def wager(at: Scene) -> None:
    placed = await at.casino.wager(at.round, at["ann"], seat=1, ante=1_000, progressive=50)
    at.wager = placed["wagers"][0]["wager"]


async def close(at: Scene) -> None:
    await wager(at)
    await at.casino.close(at.round)


async def settle(at: Scene) -> None:
    await close(at)
    await at.casino.deal(at.round, {1: hand(HIGH)})
    await at.casino.call(at.round, at["ann"])
    await at.casino.settle(at.round)


THINGS: Final[dict[str, Callable[[Scene], Awaitable[object]]]] = {
    "deposit": lambda at: at.casino.deposit(at["ann"], 500, "EUR", at["x"]),
    "withdrawal": lambda at: at.casino.withdraw(at["ann"], 500, "EUR", at["x"]),
    "wager, betting open": wager,
    "wager, betting closed": close,
    "round settled": settle,
    "adjustment": lambda at: at.casino.adjust(at["ann"], -100),
    "correction of a pool": lambda at: at.casino.correct(at["j"], 100 * MICRO),
    "transfer between pools": lambda at: at.casino.transfer(at["j"], at["k"], MICRO),
}


def _id_of(at: Scene) -> str:
    """The transaction's id; of a wager its own, as somebody may try."""
    return at["x"] if at.wager == "no-wager" else at.wager


def _resettle(at: Scene) -> c.Resettle:
    hands = tuple(feed({1: hand(PAIR)}))
    return c.Resettle(at.round, None, hands, cards(ACE_KING), VoidPolicy.CLAW_BACK, "misread", "boss")


def _correction(at: Scene) -> c.CorrectJackpot:
    return c.CorrectJackpot(at["j"], PoolAccount.METER, -100 * MICRO, "miscount", "boss")


CALLS: Final[dict[str, Callable[[Scene], c.Command]]] = {
    "`rollback`": lambda at: c.RollBackTransaction(_id_of(at)),
    "`undo`": lambda at: c.UndoWager(at.round, at["ann"]),
    "`void`": lambda at: c.Void(at.round, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, False),
    "`resettle`": _resettle,
    "opposite `adjustments`": lambda at: c.AdjustBalance(at["ann"], 100, "miscount", "boss"),
    "opposite `corrections`": _correction,
    "`transfers` back": lambda at: c.TransferJackpot(at["k"], at["j"], PoolAccount.METER, MICRO, "wrong", "boss"),
}


async def outcome(thing: str, call: str) -> str:
    """What the call does after the thing, in a casino of its own. A refusal has moved nothing."""
    async with Casino() as casino:
        at = Scene(casino)
        await ground(at)
        before = casino.books.standing()
        await THINGS[thing](at)
        happened = casino.books.standing()
        assert happened != before, "a thing that moves money"
        try:
            await casino.submit(CALLS[call](at))
        except Refusal as refusal:
            assert casino.books.standing() == happened
            return refusal.code
        now = casino.books.standing()
        return UNDONE if now == before else NOTHING if now == happened else ELSE


def documented() -> dict[tuple[str, str], str]:
    """The cells as they stand in the page, by thing and call."""
    _, _, rest = PAGE.read_text("utf-8").partition(HEAD)
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in rest.splitlines() if line[:1] == "|"]
    head, _, *rows = lines
    return {(row[0], call): cell for row in rows for call, cell in zip(head[1:], row[1:], strict=True)}


async def table() -> str:
    """The table as Markdown."""
    lines = ["| what happened | " + " | ".join(CALLS) + " |", "|---" * (len(CALLS) + 1) + "|"]
    for thing in THINGS:
        lines.append(f"| {thing} | " + " | ".join([await outcome(thing, call) for call in CALLS]) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table into its page."""
    text = PAGE.read_text("utf-8")
    first, last = text.index("| what happened |"), text.rindex(" |\n") + 3
    PAGE.write_text(text[:first] + asyncio.run(table()) + text[last:], encoding="utf-8")


if __name__ == "__main__":
    main()
