"""What has an end goes when it comes: texts of chat messages at 90 days (C30), lines of the access log at 400.

They are looked for at every start, and each hour after it.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final

from domain.messages import KEPT
from services.ports import Clock, Texts

LOOK_SECONDS: Final = 3600.0

log = logging.getLogger("studbook.retention")


class Retention:
    """Removes what is too old. What it missed while nothing ran it removes at its next look; two at once do no harm."""

    def __init__(self, old: Texts, clock: Clock, kept: timedelta = KEPT, what: str = "texts of chat messages") -> None:
        self._old = old
        self._clock = clock
        self._kept = kept
        self._what = what

    async def run(self) -> None:
        """Until cancelled; a fault is logged and tried again."""
        while True:
            try:
                await self.look()
            except Exception as fault:
                log.warning("retention: %s", fault)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Once: remove everything that has been kept long enough; how many went."""
        removed = await self._old.forget(self._clock.now() - self._kept)
        if removed:
            log.info("%d %s were %d days old and are removed", removed, self._what, self._kept.days)
        return removed
