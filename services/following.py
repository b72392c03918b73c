"""Following the log: all who wait for an operator's next events share one reader of them, and all who watch a pool one
reader of its meter. A reader lives as long as somebody follows; who falls behind what it keeps reads the log himself.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable
from contextlib import aclosing, asynccontextmanager
from typing import Final, Generic, Protocol, TypeVar

from domain.changing import replace
from domain.errors import Refusal, Unavailable
from services.ports_reads import Bell
from services.queries.events import ALL, CloudEvent, Feed, Wanted, events_after, events_head
from services.queries.jackpots import JackpotAnswer, jackpot
from services.queries.reads import Reads

KEPT: Final = 1_000
"""Events that a reader keeps; a follower who is further behind reads the log."""

PAGE: Final = 200
"""Events read at once, so that decoding them holds nobody up."""

GATHER_SECONDS: Final = 0.03
"""Between two looks at a log that grows: one look costs the same for few events as for many."""

METER_SECONDS: Final = 0.25
"""Between two looks at a pool: whoever watches a meter gets the newest one, not each."""

AGAIN_SECONDS: Final = 1.0
"""Before another try when the database cannot be had."""


class Reader(Protocol):
    """What one task does for many."""

    async def run(self) -> None:
        """Work until cancelled."""


log = logging.getLogger("studbook.following")

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Reader)


class Shared(Generic[K, R]):
    """One running reader for each key that somebody uses, while somebody does."""

    def __init__(self, make: Callable[[K], R]) -> None:
        self._make = make
        self._used: dict[K, tuple[R, asyncio.Task[None], int]] = {}

    @asynccontextmanager
    async def of(self, key: K) -> AsyncIterator[R]:
        """The reader of a key, begun if it is the first use and ended after the last."""
        if key not in self._used:
            made = self._make(key)
            self._used[key] = made, asyncio.create_task(_kept(made)), 0
        reader, task, users = self._used[key]
        self._used[key] = reader, task, users + 1
        try:
            yield reader
        finally:
            reader, task, users = self._used[key]
            self._used[key] = reader, task, users - 1
            if users == 1:
                del self._used[key]
                task.cancel()


async def _kept(reader: Reader) -> None:
    """Run a reader until cancelled: a fault of ours ends nobody's following, who would hear nothing and not know it."""
    while True:
        try:
            await reader.run()
        except Exception as fault:
            log.exception("a reader for followers failed and begins again: %s", type(fault).__name__)
        await asyncio.sleep(AGAIN_SECONDS)


class Changing:
    """Something to wait for, any number of times, by any number of tasks."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def tell(self) -> None:
        """Wake all who wait now."""
        told, self._next = self._next, asyncio.Event()
        told.set()

    async def wait(self) -> None:
        """Until it is told the next time."""
        await self._next.wait()


class Tap:
    """One operator's newest events. Those past `since` and up to `head` are all here."""

    def __init__(self, reads: Reads, bell: Bell, operator: str) -> None:
        self._reads = reads
        self._bell = bell
        self._operator = operator
        self._kept: deque[CloudEvent] = deque()
        self._since: int | None = None
        self.head = 0
        self.changed = Changing()

    async def since(self) -> int:
        """The position past which everything is here; waits for the first look."""
        while self._since is None:
            await self.changed.wait()
        return self._since

    def past(self, after: int) -> list[CloudEvent]:
        """The kept events past a position, at most a page."""
        found: list[CloudEvent] = []
        for one in reversed(self._kept):
            if int(str(one["id"])) <= after:
                break
            found.append(one)
        return found[: -PAGE - 1 : -1]

    async def run(self) -> None:
        """Read what comes until cancelled; a database that is away is waited for."""
        async with self._bell.listening():
            while True:
                seen = self._bell.count
                try:
                    is_all = await self._look()
                except Unavailable:
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if is_all:
                    await self._bell.rung(seen)
                    await asyncio.sleep(GATHER_SECONDS)

    async def _look(self) -> bool:
        """The next page; whether that was all there is."""
        if self._since is None:
            self._since = self.head = await events_head(self._reads, self._operator)
            self.changed.tell()
        feed = await events_after(self._reads, self._operator, self.head, PAGE)
        if feed.events:
            self._kept.extend(feed.events)
            self.head = feed.after
            while len(self._kept) > KEPT:
                self._since = int(str(self._kept.popleft()["id"]))
            self.changed.tell()
        return len(feed.events) < PAGE


