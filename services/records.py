"""Are the answers that keys have served still those of the log? Without one, a request sent again would count twice.

The chain does not cover them, so each is held against the events: every event that a key caused has its answer, every
answer says the position at which it was recorded, and none speaks of more events than there are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from services.ports import Recorded

_FAULTS_MAX: Final = 20


class KeptAnswer(NamedTuple):
    """A row of the idempotency records; `body` None: the answer is made from the events."""

    operator: str
    scope: str
    key: str
    body: bytes | None
    position: int


class RecordFault(NamedTuple):
    """The position that an answer is missing or wrong for, and why."""

    position: int
    reason: str


class RecordBook:
    """Take every event of a log, then `check` the answers."""

    def __init__(self) -> None:
        self._wanted: dict[int, int] = {}

    def take(self, one: Recorded) -> None:
        """The next event. Keys are remembered by a number each, since there are millions."""
        if (key := one.meta.idempotency_key) is not None:
            self._wanted.setdefault(hash((one.meta.operator, key)), one.position)

    def check(self, answers: Iterable[KeptAnswer], head: int) -> list[RecordFault]:
        """What does not hold, in order of position, when the log had `head` events as the answers were read."""
        found: list[RecordFault] = []
        for one in answers:
            if one.scope == "key":
                self._wanted.pop(hash((one.operator, one.key)), None)
            if one.position > head:
                found.append(RecordFault(head + 1, f"an answer of {one.operator} is of position {one.position}"))
            elif (said := _said(one.body)) is not None and said != one.position:
                reason = f"an answer of {one.operator} says position {said}, and was kept for {one.position}"
                found.append(RecordFault(one.position, reason))
        found += [RecordFault(position, "its key has no answer") for position in self._wanted.values()]
        return sorted(found)[:_FAULTS_MAX]


def _said(body: bytes | None) -> object:
    """The position that an answer tells of itself; None where it tells none."""
    if body is None:
        return None
    try:
        made = json.loads(body)
    except ValueError:
        return "that cannot be read"
    return made.get("position") if isinstance(made, dict) else None
