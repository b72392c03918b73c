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
from services.commands import CancelAbandoned, Command, PayOn
from services.house import SYSTEM, House
from services.ports import Clock, Ids, Meta

LOOK_SECONDS: Final = 1.0
PAUSE_AFTER_FAULT_SECONDS: Final = 5.0

log = logging.getLogger("studbook.timers")


@dataclass(frozen=True, slots=True)
class Watched:
    """An incomplete round, as a timer looks at it."""

    operator: str
    round: str
    phase: Phase
    last_command_at: datetime
    abandon_seconds: int


Watch = Callable[[], Awaitable[Sequence[Watched] | None]]
"""All incomplete rounds of all operators; None while another process runs the timers of this database."""


def due(one: Watched, now: datetime) -> Command | None:
    """What a round needs now: to be paid on after an interruption, or given up after its `abandon_seconds`."""
    if one.phase is Phase.PAYING:
        return PayOn(one.round)
    if now - one.last_command_at >= timedelta(seconds=one.abandon_seconds):
        return CancelAbandoned(one.round)
    return None


class Timers:
    """Looks every second; runs in one process per database."""

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
        for one in await self._watch() or ():
            command = due(one, self._clock.now())
            if command is not None:
                done += await self._send(one, command)
        return done

    async def _send(self, one: Watched, command: Command) -> int:
        command_id = self._ids.new()
        meta = Meta(
            operator=one.operator,
            actor=SYSTEM,
            key_id="",
            request_id=command_id,
            idempotency_key=None,
            correlation=one.round,
            causation=command_id,
            effective_at=self._clock.now(),
        )
        try:
            await self._house.submit(Order(command, meta))
        except Refusal as refusal:
            log.info("timer of round %s: %s", one.round, refusal.detail)
            return 0
        return 1
