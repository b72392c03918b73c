"""A casino of a chosen number of events for the benchmark, played by commands through the house on the real store.

All of its ids end in a tag of twelve digits, so that `api.main.bench_copies` can put more of its like beside it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import orjson

from adapters.clock import SystemClock
from adapters.event_store import PostgresLog
from adapters.shoe import Shoe
from adapters.vault import Vault
from api.fields import EXPONENTS
from api.main.bootstrap import DEMO
from domain.jackpots.events import PoolTerms
from domain.money import POOL_MINOR_LIMIT
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.settlement import Decision
from services import commands as c
from services.batch import Order
from services.desk import Tools
from services.house import House
from services.ports import Clock, Meta

PLAYERS: Final = 1_000
AT_TABLE: Final = 50
"""Players of a round of a SHARED table."""

TABLES: Final = 5
"""Of each kind: SHARED, and PER_SEAT on the casino's pool."""

SEATS: Final = 7
MONEY_MINOR: Final = 1_000_000_000
_TAG_FIRST: Final = 500_000_000_000

Progress = Callable[[int], None]
"""Told how many events there are."""


def tag(number: int) -> str:
    """The last twelve digits of every id of one casino."""
    return f"{_TAG_FIRST + number:012d}"


class _Ids:
    """Ids in the form of UUIDs, of one casino."""

    def __init__(self) -> None:
        self._made = itertools.count(1)

    def new(self) -> str:
        number = next(self._made)
        return f"01900000-{number >> 12:04x}-7{number & 4095:03x}-8000-{tag(0)}"


class _Standing:
    """A clock that stands still, so that copies of what it dated may follow each other in the order of time."""

    def __init__(self) -> None:
        self._at = SystemClock().now()

    def now(self) -> datetime:
        """When it was made."""
        return self._at


@dataclass(slots=True)
class _Casino:
    """Plays in process; `rounds` are those that are over."""

    house: House
    clock: Clock
    ids: _Ids
    rounds: list[str]

    async def done(self, *commands: c.Command) -> list[bytes]:
        """Carry out commands that have nothing to do with each other, each under a key of its own."""
        return list(await asyncio.gather(*(self._done(one) for one in commands)))

    async def _done(self, command: c.Command) -> bytes:
        command_id = self.ids.new()
        meta = Meta(DEMO, f"{DEMO}-engineer", "", command_id, command_id, command_id, command_id, self.clock.now())
        return (await self.house.submit(Order(command, meta, 201, (((DEMO, "key", command_id), bytes(32)),)))).body

    async def open(self) -> None:
        """Pool, tables, players with money."""
        terms = PoolTerms(
            f"pool-{tag(0)}", "land-progressive-v1", "USD", 100_000, 100_000, 400_000, 0, POOL_MINOR_LIMIT,
            PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None,
        )  # fmt: skip
        await self.done(c.OpenJackpot(terms, handpay_stated=True))
        await self.done(*(self._table(kind, nth) for kind in ("live", "land") for nth in range(TABLES)))
        await self.done(*(c.RegisterPlayer(player(nth), "USD") for nth in range(PLAYERS)))
        await self.done(
            *(c.DepositFunds(player(nth), MONEY_MINOR, "USD", f"in-{nth}-{tag(0)}") for nth in range(PLAYERS))
        )

    def _table(self, kind: str, nth: int) -> c.OpenTable:
        ruleset, pool = ("live-5plus1-v1", None) if kind == "live" else ("land-progressive-v1", f"pool-{tag(0)}")
        return c.OpenTable(
            table(kind, nth), ruleset, "USD", 100, 10_000_000, None, None, None, pool, "SHOE", "MANUAL", "FULL",
            None, None, 15, 5, None, 5, 3600,
        )  # fmt: skip

    async def play(self, turn: int) -> None:
        """One round at every table: each seat bets twice, half of the seats call."""
        names = [(kind, nth) for kind in ("live", "land") for nth in range(TABLES)]
        opened = await self.done(*(c.OpenRound(table(*one)) for one in names))
        rounds = [str(orjson.loads(body)["round"]) for body in opened]
        seats: list[tuple[str, str, int | None]] = []
        for (kind, nth), round_id in zip(names, rounds, strict=True):
            count = AT_TABLE if kind == "live" else SEATS
            first = (turn * TABLES + nth) * count
            seats += [
                (round_id, player((first + one) % PLAYERS), None if kind == "live" else one + 1) for one in range(count)
            ]
        side = [(0, 100) if seat else (100, 0) for _, _, seat in seats]
        await self.done(*(c.PlaceWager(*seat, 500, *more) for seat, more in zip(seats, side, strict=True)))
        await self.done(*(c.PlaceWager(*seat, 100, 0, 0) for seat in seats))
        await self.done(*(c.CloseBetting(one) for one in rounds))
        await self.done(*(c.Deal(one, None, None, None) for one in rounds))
        calls = seats[turn % 2 :: 2]
        await self.done(*(c.Decide(round_id, who, Decision.CALL) for round_id, who, _ in calls))
        await self.done(*(c.Settle(one, None) for one in rounds))
        self.rounds += rounds


def player(nth: int) -> str:
    """A player's id in the first casino."""
    return f"p{nth:04d}-{tag(0)}"


def table(kind: str, nth: int) -> str:
    """A table's id in the first casino; `kind` is `live` (SHARED) or `land` (PER_SEAT)."""
    return f"{kind}-{nth}-{tag(0)}"


async def play_casino(writer: str, vault: Vault, events: int, progress: Progress) -> list[str]:
    """Play one casino on the empty store of this writer's login until it has so many events; its rounds."""
    store, clock, ids = PostgresLog(writer), _Standing(), _Ids()
    house = House(store, clock, ids, Tools(Shoe(), vault, EXPONENTS.__getitem__, "bench", "bench"), orjson.dumps)
    casino = _Casino(house, clock, ids, [])
    await house.start()
    try:
        await casino.open()
        for turn in itertools.count():
            if house.position >= events:
                return casino.rounds
            await casino.play(turn)
            progress(house.position)
    finally:
        await house.stop()
        await store.aclose()
    raise AssertionError("unreachable")
