"""A counter that takes orders: each goes through the real house, then the books are read and every law is held."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Self

from domain.errors import Refusal
from services.atomic import PartRefused
from services.batch import TRANSACTION, Bundle, Order, Result
from services.commands import Command, DepositFunds, RollBackTransaction, WithdrawFunds
from services.house import House
from services.ports import Key, Log, Meta, Recorded
from tests.support.books import Books
from tests.support.fixtures import CountingIds, FixedClock, StackedShoe, encode, tools
from tests.support.memory_log import MemoryLog

OPERATOR = "op"
Body = dict[str, Any]


class Counter:
    """Submits orders to a house and audits each of them."""

    actor = "pit"
    """Who asks, unless told otherwise."""

    is_strict = False
    """Whether what needs two persons is only proposed (`four_eyes`)."""

    def __init__(self, log: Log | None = None, *, is_checked: bool = True, ids: str = "id") -> None:
        self.log: Log = MemoryLog() if log is None else log
        self.clock, self.ids, self.shoe = FixedClock(), CountingIds(ids), StackedShoe()
        self.books = Books()
        self.is_checked = is_checked
        self.house = self._house()
        self.last: Result | None = None
        self.last_order: Order | None = None
        self.last_news: Sequence[Recorded] = ()

    def _house(self) -> House:
        return House(self.log, self.clock, self.ids, tools(self.shoe), encode)

    async def __aenter__(self) -> Self:
        await self.house.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.house.stop()

    async def throw_away(self) -> None:
        """Another house takes over, with nothing but the log."""
        await self.house.stop()
        self.house = self._house()
        await self.house.start()

    def order(self, command: Command, *, key: str | None = None, actor: str = "pit", status: int = 200) -> Order:
        """A command as the API would hand it in: an idempotency key, and the operator's own id of a transaction."""
        command_id = self.ids.new()
        text = command_id if key is None else key
        keys: list[tuple[Key, bytes]] = [((OPERATOR, "key", text), _fingerprint(command))]
        if isinstance(command, DepositFunds | WithdrawFunds):
            keys.append(((OPERATOR, TRANSACTION, command.transaction_id), _fingerprint(command)))
        if isinstance(command, RollBackTransaction):
            keys.append(((OPERATOR, TRANSACTION, f"{command.transaction_id}/rollback"), b"rollback"))
        correlation = getattr(command, "round", command_id)
        meta = Meta(OPERATOR, actor, "k1", "r1", text, correlation, command_id, self.clock.now())
        return Order(command, meta, status, tuple(keys), self.is_strict)

    async def submit(self, command: Command, *, key: str | None = None, actor: str = "pit", status: int = 200) -> Body:
        """The answer of the command, its Refusal raised."""
        return await self.send(self.order(command, key=key, actor=actor, status=status))

    async def send(self, order: Order) -> Body:
        """The answer of an order; a refused one has left no trace."""
        self.last_order = order
        try:
            self.last = await self.house.submit(order)
        except Refusal:
            await self.audit()
            assert self.last_news == [], "a refused command left a trace"
            raise
        await self.audit()
        return self.body

    async def send_all(self, orders: Sequence[Order]) -> list[Result | BaseException]:
        """All at once, so that they share a batch."""
        found = await asyncio.gather(*(self.house.submit(order) for order in orders), return_exceptions=True)
        await self.audit()
        return found

    async def send_many(self, orders: Sequence[Order]) -> list[Result | Exception]:
        """All in one call of the house, as a slice of a bulk call."""
        found = await self.house.submit_all(orders)
        await self.audit()
        return found

    async def send_together(self, orders: Sequence[Order]) -> tuple[Result, ...]:
        """All or none; what was refused has left no trace, neither in the log nor in memory."""
        try:
            parts = await self.house.submit_together(Bundle(tuple(orders)))
        except (PartRefused, Refusal):
            await self.audit()
            assert self.last_news == [], "a refused bundle left a trace"
            self.compare()
            raise
        await self.audit()
        return parts

    async def submit_in_bulk(self, command: Command, *, atomic: bool, status: int = 200) -> Body:
        """The answer of a command that is the one item of a bulk call, its Refusal raised."""
        order = self.order(command, status=status)
        if not atomic:
            (found,) = await self.send_many([order])
            if not isinstance(found, Result):
                raise found
            self.last = found
            return self.body
        try:
            (self.last,) = await self.send_together([order])
        except PartRefused as part:
            raise part.fault from None
        return self.body

    @property
    def body(self) -> Body:
        """The last answer."""
        assert self.last is not None
        found: Body = json.loads(self.last.body)
        return found

    async def audit(self) -> None:
        """Read what came, and hold every law against it."""
        if not self.is_checked:
            return
        async with self.log.turn((), self.books.position) as turn:
            assert turn.news is not None
            self.last_news = list(turn.news)
        self.books.read(self.last_news)
        self.books.check()
        self.compare({one.stream for one in self.last_news})

    def compare(self, streams: set[str] | None = None) -> None:
        """What the house has in memory is what the events add up to."""
        cached = self.house._states._states
        for stream in cached if streams is None else streams & cached.keys():
            assert cached[stream][:2] == self.books.states.get(stream, (None, 0)), stream

    async def replay(self) -> Books:
        """The books once more, from nothing."""
        again = Books()
        again.read(await self.everything())
        return again

    async def everything(self) -> Sequence[Recorded]:
        """The whole log."""
        async with self.log.turn((), 0) as turn:
            assert turn.news is not None
            return turn.news


def _fingerprint(command: Command) -> bytes:
    return sha256(repr(command).encode()).digest()
