"""Books, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import CloudEvent


class Feed(Answer):
    """Events in order; `after` is where to go on."""

    events: list[CloudEvent]
    after: int


class JournalLine(Answer):
    """One posting. `amount_micro` is a decimal string; lines of one `command` and `entry` sum to zero."""

    position: int
    line: int
    at: str
    command: str
    entry: int
    account: str
    currency: str
    amount_micro: str
    event: str
    stream: str
    round: str | None
    transaction_id: str | None


class JournalLinePage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[JournalLine]
    next: str | None
    position: int
