"""A season of a casino straight at the house, without HTTP: as many rounds as are asked for, at many tables at once.

Tables of all four games, a pool for each progressive one, cards from the shoe. What all tables ask in one moment shares
a turn, so that a round costs far less than two appends. One command in some hundred is sent a second time, some rounds
are voided, money comes and goes at the cashier. Memory is bounded: nothing is kept of a round that has ended.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

import orjson

from adapters.clock import SystemClock, SystemIds
from adapters.event_store import PostgresLog
from adapters.shoe import Shoe
from adapters.vault import Vault, key_id
from api.fields import EXPONENTS
from domain.errors import Refusal
from domain.jackpots.events import PoolTerms
from domain.money import POOL_MINOR_LIMIT
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.settlement import Decision
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.batch import TRANSACTION, Order, Result
from services.desk import Tools
from services.house import House
from services.ports import Ids, Key, Meta
from tests.faults.floor import GAMES, Game
from tests.faults.stage import OPERATOR
from tests.postgres import Database
from tests.store.support import CARD_KEY

TABLES: Final = 200
TRIES: Final = 100
AGAIN_SECONDS: Final = 0.2
DEPOSIT_MINOR: Final = 1_000_000_000
PPM: Final = {"increment_ppm": 400_000, "reserve_ppm": 50_000}


class Told(NamedTuple):
    """What a caller was told: its key, where its command stands in the log, and the answer's bytes."""

    key: str
    position: int
    body: bytes


@dataclass(slots=True)
class Place:
    """A table with the players who sit there."""

    table: str
    game: Game
    players: tuple[str, ...]
    chance: random.Random

    def choose(self) -> Sequence[str]:
        """Who plays the next round: mostly one, sometimes some, now and then the whole table."""
        dice = self.chance.random()
        if dice < 0.93:
            return (self.chance.choice(self.players),)
        return self.players if dice > 0.99 else self.players[: self.chance.randrange(2, len(self.players) + 1)]


class Season:
    """`told` hears of every success, `timed` the seconds of every command of a round."""

    def __init__(self, house: House, ids: Ids, seed: int, told: Callable[[Told], None], tables: int = TABLES) -> None:
        self.house, self.ids, self.clock = house, ids, SystemClock()
        self.chance = random.Random(seed)
        self.told = told
        self.timed: Callable[[float], None] = lambda _: None
        self.played = self.voided = self.voided_before_the_deal = self.repeated = self.asked_again = 0
        self.faults: list[str] = []
        self._left = 0
        self._may_begin = asyncio.Event()
        self._may_begin.set()
        self.places = [_place(nth, GAMES[nth % len(GAMES)], seed) for nth in range(tables)]

    async def furnish(self) -> None:
        """Pools, tables, players with money."""
        await self._all(_pool(game) for game in GAMES if game.seats is not None)
        await self._all(_table(one) for one in self.places)
        people = [(player, one.game.currency) for one in self.places for player in one.players]
        await self._all(c.RegisterPlayer(player, currency) for player, currency in people)
        await self._all(c.DepositFunds(player, DEPOSIT_MINOR, currency, f"d-{player}") for player, currency in people)

    async def rounds(self, count: int) -> None:
        """So many more rounds, each played to its end."""
        self._left = count
        await asyncio.gather(*(self._live(one) for one in self.places))

    def hold(self, is_held: bool) -> None:
        """While it is held no round begins."""
        if is_held:
            self._may_begin.clear()
        else:
            self._may_begin.set()

    async def _live(self, place: Place) -> None:
        while self._left > 0:
            self._left -= 1
            await self._may_begin.wait()
            await self.play_round(place)
            self.played += 1
            if place.chance.random() < 0.01:
                await self._cashier(place)

    async def _all(self, commands: Iterable[c.Command]) -> None:
        await asyncio.gather(*(self._ask(one, 201) for one in commands))

    async def play_round(self, place: Place) -> None:
        """A round from its opening to its end."""
        chance = place.chance
        opened = await self._ask(c.OpenRound(place.table), 201)
        who = place.choose()
        await asyncio.gather(*(self._bet(place, opened, player, nth) for nth, player in enumerate(who, 1)))
        await self._ask(c.CloseBetting(opened))
        dice = chance.random()
        if dice < 0.005:
            await self.void(opened, None)
            self.voided_before_the_deal += 1
            return
        await self._ask(c.Deal(opened, None, None, None))
        decided = (one for one in who if chance.random() < 0.9)
        await asyncio.gather(*(self._ask(c.Decide(opened, one, _decision(chance))) for one in decided))
        await self._ask(c.Settle(opened, None))
        if dice > 0.99:
            await self.void(opened, chance.choice((VoidPolicy.CLAW_BACK, VoidPolicy.HOUSE_ABSORBS)))

    async def _bet(self, place: Place, round_: str, player: str, seat: int) -> str:
        game, chance = place.game, place.chance
        side = game.side_price if chance.random() < 0.6 else 0
        ante, five = chance.randrange(1, 20) * 100, side if game.seats is None else 0
        progressive = 0 if game.seats is None else side
        number = None if game.seats is None else seat
        return await self._ask(c.PlaceWager(round_, player, number, ante, five, progressive), 201)

    async def void(self, round_: str, policy: VoidPolicy | None) -> None:
        """Undo a round."""
        await self._ask(c.Void(round_, "a wrong card", policy, "second", None, False))
        self.voided += 1

    async def _cashier(self, place: Place) -> None:
        player, currency = place.chance.choice(place.players), place.game.currency
        name = f"{place.table}-{self.played}"
        kind = c.DepositFunds if place.chance.random() < 0.6 else c.WithdrawFunds
        await self._ask(kind(player, place.chance.randrange(1, 5_000), currency, name), 201)

    async def _ask(self, command: c.Command, status: int = 200) -> str:
        """Its id. One in some hundred is asked again, and must answer the same."""
        order = self._order(command, status)
        key = order.meta.causation
        began = time.perf_counter()
        first = await self._submit(order)
        self.timed(time.perf_counter() - began)
        self.told(Told(key, first.position, first.body))
        if self.chance.random() < 0.004:
            await self._repeat(order, first)
        return key

    async def _submit(self, order: Order) -> Result:
        """Its result; what a caller is told to send again is sent again, under the same key."""
        for _ in range(TRIES):
            try:
                return await self.house.submit(order)
            except Refusal as refusal:
                if not refusal.retryable:
                    raise
                self.asked_again += 1
                await asyncio.sleep(AGAIN_SECONDS)
        return await self.house.submit(order)

    async def _repeat(self, order: Order, first: Result) -> None:
        again = await self.house.submit(order)
        self.repeated += 1
        if not again.replayed or (again.status, again.body) != (first.status, first.body):
            self.faults.append(f"key {order.meta.causation} was answered {first.body[:80]!r}, then {again.body[:80]!r}")

    def _order(self, command: c.Command, status: int) -> Order:
        name = self.ids.new()
        print_ = sha256(repr(command).encode()).digest()
        keys: tuple[tuple[Key, bytes], ...] = (((OPERATOR, "key", name), print_),)
        if isinstance(command, c.DepositFunds | c.WithdrawFunds):
            keys = (*keys, ((OPERATOR, TRANSACTION, command.transaction_id), print_))
        meta = Meta(OPERATOR, "engineer", "k", name, name, getattr(command, "round", name), name, self.clock.now())
        return Order(command, meta, status, keys)