class Meter:
    """The newest state of one pool; `version` counts how often it changed, 0 before the first look."""

    def __init__(self, reads: Reads, bell: Bell, key: tuple[str, str]) -> None:
        self._reads = reads
        self._bell = bell
        self._operator, self._jackpot = key
        self.answer: JackpotAnswer | None = None
        self.fault: Refusal | None = None
        self.version = 0
        self.changed = Changing()

    async def run(self) -> None:
        """Look again when the log has grown, until cancelled. The view follows the log by moments, hence twice."""
        async with self._bell.listening():
            while True:
                seen = self._bell.count
                await self._look()
                await asyncio.sleep(METER_SECONDS)
                if self._bell.count == seen:
                    await self._look()
                    await self._bell.rung(seen)

    async def _look(self) -> None:
        try:
            found = await jackpot(self._reads, self._operator, self._jackpot)
        except Unavailable:
            await asyncio.sleep(AGAIN_SECONDS)
            return
        except Refusal as fault:
            self.fault = fault
            self.changed.tell()
            return
        if self.answer is None or replace(found, position=0) != replace(self.answer, position=0):
            self.answer = found
            self.version += 1
            self.changed.tell()


class Following:
    """Where followers of events and meters come."""

    def __init__(self, reads: Reads, bell: Bell) -> None:
        self._reads = reads
        self._taps: Shared[str, Tap] = Shared(lambda operator: Tap(reads, bell, operator))
        self._meters: Shared[tuple[str, str], Meter] = Shared(lambda key: Meter(reads, bell, key))

    async def events(self, operator: str, after: int | None, wanted: Wanted = ALL) -> AsyncGenerator[Feed]:
        """The operator's events past a position (None: from now on) as they come, for ever. A Feed without events
        says that all up to its `after` were of other kinds. Raises Unavailable.
        """
        async with self._taps.of(operator) as tap:
            since = await tap.since()
            position = tap.head if after is None else after
            while True:
                since = await tap.since()
                if position < since:
                    feed = await events_after(self._reads, operator, position, PAGE, wanted=wanted)
                    position = max(feed.after, position)
                    yield replace(feed, after=position)
                elif found := tap.past(position):
                    position = int(str(found[-1]["id"]))
                    yield Feed(tuple(one for one in found if wanted.takes(one)), position)
                else:
                    await tap.changed.wait()

    async def next_events(self, operator: str, after: int, limit: int, wanted: Wanted = ALL) -> Feed:
        """The next events, when there are some. Raises Unavailable."""
        async with aclosing(self.events(operator, after, wanted)) as feeds:
            async for feed in feeds:
                if feed.events:
                    events = feed.events[:limit]
                    return Feed(events, feed.after if len(events) == len(feed.events) else int(str(events[-1]["id"])))
        raise AssertionError("a stream of events has no end")

    async def meter(self, operator: str, jackpot_id: str) -> AsyncGenerator[JackpotAnswer]:
        """A pool now and after each change, the newest only. Raises NotFound when it is gone."""
        async with self._meters.of((operator, jackpot_id)) as shared:
            seen = 0
            while True:
                if shared.fault is not None:
                    raise shared.fault
                if shared.answer is None or shared.version == seen:
                    await shared.changed.wait()
                    continue
                seen = shared.version
                yield shared.answer
