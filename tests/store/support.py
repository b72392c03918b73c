"""A casino on the real store, and several operating system processes that all take orders on one database."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import psycopg

from adapters.clock import SystemClock, SystemIds
from adapters.event_store import LogReader, PostgresLog
from adapters.event_store.rows import recorded
from adapters.shoe import Shoe
from adapters.vault import Vault, key_id
from domain.chain import RawEvent
from domain.errors import Refusal
from services import commands as c
from services.audit import Audit, audit
from services.batch import Order, Result
from services.commands import Command
from services.desk import Tools
from services.house import House
from services.ports import Recorded
from tests.postgres import Database
from tests.support.casino import Casino
from tests.support.fixtures import EXPONENTS, encode

CARD_KEY = bytes(range(32))
"""Known to every process of a test."""

TABLE = c.OpenTable(
    "t", "", "EUR", 100, 100_000, None, None, None, None, "FEED", "MANUAL", "FULL", None, None, 15, 5, None, 5, 3600
)
"""Antes from 1.00 to 1,000.00, cards from a studio."""

_SECONDS = 90.0


class Shop(Casino):
    """A casino with the time, ids, shuffles and seals of the real service; it keeps no books of its own."""

    def __init__(self, log: PostgresLog) -> None:
        super().__init__(log, is_checked=False)

    def _house(self) -> House:
        self.clock, self.ids = SystemClock(), SystemIds()  # type: ignore[assignment]  # in place of those for tests
        made = Tools(Shoe(), Vault({key_id(CARD_KEY): CARD_KEY}, key_id(CARD_KEY)), EXPONENTS.__getitem__, "0", "test")
        return House(self.log, self.clock, self.ids, made, encode)

    async def ask_all(self, asks: Sequence[Ask]) -> list[Outcome]:
        """All at once, in this order, as the caller of each would see it."""
        orders = [self.order(one.command, key=one.key, status=one.status) for one in asks]
        found = await asyncio.gather(*(self.house.submit(order) for order in orders), return_exceptions=True)
        return [_outcome(one) for one in found]

    async def all_done(self, *asks: Ask) -> list[Outcome]:
        """The same, none of them refused."""
        found = await self.ask_all(asks)
        assert {one.code for one in found} <= {"OK"}
        return found

    async def furnish(self, players: Sequence[str], deposit_minor: int) -> None:
        """Players with money, many at once."""
        await self.all_done(*(Ask(c.RegisterPlayer(player, "EUR")) for player in players))
        deposits = (c.DepositFunds(player, deposit_minor, "EUR", f"d-{player}") for player in players)
        await self.all_done(*(Ask(one) for one in deposits))

    async def rounds_at(self, ruleset: str, count: int, **terms: Any) -> list[str]:
        """So many tables with an open round each."""
        usual = replace(TABLE, ruleset=ruleset, **terms)
        await self.all_done(*(Ask(replace(usual, table=f"t{nth}")) for nth in range(count)))
        opened = await self.all_done(*(Ask(c.OpenRound(f"t{nth}")) for nth in range(count)))
        return [json.loads(one.body)["round"] for one in opened]

    async def ask(self, order: Order) -> Outcome:
        """One order, as its caller would see it."""
        try:
            return _outcome(await self.house.submit(order))
        except Refusal as refusal:
            return _outcome(refusal)


@dataclass(frozen=True, slots=True)
class Ask:
    """A command and the key that it comes with; None: one of its own."""

    command: Command
    key: str | None = None
    status: int = 201


class Outcome(NamedTuple):
    """What a caller was told: OK with the answer, or the code of the refusal."""

    code: str
    status: int = 0
    body: bytes = b""
    position: int = 0
    replayed: bool = False


def _outcome(found: Result | BaseException) -> Outcome:
    if isinstance(found, Result):
        return Outcome("OK", found.status, found.body, found.position, found.replayed)
    if isinstance(found, Refusal):
        return Outcome(found.code)
    raise found


@asynccontextmanager
async def shop_of(conninfo: str) -> AsyncIterator[Shop]:
    """An open casino on the writer's login."""
    log = PostgresLog(conninfo)
    await log.aopen()
    try:
        async with Shop(log) as shop:
            yield shop
    finally:
        await log.aclose()


@dataclass(frozen=True, slots=True)
class Work:
    """What one process does: once the log has `head` events, ask all of these at once. It has asked `before` already,
    so that it knows states which others then change. With `at_a_time` so many at once, then the next so many: the turns
    of several processes then come between each other's.
    """

    asks: Sequence[Ask]
    head: int = 0
    before: Sequence[Ask] = ()
    at_a_time: int = 1_000_000


def at_once(database: Database, *works: Work) -> list[list[Outcome]]:
    """Let each work be done by a process of its own, all from the same moment on."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = zip(*(context.Pipe() for _ in works), strict=True)
    made = [
        context.Process(target=_work, args=(pipe, database.conninfo("writer"), work), daemon=True)
        for pipe, work in zip(theirs, works, strict=True)
    ]
    try:
        for process in made:
            process.start()
        for pipe in theirs:
            pipe.close()
        for pipe in ours:
            assert _heard(pipe) == "ready"
        for pipe in ours:
            pipe.send("go")
        return [_heard(pipe) for pipe in ours]  # type: ignore[misc]  # a pipe carries anything
    finally:
        for pipe, process in zip(ours, made, strict=True):
            pipe.close()
            process.join(10)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def _heard(pipe: Connection) -> object:
    assert pipe.poll(_SECONDS), "a process did not answer in time"
    return pipe.recv()


def _work(pipe: Connection, conninfo: str, work: Work) -> None:
    asyncio.run(_do(pipe, conninfo, work))


async def _do(pipe: Connection, conninfo: str, work: Work) -> None:
    async with shop_of(conninfo) as shop:
        with psycopg.connect(conninfo, autocommit=True) as conn:
            await shop.all_done(*work.before)
            pipe.send("ready")
            pipe.recv()
            while work.head and _head(conn) < work.head:
                await asyncio.sleep(0.002)
        parts = [work.asks[at : at + work.at_a_time] for at in range(0, len(work.asks), work.at_a_time)]
        pipe.send([one for part in parts for one in await shop.ask_all(part)])


def _head(conn: psycopg.Connection) -> int:
    row = conn.execute("SELECT coalesce(max(notification_id), 0) FROM stored_events").fetchone()
    return int(row[0]) if row else 0


def head_of(database: Database) -> int:
    """The position of the last event."""
    with database.connect("projector") as conn:
        return _head(conn)


def events_of(database: Database, after: int = 0) -> list[Recorded]:
    """Every event of the log past `after`."""
    with database.connect("projector") as conn:
        return list(LogReader(conn).events(after))


def decoded(row: RawEvent) -> Recorded:
    """A stored row as the event it is."""
    return recorded(row.position, row.stream, row.version, row.name, row.state)


def audit_of(database: Database) -> Audit:
    """Chain, versions and laws of the ledger over the whole log."""
    with database.connect("projector") as conn:
        return audit(LogReader(conn).raw(), decoded)


def assert_sound(database: Database) -> None:
    """Nothing is to be found."""
    assert audit_of(database).findings == ()
