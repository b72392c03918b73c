"""The house: the only way in. One writer takes commands in batches (docs/architecture.md, The write path).

A turn: take the lock and read what others wrote; bring cached states up to date; decide each command in order;
append all events of all commands at once; commit; only then answer. So every decision is made on the newest
state, with any number of processes, and an answer that left is durable.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from time import perf_counter
from typing import Final

from domain.changing import replace
from domain.errors import Unavailable
from services.answers import Answer
from services.atomic import decide_together
from services.batch import Batch, Bundle, Job, Order, Result, keys_of
from services.commands import PayOn, Settle
from services.desk import Tools
from services.outcomes import (
    HAS_BEGUN,
    MAY_HAVE_BEGUN,
    TurnSeen,
    answer_all,
    fail_all,
    nothing_happened,
    outcome_of,
    renewed,
    truth,
    without,
)
from services.ports import Clock, Ids, Log, LogUnavailable, NewerEvent, OutcomeUnknown, Turn
from services.states import States
from services.waiting import Waiting

BATCH_MAX: Final = 400
"""Commands of one transaction at most."""

TURN_SECONDS: Final = 0.25
"""A turn that has decided for so long ends; what waits behind it may find another process first."""

QUEUE_MAX: Final = 20_000
"""Commands that may wait; one more is told to come again."""

WEARY_SECONDS: Final = 1.0
"""A command that has waited so long when another turn fails is told with it: its own could take as long again."""

SYSTEM: Final = "system"
"""The actor of work that nobody asked for at that moment."""

log = logging.getLogger("studbook.house")


class House:
    """Takes orders, decides them under the log's lock, and answers when they are durable."""

    def __init__(
        self,
        store: Log,
        clock: Clock,
        ids: Ids,
        tools: Tools,
        encode: Callable[[Answer], bytes],
        *,
        seen: TurnSeen = lambda _jobs, _events, _seconds: None,
    ) -> None:
        self._log = store
        self._seen = seen
        self._clock = clock
        self._ids = ids
        self._tools = tools
        self._encode = encode
        self._states = States()
        self._position: int | None = None
        self._waiting = Waiting()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self.stopped_by: str | None = None
        self.turns_lost = 0
        """Turns that ended without a commit, or without knowing of one, since the start."""

    @property
    def broken_streams(self) -> dict[str, str]:
        """Streams that could not be read, with the reason; `/readyz` names them."""
        return dict(self._states.broken)

    @property
    def position(self) -> int:
        """Position of the last event that this process knows of."""
        return self._position or 0

    @property
    def waiting(self) -> int:
        """How many commands wait for the next turn."""
        return len(self._waiting)

    async def start(self) -> None:
        """Begin to take orders."""
        self._task = asyncio.create_task(self._run(), name="studbook-writer")

    async def stop(self) -> None:
        """Finish what waits, then take no more."""
        self._closing = True
        self._waiting.wake()
        if self._task is not None:
            await self._task

    async def submit(self, order: Order) -> Result:
        """Carry out one order: its durable result, or a Refusal. A large round is paid to the last seat first."""
        result = await self._enqueue(order)
        return result if result.unfinished is None else await self._finished(order, result)

    async def _finished(self, order: Order, result: Result) -> Result:
        """The result when all slices are done."""
        mine = False
        while result.unfinished is not None:
            mine = mine or result.begun
            try:
                final = await self._pay_to_the_end(order, result.unfinished)
                if result.begun and not order.keys:
                    return final
                result = await self._enqueue(order)
            except Unavailable as fault:
                if mine or result.replayed:
                    raise Unavailable(HAS_BEGUN) from fault
                if isinstance(order.command, Settle):
                    raise Unavailable(MAY_HAVE_BEGUN) from fault
                raise
        return result._replace(replayed=False) if mine else result

    async def submit_all(self, orders: Sequence[Order]) -> list[Result | Exception]:
        """Carry out many orders, handed in at once and answered together, each as `submit` would have it.

        An order that is not carried out has its exception in its place. No task is made for each of them.
        """
        if not self._has_room(len(orders)):
            return [self._no_room()] * len(orders)
        futures = [self._waiting.add(order) for order in orders]
        try:
            found = [await outcome_of(future) for future in futures]
        except asyncio.CancelledError:
            for future in futures:
                future.cancel()
            raise
        for nth, one in enumerate(found):
            if isinstance(one, Result) and one.unfinished is not None:
                found[nth] = await outcome_of(self._finished(orders[nth], one))
        return found

    async def submit_together(self, bundle: Bundle) -> tuple[Result, ...]:
        """Carry out all orders of a bundle in one append, or none: PartRefused with the first that was refused."""
        if not self._has_room(len(bundle.orders)):
            raise self._no_room()
        return (await self._waiting.add(bundle)).parts

    async def _pay_to_the_end(self, order: Order, round_id: str) -> Result:
        while True:
            meta = replace(
                order.meta,
                actor=SYSTEM,
                key_id="",
                idempotency_key=None,
                causation=self._ids.new(),
                correlation=round_id,
            )
            paid = await self._enqueue(Order(PayOn(round_id), meta))
            if paid.unfinished is None:
                return paid

    def _enqueue(self, order: Order) -> asyncio.Future[Result]:
        if not self._has_room(1):
            raise self._no_room()
        return self._waiting.add(order)

    def _has_room(self, count: int) -> bool:
        return not self._closing and self.stopped_by is None and len(self._waiting) + count <= QUEUE_MAX

    def _no_room(self) -> Unavailable:
        return Unavailable(self.stopped_by or "the service is busy; nothing happened, send the same request again")

    async def _run(self) -> None:
        while True:
            if not self._waiting:
                if self._closing:
                    return
                await self._waiting.some()
                continue
            jobs = self._waiting.take(BATCH_MAX)
            if self.stopped_by is None:
                await self._serve(jobs)
            else:  # they came before it was stopped
                fail_all(jobs, Unavailable(self.stopped_by))
                answer_all(jobs)

    async def _serve(self, jobs: list[Job]) -> None:
        """One turn, and one more for what a fault that came soon kept from happening: every job gets an outcome."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        undone = await self._attempt(jobs)
        if undone and loop.time() - began < WEARY_SECONDS:
            answer_all(without(jobs, undone))
            jobs = undone  # one list, so that what the second turn puts back or takes along is seen here
            undone = await self._attempt(jobs)
        if undone:
            weary = self._waiting.take_older_than(WEARY_SECONDS)
            fail_all(weary, nothing_happened())
            jobs += weary
        answer_all(jobs)

    async def _attempt(self, jobs: list[Job]) -> list[Job]:
        """One turn, whatever comes; those that surely did not happen and may be decided again."""
        try:
            await self._turn(jobs)
        except LogUnavailable as fault:
            log.warning("turn given up: %s", fault)
            self.turns_lost += 1
            self._forget()
            fail_all(jobs, nothing_happened())
            return jobs
        except OutcomeUnknown as fault:
            log.warning("commit unknown: %s", fault)
            self.turns_lost += 1
            return await self._find_out(jobs)
        except NewerEvent as fault:
            self._forget()
            self.stopped_by = "the log holds events of a newer version; this process writes no more"
            log.critical("%s: %s", self.stopped_by, fault)
            fail_all(jobs, Unavailable(self.stopped_by))
        except Exception as fault:
            log.exception("turn failed")
            self._forget()
            fail_all(jobs, fault)
        return []

    async def _turn(self, jobs: list[Job]) -> None:
        keys, began = keys_of(jobs), perf_counter()
        async with self._log.turn(keys, self._position) as turn:
            self._catch_up(turn)
            head = turn.head
            batch = Batch(turn, self._states, self._now(turn), self._tools, self._encode)
            await batch.load_for(jobs)
            await self._decide(batch, jobs)
            if batch.pending or batch.records:
                await turn.append(batch.pending, list(batch.records.values()), batch.texts)
            self._position = head + len(batch.pending)
        self._states.trim()
        self._seen(jobs, len(batch.pending), perf_counter() - began)

    async def _decide(self, batch: Batch, jobs: list[Job]) -> None:
        """Decide as many as there is time for, at least one; the others go back to the head of the queue."""
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_SECONDS
        for done, job in enumerate(jobs, 1):
            order = job.order
            job.outcome = await (batch.outcome_of(order) if isinstance(order, Order) else decide_together(batch, order))
            if loop.time() >= until:
                self._waiting.put_back(jobs[done:])
                del jobs[done:]
                return

    def _catch_up(self, turn: Turn) -> None:
        if turn.news is None:
            self._states.clear()
        else:
            self._states.apply(turn.news)
        self._position = turn.head

    def _now(self, turn: Turn) -> datetime:
        """The time of this turn; never before what is recorded already, so that time and order agree."""
        now = self._clock.now()
        last = turn.last_recorded_at
        return now if last is None or now >= last else last

    def _forget(self) -> None:
        self._states.clear()
        self._position = None

    async def _find_out(self, jobs: list[Job]) -> list[Job]:
        """After a COMMIT without an answer: what truly happened, read under the lock that the old turn held.

        Those that surely did not happen, or that may safely be done twice, are returned.
        """
        self._forget()
        keys = keys_of(jobs)
        try:
            async with self._log.turn(keys, None) as turn:
                records = dict(turn.records)
        except Exception as fault:  # whatever it is, it tells nothing of the commit
            log.warning("commit still unknown: %s", fault)
            jobs += self._waiting.take_older_than(WEARY_SECONDS)
            fail_all(jobs, Unavailable("it is not known yet whether this happened; send the same request again"))
            return []
        for job in jobs:
            job.outcome = truth(job, records)
        return renewed([job for job in jobs if not isinstance(job.outcome, Result)], self._ids.new)
