"""Exports that an operator has asked for: work beside the log, no events."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from domain.frozen import dataclass

KEPT: Final = timedelta(days=7)
"""How long a file is kept."""

KEPT_REPORT: Final = timedelta(hours=1)
"""How long a report that somebody asked for is kept: most have it at once."""

OPEN_MOST: Final = 20
"""Unfinished exports of one operator."""

ATTEMPTS_MOST: Final = 3
"""How often an export is begun: one that ends its worker each time is given up."""

FILE_BYTES_MOST: Final = 2**30
"""A larger file is for `studbook export`."""


class Status(StrEnum):
    """How far an export is."""

    WAITING = "WAITING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Export:
    """One export. `wish` says what is wanted, `manifest` what was made, both as JSON. `events_read` of `events` is how
    far the log has been read; `position` where it stood when it was asked for, and once it is done what was read.
    """

    operator: str
    export: str
    kind: str
    format: str
    wish: str
    subject: str
    hurry: bool
    asked_at: datetime
    expires_at: datetime
    position: int
    status: Status = Status.WAITING
    attempts: int = 0
    events_read: int = 0
    events: int = 0
    finished_at: datetime | None = None
    failure: str | None = None
    manifest: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in (Status.DONE, Status.FAILED)
