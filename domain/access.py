"""What the access log holds: who came to the door, and what was done there. These are no events of the ledger."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from domain.frozen import dataclass

KEPT: Final = timedelta(days=400)
"""How long a line is kept; the database lets nobody remove one sooner."""

LOGIN_FAILED: Final = "LOGIN_FAILED"
DENIED: Final = "DENIED"
KEY_USED: Final = "KEY_USED"
TOKEN_GIVEN: Final = "TOKEN_GIVEN"
KEY_ADDED: Final = "KEY_ADDED"
KEY_ROTATED: Final = "KEY_ROTATED"
KEY_REVOKED: Final = "KEY_REVOKED"
OPERATOR_ADDED: Final = "OPERATOR_ADDED"
OPERATOR_CHANGED: Final = "OPERATOR_CHANGED"
EXPORT: Final = "EXPORT"
WEBHOOK_ADDED: Final = "WEBHOOK_ADDED"
WEBHOOK_CHANGED: Final = "WEBHOOK_CHANGED"
WEBHOOK_REMOVED: Final = "WEBHOOK_REMOVED"
WEBHOOK_ROTATED: Final = "WEBHOOK_ROTATED"
WEBHOOK_REPLAYED: Final = "WEBHOOK_REPLAYED"
LOST: Final = "LOST"
CLOCK_JUMPED: Final = "CLOCK_JUMPED"
"""The clock of a serving process's machine jumped; belongs to the installation (GLI-19 2.8.8)."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What was done at the door, without when and how often. `operator` None: nobody knows whose it is."""

    kind: str
    operator: str | None = None
    subject: str | None = None
    key_id: str | None = None
    address: str | None = None
    method: str | None = None
    route: str | None = None
    status: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AccessLine:
    """A row of the access log; `request_id` is that of the first of its visits."""

    at: datetime
    visit: Visit
    times: int
    request_id: str | None
