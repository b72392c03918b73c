"""Durable timers: what happens to a round when nobody does anything any more.

They look at the read model of incomplete rounds, so a restart neither loses nor repeats one: the command that a
timer sends is decided on the newest state, and refused there when it is no longer true.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.errors import Refusal
from domain.rounds.events import Phase
from services.batch import Order
from services.commands import CancelAbandoned, Command, OpenNext, PayOn, TimeOut
from services.house import SYSTEM, House
from services.ports import Clock, Ids, Meta

LOOK_SECONDS: Final = 0.5
PAUSE_AFTER_FAULT_SECONDS: Final = 5.0

log = logging.getLogger("studbook.timers")


@dataclass(frozen=True, slots=True)
class WatchedRound:
    """An incomplete round, as a timer looks at it; times are None where nothing waits for them."""

    operator: str
    round: str
    phase: Phase
    is_auto: bool
    from_shoe: bool
    closes_at: datetime | None
    last_command_at: datetime
    abandon_seconds: int


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A table in service that timers drive and that has no open round."""

    operator: str
    table: str
    opens_at: datetime | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is to look after, of all operators."""

    rounds: Sequence[WatchedRound]
    tables: Sequence[WatchedTable]


Watch = Callable[[], Awaitable[Seen | None]]
"""All that is to be looked after; None while another process runs the timers of this database."""


def due(one: WatchedRound, now: datetime) -> Command | None:
    """What a round needs now: to be paid on after an interruption, its next step, or to be given up.

    Whether everybody has decided is not known here: a round that waits for decisions is asked about each time.
    """
    if one.phase is Phase.PAYING:
        return PayOn(one.round)
    if now - one.last_command_at >= timedelta(seconds=one.abandon_seconds):
        return CancelAbandoned(one.round)
    if not one.is_auto:
        return None
    match one.phase:
        case Phase.BETTING_OPEN | Phase.CLOSING_SOON:
            return TimeOut(one.round) if one.closes_at is not None and now >= one.closes_at else None
        case Phase.BETTING_CLOSED:
            return TimeOut(one.round) if one.from_shoe else None
        case Phase.DECIDING:
            return TimeOut(one.round)
        case _:
            return None


class Timers:
    """Looks twice a second; runs in one process per database."""

    def __init__(self, house: House, watch: Watch, clock: Clock, ids: Ids) -> None:
        self._house = house
        self._watch = watch
        self._clock = clock
        self._ids = ids

    async def run(self) -> None:
        """Until cancelled; a fault is logged and tried again."""
        while True:
            pause = LOOK_SECONDS
            try:
                await self.look()
            except Exception as fault:
                log.warning("timers: %s", fault)
                pause = PAUSE_AFTER_FAULT_SECONDS
            await asyncio.sleep(pause)

    async def look(self) -> int:
        """Once: send what is due; how many commands were carried out."""
        done = 0
        seen = await self._watch()
        if seen is None:
            return 0
        for one in seen.rounds:
            command = due(one, self._clock.now())
            if command is not None:
                done += await self._send(one.operator, one.round, command)
        for table in seen.tables:
            if table.opens_at is None or self._clock.now() >= table.opens_at:
                done += await self._send(table.operator, table.table, OpenNext(table.table))
        return done

    async def _send(self, operator: str, about: str, command: Command) -> int:
        command_id = self._ids.new()
        meta = Meta(
            operator=operator,
            actor=SYSTEM,
            key_id="",
            request_id=command_id,
            idempotency_key=None,
            correlation=about,
            causation=command_id,
            effective_at=self._clock.now(),
        )
        try:
            await self._house.submit(Order(command, meta))
        except Refusal as refusal:
            log.debug("timer of %s: %s", about, refusal.detail)
            return 0
        except Exception as fault:  # one round or table that fails stops none of the others
            log.warning("timer of %s: %s", about, fault)
            return 0
        return 1
