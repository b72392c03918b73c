"""Are the answers that keys have served still those of the log? Without one, a request sent again would count twice.

The chain does not cover them, so each is held against the events: every event that a key caused has its answer, kept
for the last of the events and saying so, of a success, with the balance that they left; none speaks of more events than
there are. What the request was, of which only a fingerprint is kept, and other words of an answer the log cannot tell.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from domain.frozen import dataclass
from domain.transactions import TransactionRecorded
from domain.wallets.events import MOVES
from services.ports import Meta, Recorded

_FAULTS_MAX: Final = 20
_SUCCESS: Final = range(200, 300)
_MOVES: Final = frozenset(MOVES)


class KeptAnswer(NamedTuple):
    """A row of the idempotency records; `body` None: the answer is made from the events."""

    operator: str
    scope: str
    key: str
    status: int
    body: bytes | None
    position: int


class RecordFault(NamedTuple):
    """The position that an answer is missing or wrong for, and why."""

    position: int
    reason: str


@dataclass(slots=True)
class _Caused:
    """What a key caused: its first and last position, whether a round had part in it, and what a wallet had then."""

    first: int
    last: int
    of_round: bool = False
    balance: tuple[int, int] | None = None
    answered: bool = False


class RecordBook:
    """Take every event of a log, then `check` the answers."""

    def __init__(self) -> None:
        self._wanted: dict[int, _Caused] = {}
        self._transactions: dict[int, int] = {}
        """By the operator's own id: the key that came with it."""
        self._meta: Meta | None = None
        self._caused_now: _Caused | None = None
        """What the key of the last event caused; None: it came with none."""

    def take(self, one: Recorded) -> None:
        """The next event. Keys are remembered by a number each, since there are millions."""
        if one.meta is not self._meta:  # the events of a command share it where they are read together
            self._begin(one.meta, one.position)
        caused = self._caused_now
        if caused is None:
            return
        caused.last = one.position
        event: Any = one.event
        if type(event) in _MOVES:
            caused.balance = event.available_after_minor, event.held_after_minor
        if not caused.of_round:
            caused.of_round = hasattr(event, "round")
        if isinstance(event, TransactionRecorded):
            meta = one.meta
            name = hash((meta.operator, meta.idempotency_key))
            self._transactions[hash((meta.operator, event.transaction_id))] = name

    def _begin(self, meta: Meta, position: int) -> None:
        self._meta = meta
        if (key := meta.idempotency_key) is None:
            self._caused_now = None
            return
        name = hash((meta.operator, key))
        self._caused_now = self._wanted.get(name)
        if self._caused_now is None:
            self._caused_now = self._wanted[name] = _Caused(position, position)

    def check(self, answers: Iterable[KeptAnswer], head: int) -> list[RecordFault]:
        """What does not hold, in order of position, when the log had `head` events as the answers were read."""
        found: list[RecordFault] = []
        for one in answers:
            if None in (one.operator, one.scope, one.key, one.status, one.position):
                found.append(RecordFault(0, f"an answer of {one.operator} is not whole"))
                continue
            caused = self._caused(one)
            if (reason := _fault_of(one, caused, head)) is not None:
                at = head + 1 if one.position > head else one.position if caused is None else caused.last
                found.append(RecordFault(at, f"an answer of {one.operator} {reason}"))
        found += [RecordFault(one.first, "its key has no answer") for one in self._wanted.values() if not one.answered]
        return sorted(found)[:_FAULTS_MAX]

    def _caused(self, one: KeptAnswer) -> _Caused | None:
        """What the request of an answer caused; None where that was nothing, or nobody can tell."""
        name = hash((one.operator, one.key))
        if one.scope == "transaction":
            return self._wanted.get(self._transactions.get(name, 0))
        caused = self._wanted.get(name) if one.scope == "key" else None
        if caused is not None:
            caused.answered = True
        return caused


def _fault_of(one: KeptAnswer, caused: _Caused | None, head: int) -> str | None:
    """Why it cannot be the answer that was given, None where it can."""
    if one.position > head:
        return f"is of position {one.position}"
    if one.status not in _SUCCESS:
        return f"is kept with the status {one.status}, and only successes are kept"
    if caused is not None and one.position != caused.last:
        return f"is kept for {one.position}, and its last event is at {caused.last}"
    if one.body is None:
        return None if caused is None or caused.of_round else "is gone"
    said = _said(one.body)
    if said is None:
        return "cannot be read"
    if (caused is not None or "position" in said) and said.get("position") != one.position:
        return f"says position {said.get('position')}, and was kept for {one.position}"
    balance = said.get("balance")
    if caused is not None and caused.balance is not None and isinstance(balance, dict):
        told = balance.get("available"), balance.get("held")
        if told != caused.balance:
            return f"says that {told[0]} are available and {told[1]} held, its events {caused.balance}"
    return None


def _said(body: bytes) -> Mapping[str, Any] | None:
    """What an answer says; None where it cannot be read."""
    try:
        made = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, dict) else None