@asynccontextmanager
async def season_at(
    database: Database, seed: int, told: Callable[[Told], None], tables: int = TABLES, *, furnished: bool = False
) -> AsyncIterator[Season]:
    """A casino with the parts of the real service, in this process; what is there already is not made again."""
    log, ids = PostgresLog(database.conninfo("writer")), SystemIds()
    vault = Vault({key_id(CARD_KEY): CARD_KEY}, key_id(CARD_KEY))
    tools = Tools(Shoe(), vault, EXPONENTS.__getitem__, "0", "test")
    house = House(log, SystemClock(), ids, tools, orjson.dumps)
    await log.aopen()
    await house.start()
    try:
        season = Season(house, ids, seed, told, tables)
        if not furnished:
            await season.furnish()
        yield season
    finally:
        await house.stop()
        await log.aclose()


def _decision(chance: random.Random) -> Decision:
    return Decision.CALL if chance.random() < 0.6 else Decision.FOLD


def _place(nth: int, game: Game, seed: int) -> Place:
    players = tuple(f"p{nth}-{one}" for one in range(game.seats or 8))
    return Place(f"t{nth}", game, players, random.Random(f"{seed}/{nth}"))


def _pool(game: Game) -> c.OpenJackpot:
    terms = PoolTerms(
        f"pool-{game.ruleset}", game.ruleset, game.currency, 2_500_000, 2_500_000, PPM["increment_ppm"],
        PPM["reserve_ppm"], POOL_MINOR_LIMIT, PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None,
    )  # fmt: skip
    return c.OpenJackpot(terms, handpay_stated=True)


def _table(place: Place) -> c.OpenTable:
    game = place.game
    pool = None if game.seats is None else f"pool-{game.ruleset}"
    return c.OpenTable(
        place.table, game.ruleset, game.currency, 100, 10_000, None, None, None, pool, "SHOE", "MANUAL", "FULL",
        None, None, 15, 5, None, 5, 3600,
    )  # fmt: skip
