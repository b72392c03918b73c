"""Orders that wait for their turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from services.batch import Bundle, Job, Order, Result


class Waiting:
    """First come, first served. Belongs to one event loop."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._wake = asyncio.Event()

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, order: Order | Bundle) -> asyncio.Future[Result]:
        """An order more; the future gets its result, or the exception in its place."""
        loop = asyncio.get_running_loop()
        job = Job(order, loop.create_future(), loop.time())
        self._jobs.append(job)
        self._wake.set()
        return job.future

    def put_back(self, jobs: Sequence[Job]) -> None:
        """Jobs of a turn that had no time for them are the next ones."""
        self._jobs.extendleft(reversed(jobs))

    def take(self, most: int) -> list[Job]:
        """The jobs of the next turn: as many as hold `most` orders, and one at least where there is one."""
        jobs: list[Job] = []
        while self._jobs and (not jobs or self._jobs[0].count <= most):
            jobs.append(self._jobs.popleft())
            most -= jobs[-1].count
        return jobs

    def take_older_than(self, seconds: float) -> list[Job]:
        """Those that have waited for so long."""
        until = asyncio.get_running_loop().time() - seconds
        found: list[Job] = []
        while self._jobs and self._jobs[0].since <= until:
            found.append(self._jobs.popleft())
        return found

    def wake(self) -> None:
        """Let `some` return though nothing came."""
        self._wake.set()

    async def some(self) -> None:
        """Wait for an order, or for `wake`."""
        self._wake.clear()
        await self._wake.wait()
