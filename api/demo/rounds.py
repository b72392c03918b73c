"""Ordinary rounds with cards from the shoe: who joins, what they put down, and how the round is led through."""

from __future__ import annotations

from typing import Final

from api.demo.choices import Choices
from api.demo.faults import together
from api.demo.floor import Floor, Table, deposit
from api.demo.play import Bet, Play

SIDE_PERCENT: Final = 60
BELOW_MINIMUM_PERCENT: Final = 6
MORE_CHIPS_PERCENT: Final = 15
ABSENT_PERCENT: Final = 8
CHIPS_MOST: Final = 24
CAUTION: Final = 6
"""A player puts down a sixth of his money at most: an ante may take three times itself."""


async def shoe_round(floor: Floor, table: Table, choices: Choices) -> Play:
    """Play one round to its end."""
    play = Play(floor, table)
    bets = await wishes(floor, table, choices)
    absent = choices.one_of(bets)[0].player if choices.chance(ABSENT_PERCENT) else None
    await play.open()
    await place(play, bets)
    await play.close()
    dealt = await play.deal()
    await play.decide([one for one in play.standing if one.player != absent], dealt["position"])
    await play.settle()
    return play


async def place(play: Play, bets: list[list[Bet]]) -> None:
    """All players at once; what one player puts down comes in its order."""

    async def in_order(own: list[Bet]) -> None:
        for bet in own:
            await play.bet(bet)

    await together(in_order(own) for own in bets)


async def wishes(floor: Floor, table: Table, choices: Choices) -> list[list[Bet]]:
    """What each player who joins will put down, call by call. Who is short of money brings some first."""
    players = choices.some_of(table.regulars, choices.between(*table.plan.joining))
    await together(_top_up(floor, table, player) for player in players)
    seats: list[int | None] = [None] * len(players)
    if table.game.seats is not None:
        seats = list(choices.some_of(range(1, table.game.seats + 1), len(players)))
    return [
        _wish(floor, table, choices, player, seat, may_be_low=nth > 0)
        for nth, (player, seat) in enumerate(zip(players, seats, strict=True))
    ]


def side_stake(table: Table, choices: Choices) -> int:
    """A side wager: at its price, or some chips."""
    return table.game.side_price or table.plan.chip * choices.between(1, 5)


def _wish(
    floor: Floor, table: Table, choices: Choices, player: str, seat: int | None, *, may_be_low: bool
) -> list[Bet]:
    plan, money = table.plan, floor.books.accounts[player].available
    has_side = choices.chance(SIDE_PERCENT)
    if may_be_low and choices.chance(BELOW_MINIMUM_PERCENT):
        # the live table takes a side wager only on top of a good ante
        side = side_stake(table, choices) if has_side and not table.game.is_shared else 0
        return [Bet(player, seat, max(plan.ante_min // 2, 1), side)]
    most = max(plan.ante_min, min(plan.ante_max, money // CAUTION))
    chips = min((most - plan.ante_min) // plan.chip, CHIPS_MOST)
    ante = plan.ante_min + plan.chip * choices.below(chips + 1)
    bets = [Bet(player, seat, ante, side_stake(table, choices) if has_side else 0)]
    if choices.chance(MORE_CHIPS_PERCENT) and ante + plan.chip <= most:
        bets.append(Bet(player, seat, plan.chip))
    return bets


async def _top_up(floor: Floor, table: Table, player: str) -> None:
    if floor.books.accounts[player].available < 2 * CAUTION * table.plan.ante_min:
        await deposit(floor.service, floor.books, player, 100 * table.plan.ante_min)
        floor.books.seen["top-ups"] += 1
