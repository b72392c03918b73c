"""One batch of commands: decided in order on one turn of the log, answered when all of it is durable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from domain.errors import IdempotencyMismatch, Refusal, Unavailable
from domain.ids import round_stream
from domain.rounds.decider import Round
from domain.rounds.events import Phase, RoundSettled, RoundVoided
from domain.streams import State, evolve
from domain.variants import ruleset
from services.answers import Answer, SettleAnswer, VoidAnswer
from services.commands import Command, Settle
from services.desk import Desk, StillPaying, Tools
from services.handlers.dispatch import carry_out, streams_of
from services.handlers.settling import answer_of
from services.ports import Key, KeyRecord, LogUnavailable, Meta, NewerEvent, OutcomeUnknown, Pending, Text, Turn
from services.states import Missing, States

log = logging.getLogger("studbook.house")

OK: Final = 200
TRANSACTION: Final = "transaction"
"""Scope of the operators' own transaction ids; `key` is that of the header."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command with who sent it, the keys that must serve no other request, and the status of its success."""

    command: Command
    meta: Meta
    status: int = OK
    keys: tuple[tuple[Key, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A success: status and body as bytes, the position of the last event, and whether it was served before.

    `unfinished` names a round that is still being paid: there is no body yet, the order is sent again after that.
    """

    status: int
    body: bytes
    position: int
    replayed: bool = False
    unfinished: str | None = None


@dataclass(slots=True)
class Job:
    """An order that waits for its outcome, since a moment of the loop's clock."""

    order: Order
    future: asyncio.Future[Result]
    since: float = 0.0
    outcome: Result | Exception | None = None


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

    async def load_for(self, jobs: list[Job]) -> None:
        """Load at once what the batch's commands will surely look at."""
        streams: set[str] = set()
        prefixes: set[str] = set()
        for job in jobs:
            meta = job.order.meta
            names, under = streams_of(meta.operator, job.order.command, meta.causation)
            streams.update(one for one in names if not self.states.knows(one))
            prefixes.update(one for one in under if not self.states.knows_under(one))
        await self._load(streams, prefixes)

    async def _load(self, streams: set[str], prefixes: set[str]) -> None:
        if streams or prefixes:
            self.states.absorb(streams, prefixes, await self.turn.load(streams, prefixes))

    async def decide(self, job: Job) -> None:
        """Set the job's outcome; what it appends and records joins the batch, a refusal leaves no trace."""
        try:
            served = await self._served(job.order)
            job.outcome = served if served is not None else await self._carry_out(job.order)
        except Refusal as refusal:
            job.outcome = refusal
        except (LogUnavailable, OutcomeUnknown, NewerEvent):
            raise
        except Exception as fault:
            log.exception("command failed", extra={"request_id": job.order.meta.request_id})
            job.outcome = fault

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
                self._remember(order, replace(record, status=OK))
                return Result(OK, record.body, record.position, replayed=True)
            return Result(record.status, record.body, record.position, replayed=True)
        return None

    async def _served_late(self, order: Order, record: KeyRecord) -> Result:
        """The answer of a settlement whose key was recorded before its last seat was paid, from the round's events."""
        if not isinstance(order.command, Settle):
            raise TypeError("only a settlement is answered late")
        stream = round_stream(order.meta.operator, order.command.round)
        loaded = await self.turn.load([stream], [])
        state: State | None = None
        settled_at = 0
        for one in loaded.events:
            if isinstance(one.event, RoundVoided):
                break
            state = evolve(stream, state, one.event)
            settled_at = one.position if isinstance(one.event, RoundSettled) else settled_at
        if not isinstance(state, Round):
            raise Unavailable("the round's history cannot be read")
        if not settled_at:
            return Result(record.status, b"", record.position, unfinished=order.command.round)
        answer = answer_of(state, ruleset(state.terms.ruleset))
        return Result(record.status, self.encode(replace(answer, position=settled_at)), settled_at, replayed=True)

    async def _carry_out(self, order: Order) -> Result:
        try:
            desk, answer = await self._desk(order)
        except StillPaying as paying:
            return Result(order.status, b"", self.turn.head + len(self.pending), unfinished=paying.round)
        if isinstance(answer, VoidAnswer) and answer.dry_run:
            head = self.turn.head + len(self.pending)
            return Result(OK, self.encode(replace(answer, position=head)), head)
        for stream, known in desk.own.items():
            self.states.put(stream, known)
        self.pending += desk.pending
        self.texts += desk.texts
        position = self.turn.head + len(self.pending)
        unfinished = answer.round if isinstance(answer, SettleAnswer) and answer.phase == Phase.PAYING.value else None
        body = None if unfinished else self.encode(replace(answer, position=position))
        self._remember(order, KeyRecord(("", "", ""), b"", order.status, body, position))
        return Result(order.status, body or b"", position, unfinished=unfinished)

    async def _desk(self, order: Order) -> tuple[Desk, Answer]:
        """Run the handler on a fresh desk, again with more states loaded where some were missing."""
        while True:
            desk = Desk(self.states, order.meta, self.now, self.tools)
            try:
                return desk, carry_out(desk, order.command)
            except Missing as missing:
                await self._load(set(missing.streams), set(missing.prefixes))

    def _remember(self, order: Order, served: KeyRecord) -> None:
        for key, fingerprint in order.keys:
            if key not in self.turn.records and key not in self.records:
                self.records[key] = replace(served, key=key, fingerprint=fingerprint)


def _key_field(key: Key) -> str:
    return "transaction_id" if key[1] == TRANSACTION else "Idempotency-Key"
