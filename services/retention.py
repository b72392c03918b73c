"""Texts of chat messages go when they are 90 days old (C30): looked for at every start, and each hour after it."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from domain.messages import KEPT
from services.ports import Clock, Texts

LOOK_SECONDS: Final = 3600.0

log = logging.getLogger("studbook.retention")


class Retention:
    """Removes what is too old. What it missed while nothing ran it removes at its next look; two at once do no harm."""

    def __init__(self, texts: Texts, clock: Clock) -> None:
        self._texts = texts
        self._clock = clock

    async def run(self) -> None:
        """Until cancelled; a fault is logged and tried again."""
        while True:
            try:
                await self.look()
            except Exception as fault:
                log.warning("retention: %s", fault)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Once: remove every text of 90 days and more; how many went."""
        removed = await self._texts.forget(self._clock.now() - KEPT)
        if removed:
            log.info("%d chat messages were 90 days old; their texts are removed", removed)
        return removed
