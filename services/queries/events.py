"""Events as CloudEvents 1.0: for followers of the log, and all of one round for the auditor.

Sealed cards are left out, encrypted as they are; the opened ones stand in the events that opened them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from domain.errors import Invalid, NotFound
from domain.frozen import dataclass
from domain.ids import round_stream, seat_prefix
from domain.views.model import RowKey, place, time_text
from domain.views.rounds import ROUNDS, RoundRow, round_key
from services.ports import Recorded
from services.ports_reads import NamedEvent
from services.queries.pages import LIMIT_MAX, Turn, bad_cursor, cursor_key, cursor_of
from services.queries.reads import Reads

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]
CloudEvent = dict[str, Json]

TYPE_PREFIX: Final = "studbook."
_SEALED: Final = "sealed_"


SEQUENCE_DIGITS: Final = 19
"""CloudEvents orders sequences as texts, so they are of one length."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events a follower takes: those whose type and subject begin so. A type begins with TYPE_PREFIX."""

    type: str = TYPE_PREFIX
    subject: str = ""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self.type == TYPE_PREFIX and not self.subject

    def takes(self, event: CloudEvent) -> bool:
        """Whether this event is one of them."""
        return str(event["type"]).startswith(self.type) and str(event["subject"]).startswith(self.subject)


ALL: Final = Wanted()


@dataclass(frozen=True, slots=True)
class Feed:
    """Events in order. `after` is where to go on: the position of the last one, or what was asked for."""

    events: tuple[CloudEvent, ...]
    after: int


async def events_after(
    reads: Reads,
    operator: str,
    after: int,
    limit: int = 100,
    min_position: int | None = None,
    *,
    wanted: Wanted = ALL,
) -> Feed:
    """The operator's next events past a position. With `wanted` the others are passed over, some thousands at a time:
    then an empty Feed whose `after` has moved is not the end. Raises Invalid, Unavailable.
    """
    if after < 0:
        raise Invalid("a position is 0 or more", field="after")
    if not 1 <= limit <= LIMIT_MAX:
        raise Invalid(f"a page has 1 to {LIMIT_MAX} events", field="limit")
    models = () if min_position is None else {ROUNDS.name}
    async with reads.views.reading(operator, models, min_position) as snapshot:
        start = min(after, 2**63 - 1)
        if wanted.is_everything:
            found = await snapshot.events(start, limit)
            reached = found[-1][1].position if found else after
        else:
            name = wanted.type.removeprefix(TYPE_PREFIX)
            found, reached = await snapshot.events_like(start, limit, name, wanted.subject)
    return Feed(tuple(cloud_event(one) for one in found), max(reached, after))


async def events_head(reads: Reads, operator: str) -> int:
    """The position of the operator's last event, 0 when there is none. Raises Unavailable."""
    async with reads.views.reading(operator, ()) as snapshot:
        return await snapshot.head()


@dataclass(frozen=True, slots=True)
class RoundEvents:
    """Events of a round in order, and the cursor of those that follow."""

    items: tuple[CloudEvent, ...]
    next: str | None


async def round_events(
    reads: Reads, operator: str, round_id: str, turn: Turn, min_position: int | None = None
) -> RoundEvents:
    """What happened in a round, to its seats, and through it to its pool. Raises NotFound, Invalid, Unavailable.

    Waits until the view of the round has all that is in the log now, since it knows which pool events belong to it.
    """
    question = ("round-events", round_id)
    after = 0 if turn.cursor is None else _position_in(cursor_key(turn.cursor, question).key)
    async with reads.views.reading(operator, ()) as snapshot:
        head = await snapshot.head()
    async with reads.views.reading(operator, {ROUNDS.name}, max(head, min_position or 0)) as snapshot:
        row = await snapshot.get(ROUNDS.name, round_key(round_id), RoundRow)
        if row is None:
            raise NotFound("no such round", field="round")
        streams, seats = [round_stream(operator, round_id)], seat_prefix(operator, round_id)
        found = await snapshot.events_of(streams, seats, row.pool_positions, after=after, limit=turn.limit + 1)
    page = found[: turn.limit]
    more = len(found) > turn.limit
    after_it = cursor_of(RowKey("event", place(page[-1][1].position)), question) if more else None
    return RoundEvents(tuple(map(cloud_event, page)), after_it)


def _position_in(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) == SEQUENCE_DIGITS):
        raise bad_cursor()
    return min(int(text), 2**63 - 1)


def cloud_event(named: NamedEvent) -> CloudEvent:
    """One event as CloudEvents' JSON format has it. `sequence` is its position in the log, of a fixed length;
    `traceparent` (of the distributed tracing extension) is there where the request that caused it had one.
    """
    name, one = named
    made: CloudEvent = {
        "specversion": "1.0",
        "id": str(one.position),
        "source": f"/studbook/{one.meta.operator}",
        "type": f"{TYPE_PREFIX}{name}",
        "subject": one.stream.partition("/")[2],
        "time": time_text(one.recorded_at),
        "datacontenttype": "application/json",
        "sequence": f"{one.position:0{SEQUENCE_DIGITS}d}",
        "data": _data(one),
    }
    if one.meta.traceparent is not None:
        made["traceparent"] = one.meta.traceparent
    return made


def _data(one: Recorded) -> Json:
    meta = one.meta
    return {
        **_fields(one.event),
        "meta": {
            "actor": meta.actor,
            "request_id": meta.request_id,
            "correlation_id": meta.correlation,
            "causation_id": meta.causation,
            "effective_at": time_text(meta.effective_at),
        },
    }


def _fields(value: object) -> dict[str, Json]:
    assert is_dataclass(value)
    return {one.name: plain(getattr(value, one.name)) for one in fields(value) if not one.name.startswith(_SEALED)}


def plain(value: object) -> Json:
    """A field of an event as JSON. Raises TypeError for what no event holds."""
    match value:
        case None | bool() | int():
            return value
        case Enum():
            return str(value.value)
        case str():
            return value
        case datetime():
            return time_text(value)
        case tuple():
            return [plain(one) for one in value]
        case _ if is_dataclass(value):
            return _fields(value)
        case _:
            raise TypeError(f"{type(value).__name__} is not a field of an event")
