"""One batch of commands: decided in order on one turn of the log, answered when all of it is durable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import field
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from domain.changing import replace
from domain.errors import IdempotencyMismatch, Refusal
from domain.frozen import dataclass
from services import late
from services.answers import Answer, ApprovalAnswer, VoidAnswer
from services.commands import CancelAbandoned, Command, DecideApproval, Settle, TimeOut, Void
from services.desk import Desk, StillPaying, Tools
from services.handlers import approving
from services.handlers.dispatch import carry_out, streams_of
from services.ports import Key, KeyRecord, LogUnavailable, Meta, NewerEvent, OutcomeUnknown, Pending, Text, Turn
from services.states import Missing, States, Versioned

log = logging.getLogger("studbook.house")

A = TypeVar("A")

OK: Final = 200
PROPOSED: Final = 202
"""Of a proposal that waits for a second person."""
TRANSACTION: Final = "transaction"
"""Scope of the operators' own transaction ids; `key` is that of the header."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command with who sent it, the keys that must serve no other request, and the status of its success.

    `is_strict`: where it needs two persons it is only proposed (the operator's `four_eyes`).
    """

    command: Command
    meta: Meta
    status: int = OK
    keys: tuple[tuple[Key, bytes], ...] = ()
    is_strict: bool = False


@dataclass(frozen=True, slots=True)
class Bundle:
    """Orders that are carried out all or none, in one append (services.atomic). Each has a key of its own."""

    orders: tuple[Order, ...]

    @property
    def keys(self) -> tuple[tuple[Key, bytes], ...]:
        """Those of all its orders."""
        return tuple(chain.from_iterable(one.keys for one in self.orders))


class Result(NamedTuple):
    """A success: status and body as bytes, the position of the last event, and whether it was served before.

    `unfinished` names a round of which slices are still to be done: there is no body yet, the order is sent again after
    that. `begun`: they are of this order's own making. A bundle has no body, but `parts`: the result of each order.
    """

    status: int
    body: bytes
    position: int
    replayed: bool = False
    unfinished: str | None = None
    begun: bool = False
    parts: tuple[Result, ...] = ()


@dataclass(slots=True)
class Job:
    """An order, or a bundle of them, that waits for its outcome, since a moment of the loop's clock."""

    order: Order | Bundle
    future: asyncio.Future[Result]
    since: float = 0.0
    outcome: Result | Exception | None = None

    @property
    def orders(self) -> tuple[Order, ...]:
        """The order, or all of the bundle."""
        return (self.order,) if isinstance(self.order, Order) else self.order.orders

    @property
    def count(self) -> int:
        """How many orders these are."""
        return 1 if isinstance(self.order, Order) else len(self.order.orders)


@dataclass(slots=True)
class Batch:
    """What one turn is about to append, and the records that the keys of its commands get."""

    turn: Turn
    states: States
    now: datetime
    tools: Tools
    encode: Callable[[Answer], bytes]
    pending: list[Pending] = field(default_factory=list)
    records: dict[Key, KeyRecord] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)
    undo: list[tuple[str, Versioned]] | None = None
    """While a bundle is decided: the states that its orders changed, as they were before, in order."""

    async def load_for(self, jobs: list[Job]) -> None:
        """Load at once what the batch's commands will surely look at."""
        streams: set[str] = set()
        prefixes: set[str] = set()
        for order in chain.from_iterable(job.orders for job in jobs):
            names, under = streams_of(order.meta.operator, order.command, order.meta.causation)
            streams.update(self.states.unknown(names))
            prefixes.update(one for one in under if not self.states.knows_under(one))
        await self._load(streams, prefixes)

    async def _load(self, streams: set[str], prefixes: set[str]) -> None:
        if streams or prefixes:
            self.states.absorb(streams, prefixes, await self.turn.load(streams, prefixes))
        for one in self.pending if prefixes else ():  # the log does not know of these seats yet
            self.states.seat(one.stream)

    async def outcome_of(self, order: Order) -> Result | Exception:
        """Decide one order; what it appends and records joins the batch, a refusal leaves no trace."""
        try:
            served = await self._served(order)
            return served if served is not None else await self._carry_out(order)
        except Refusal as refusal:
            return refusal
        except (LogUnavailable, OutcomeUnknown, NewerEvent):
            raise
        except Exception as fault:
            log.exception("command failed", extra={"request_id": order.meta.request_id})
            return fault

    async def _served(self, order: Order) -> Result | None:
        """The first answer, when one of the order's keys has served the same request before."""
        for key, fingerprint in order.keys:
            record = self.records.get(key) or self.turn.records.get(key)
            if record is None:
                continue
            if record.fingerprint != fingerprint:
                what = "transaction id" if key[1] == TRANSACTION else "idempotency key"
                raise IdempotencyMismatch(f"this {what} has served another request", field=_key_field(key))
            if record.body is None:
                return await self._served_late(order, record)
            if key[1] == TRANSACTION:
                self._remember(order, OK, record.body, record.position)
                return Result(OK, record.body, record.position, replayed=True)
            return Result(record.status, record.body, record.position, replayed=True)
        return None

    async def _served_late(self, order: Order, record: KeyRecord) -> Result:
        """The answer of work whose key was recorded before its last slice was done."""
        match order.command:
            case Settle(round_id) | TimeOut(round_id):
                found = await late.settled(self.turn, order.meta.operator, round_id)
            case Void(round_id) | CancelAbandoned(round_id):
                return await self._voided_late(order, record, round_id)
            case DecideApproval() as command:
                _, round_id = await self._look(order, lambda desk: approving.round_of(desk, command))
                return await self._voided_late(order, record, round_id)
            case _:
                raise TypeError("only what is done in slices is answered late")
        if found is None:
            return Result(record.status, b"", record.position, replayed=True, unfinished=round_id)
        answer, position = found
        return Result(record.status, self.encode(replace(answer, position=position)), position, replayed=True)

    async def _voided_late(self, order: Order, record: KeyRecord, round_id: str) -> Result:
        """A void's answer shows balances as they are when it is first made; it is kept, and the same ever after."""
        kept = late.kept_key(record.key)
        known = self.records.get(kept) or self.turn.records.get(kept)
        if known is not None and known.body is not None:
            return Result(known.status, known.body, known.position, replayed=True)
        operator = order.meta.operator
        undone = await late.undone(self.turn, operator, round_id)
        if undone is None:
            return Result(record.status, b"", record.position, replayed=True, unfinished=round_id)
        _, players = await self._look(order, lambda desk: late.voided_players(desk, round_id))
        seats = await late.voided_seats(self.turn, operator, undone, players)
        _, answer = await self._look(order, lambda desk: late.void_answer(desk, undone.begun, seats))
        position = self.turn.head + len(self.pending)
        body = self.encode(replace(answer, position=position))
        self.records[kept] = KeyRecord(kept, record.fingerprint, record.status, body, position)
        return Result(record.status, body, position, replayed=True)

    async def _carry_out(self, order: Order) -> Result:
        try:
            desk, answer = await self._look(order, lambda desk: carry_out(desk, order.command))
        except StillPaying as paying:
            return Result(order.status, b"", self.turn.head + len(self.pending), unfinished=paying.round)
        if isinstance(answer, VoidAnswer) and answer.dry_run:
            head = self.turn.head + len(self.pending)
            return Result(OK, self.encode(replace(answer, position=head)), head)
        if self.undo is not None:
            self.undo += [(stream, self.states.get(stream)) for stream in desk.own]
        for stream, known in desk.own.items():
            self.states.put(stream, known, is_first=known.version == 1)
        self.pending += desk.pending
        self.texts += desk.texts
        position = self.turn.head + len(self.pending)
        body = None if desk.unfinished else self.encode(replace(answer, position=position))
        status = PROPOSED if isinstance(answer, ApprovalAnswer) and answer.is_open else order.status
        self._remember(order, status, body, position)
        return Result(status, body or b"", position, unfinished=desk.unfinished, begun=desk.unfinished is not None)

    async def _look(self, order: Order, work: Callable[[Desk], A]) -> tuple[Desk, A]:
        """Do the work on a fresh desk, again with more states loaded where some were missing."""
        while True:
            desk = Desk(self.states, order.meta, self.now, self.tools, is_strict=order.is_strict)
            try:
                return desk, work(desk)
            except Missing as missing:
                await self._load(set(missing.streams), set(missing.prefixes))

    def _remember(self, order: Order, status: int, body: bytes | None, position: int) -> None:
        for key, fingerprint in order.keys:
            if key not in self.turn.records and key not in self.records:
                self.records[key] = KeyRecord(key, fingerprint, status, body, position)


def _key_field(key: Key) -> str:
    return "transaction_id" if key[1] == TRANSACTION else "Idempotency-Key"


def keys_of(jobs: Iterable[Job]) -> set[Key]:
    """Every key whose record the orders need: their own, and where the answer of a void of many seats is kept."""
    found: set[Key] = set()
    for order in chain.from_iterable(job.orders for job in jobs):
        own = [key for key, _ in order.keys]
        found.update(own)
        if isinstance(order.command, (Void, CancelAbandoned, DecideApproval)):
            found.update(late.kept_key(key) for key in own)
    return found
