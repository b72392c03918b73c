"""Durable timers: what happens to a round when nobody does anything any more.

They look at the read model of incomplete rounds, so a restart neither loses nor repeats one: the command that a
timer sends is decided on the newest state, and refused there when it is no longer true.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.errors import Refusal
from domain.frozen import dataclass
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


def due(one: WatchedRound, now: datetime) -> tuple[Command, ...]:
    """What a round needs now, in this order until one is carried out: to be paid on after an interruption, its next
    step, to be given up.

    A step that is due comes before giving up: timers are durable, so a process that was away for longer than
    `abandon_seconds` decides for the absent and settles (F29, R19); only what no step moves is given up.
    Whether everybody has decided is not known here: a round that waits for decisions is asked about each time.
    """
    if one.phase is Phase.PAYING:
        return (PayOn(one.round),)
    wanted: list[Command] = []
    if one.is_auto and _is_due(one, now):
        wanted.append(TimeOut(one.round))
    if now - one.last_command_at >= timedelta(seconds=one.abandon_seconds):
        wanted.append(CancelAbandoned(one.round))
    return tuple(wanted)


def _is_due(one: WatchedRound, now: datetime) -> bool:
    """Whether the time of the round's next step may have come."""
    match one.phase:
        case Phase.BETTING_OPEN | Phase.CLOSING_SOON:
            return one.closes_at is not None and now >= one.closes_at
        case Phase.BETTING_CLOSED:
            return one.from_shoe
        case Phase.DECIDING:
            return True
        case _:
            return False


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
            for command in due(one, self._clock.now()):
                carried_out = await self._send(one.operator, one.round, command)
                done += bool(carried_out)
                if carried_out is not False:
                    break
        for table in seen.tables:
            if table.opens_at is None or self._clock.now() >= table.opens_at:
                done += bool(await self._send(table.operator, table.table, OpenNext(table.table)))
        return done

    async def _send(self, operator: str, about: str, command: Command) -> bool | None:
        """Whether it was carried out; None when nobody can tell now: the store is away, and comes back."""
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
            return None if refusal.retryable else False
        except Exception as fault:  # one round or table that fails stops none of the others
            log.warning("timer of %s: %s", about, fault)
            return False
        return True
