"""Who came to the door: noted in memory, written once a second, so that no request waits for it.

Equal notes of one second are one row that counts them. The use of a key is told when it is first used from an address
within the hour; the further uses are one row with their number, when the hour ends or the process stops. What cannot be
written is kept for the next second; above LINES_MOST kinds of lines more are dropped, counted in `/metrics`, and told
by a row of their own (LOST) as soon as there is room.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from domain.access import LOST, AccessLine, Visit
from domain.errors import Unavailable
from services.ports import Clock

LINES_MOST: Final = 2_000
"""Different lines that wait at most."""

USES_MOST: Final = 10_000
"""Pairs of key and address that are told apart within one hour; above it addresses are left out."""

FLUSH_SECONDS: Final = 1.0

log = logging.getLogger("studbook.access")


class AccessRows(Protocol):
    """Where lines are kept."""

    async def append(self, lines: Sequence[AccessLine]) -> None:
        """Store all or none. Raises Unavailable."""


class _Use:
    """Uses of one key from one address within the hour that are not told yet."""

    __slots__ = ("count", "visit")

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.count = 0


class AccessLog:
    """One process's notes. `dropped` is told how many visits were not kept."""

    def __init__(self, rows: AccessRows, clock: Clock, dropped: Callable[[int], None] = lambda _: None) -> None:
        self._rows = rows
        self._clock = clock
        self._dropped = dropped
        self._waiting: dict[Visit, AccessLine] = {}
        self._uses: dict[tuple[str, str | None], _Use] = {}
        self._hour = self._this_hour()
        self._lost = 0
        self._writing = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """Lines that are not written yet."""
        return len(self._waiting)

    def note(self, visit: Visit, request_id: str | None = None, times: int = 1) -> None:
        """Remember a visit; never waits."""
        held = self._waiting.get(visit)
        if held is not None:
            self._waiting[visit] = AccessLine(held.at, visit, held.times + times, held.request_id)
        elif len(self._waiting) < LINES_MOST:
            self._waiting[visit] = AccessLine(self._clock.now(), visit, times, request_id)
        else:
            self._lost += times
            self._dropped(times)

    def is_known(self, key_id: str, address: str | None) -> bool:
        """Count one use more; False where it is the first of the hour, which `first_use` has to tell."""
        use = self._uses.get((key_id, address))
        if use is None:
            return False
        use.count += 1
        return True

    def first_use(self, visit: Visit, request_id: str | None) -> None:
        """The first use of a key from an address within the hour."""
        assert visit.key_id is not None
        address = visit.address
        if len(self._uses) >= USES_MOST:
            address = None
            if self.is_known(visit.key_id, address):
                return
        self._uses[visit.key_id, address] = _Use(
            Visit(visit.kind, visit.operator, visit.subject, visit.key_id, address, detail="further uses")
        )
        self.note(visit, request_id)

    async def run(self) -> None:
        """Write each second, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Write what waits; what cannot be written waits on. Who comes while others write waits for them."""
        async with self._writing:
            await self._write()

    async def _write(self) -> None:
        hour = self._this_hour()
        if hour != self._hour:
            self._tell_uses()
            self._hour = hour
        if self._lost and len(self._waiting) < LINES_MOST:
            lost, self._lost = self._lost, 0
            self.note(Visit(LOST, detail="visits that found no room here"), times=lost)
        taken, self._waiting = self._waiting, {}
        if not taken:
            return
        try:
            await self._rows.append(list(taken.values()))
        except Unavailable as fault:
            log.warning("the access log cannot be written now: %s", fault)
            self._put_back(taken)
        except asyncio.CancelledError:
            self._put_back(taken)  # it may have been written: told twice is better than not at all
            raise

    def _put_back(self, taken: dict[Visit, AccessLine]) -> None:
        since, self._waiting = self._waiting, taken
        for line in since.values():
            self.note(line.visit, line.request_id, line.times)

    async def stop(self) -> None:
        """Write everything, the counts of the hour too."""
        self._tell_uses()
        await self.flush()

    def _this_hour(self) -> int:
        return int(self._clock.now().timestamp()) // 3600

    def _tell_uses(self) -> None:
        uses, self._uses = self._uses, {}
        for use in uses.values():
            if use.count:
                self.note(use.visit, times=use.count)
