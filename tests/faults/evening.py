"""A casino's evening straight at the house, without HTTP: many events in little time, all of them true."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Final

from domain.settlement import Decision
from services import commands as c
from tests.domain.showdowns import EURO, LIVE
from tests.store.support import TABLE, Ask, Shop

PLAYERS: Final = 40
TABLES: Final = 4
DEPOSIT_MINOR: Final = 10_000_000


class Evening:
    """Two tables with one hand for all and two with a pool; every choice comes from `chance`."""

    def __init__(self, shop: Shop, chance: random.Random, name: str = "") -> None:
        self.shop, self.chance, self.name = shop, chance, name
        self.players = [f"{name}p{nth}" for nth in range(PLAYERS)]

    async def furnish(self) -> None:
        """Players with money, a pool, tables."""
        await self.shop.furnish(self.players, DEPOSIT_MINOR)
        await self.shop.jackpot(f"{self.name}j", EURO)
        tables = [
            replace(TABLE, table=self._table(nth), ruleset=game, jackpot=pool, card_source="SHOE")
            for nth, (game, pool) in enumerate([(LIVE, None), (EURO, f"{self.name}j")] * (TABLES // 2))
        ]
        await self.shop.all_done(*(Ask(one) for one in tables))

    async def rounds(self) -> None:
        """A round at each table, all at once."""
        await asyncio.gather(*(self._round(nth) for nth in range(TABLES)))

    async def _round(self, nth: int) -> None:
        shop, shared = self.shop, nth % 2 == 0
        name = (await shop.submit(c.OpenRound(self._table(nth)), status=201))["round"]
        mine = self.players[nth::TABLES]
        who = self.chance.sample(mine, 8 if shared else 4)
        seats = [(None if shared else seat, player) for seat, player in enumerate(who, 1)]
        bets = (c.PlaceWager(name, player, seat, 1_000, 0, 0 if shared else 50) for seat, player in seats)
        await shop.all_done(*(Ask(one) for one in bets))
        await shop.close(name)
        await shop.submit(c.Deal(name, None, None, None))
        choices = (self.chance.choice((Decision.CALL, Decision.CALL, Decision.FOLD)) for _ in who)
        decided = (c.Decide(name, player, choice) for player, choice in zip(who, choices, strict=True))
        await shop.all_done(*(Ask(one) for one in decided))
        await shop.settle(name)
        if self.chance.random() < 0.1:
            await shop.void(name)

    def _table(self, nth: int) -> str:
        return f"{self.name}t{nth}"
