"""Rounds that are played for the prizes alone."""

from __future__ import annotations

from typing import Any

from tests.support.cards import hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.entries import posted


async def opened(casino: Casino, ruleset: str, **terms: Any) -> None:
    """A table of the rule set with its pool, and three players in its currency."""
    await casino.jackpot("gold", ruleset, **terms)
    await casino.table("t", ruleset, jackpot="gold")
    for player in ("ann", "bob", "cas"):
        await casino.player(player, CURRENCY[ruleset], deposit=10_000)


def folding(**kinds: str) -> dict[str, Play]:
    """Who holds which hand, on seats 1, 2 and 3; all fold, so that prizes alone are paid."""
    return {player: Play(nth, hand(kind, nth), call=False) for nth, (player, kind) in enumerate(kinds.items(), 1)}


async def awards(casino: Casino, plays: dict[str, Play]) -> list[list[str]]:
    """What the settlement posted at the pool: the entries before those of the seats."""
    await casino.played("t", plays)
    return posted(casino)[: -len(plays)]
