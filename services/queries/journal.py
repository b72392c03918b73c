"""The journal for finance: every line of every entry, in the order of the log (R5, docs/ledger.md).

It is not stored: the lines of an event are worked out from it when somebody asks (ADR 11).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from domain.errors import Invalid
from domain.flows import Line, postings
from domain.frozen import dataclass
from domain.views.model import RowKey, place, time_text
from services.ports import Recorded
from services.ports_reads import NamedEvent, Snapshot
from services.queries.pages import Page, Turn, bad_cursor, cursor_key, cursor_of
from services.queries.reads import Reads

_LOOKED_AT_MOST: Final = 20
"""Pages that one answer looks through for lines of a rare currency; the cursor goes on from there."""
_EVENTS_LEAST: Final = 50
"""Events of a page, however few lines are asked for: most hold none, or lines of another currency."""
_LINE_DIGITS: Final = 5
_WHOLE_EVENT: Final = 10**_LINE_DIGITS - 1
"""The number in a cursor behind all lines of an event."""
_POSITION_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class JournalLine:
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


@dataclass(frozen=True, slots=True)
class JournalFilter:
    """From a time (included) to a time (not included), of one currency; None: no such bound. Aware times."""

    begin: datetime | None = None
    end: datetime | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        for field, at in (("from", self.begin), ("to", self.end)):
            if at is not None and at.tzinfo is None:
                raise Invalid("a time needs an offset, such as 2026-11-29T00:00:00Z", field=field)
        if self.begin is not None and self.end is not None and self.end < self.begin:
            raise Invalid("`to` lies before `from`", field="to")

    def takes(self, one: Recorded, line: JournalLine) -> bool:
        """Whether the line of this event lies within; `end` is where reading stops."""
        return (self.begin is None or one.recorded_at >= self.begin) and self.currency in (None, line.currency)


def lines_of(named: NamedEvent) -> Sequence[JournalLine]:
    """The lines of one event, in the order of its postings; none where it moves no money."""
    name, one = named
    return [_line(name, one, number, line) for number, line in enumerate(postings(one.event))]


async def journal(
    reads: Reads, operator: str, wanted: JournalFilter, turn: Turn, min_position: int | None = None
) -> Page[JournalLine]:
    """Lines that the filter takes, oldest first. Raises Invalid, Unavailable.

    A page may hold fewer lines than asked for and still have a `next`.
    """
    question = ("journal", _text(wanted.begin), _text(wanted.end), wanted.currency)
    behind = (0, 0) if turn.cursor is None else _place_of(cursor_key(turn.cursor, question))
    count = max(turn.limit, _EVENTS_LEAST)
    found: list[JournalLine] = []
    async with reads.views.reading_log(operator, min_position) as snapshot:
        after = await _start(snapshot, wanted, behind)
        for _ in range(_LOOKED_AT_MOST):
            read = await snapshot.events(after, count)
            events = [one for one in read if wanted.end is None or one[1].recorded_at < wanted.end]
            lines = (line for one in events for line in lines_of(one) if wanted.takes(one[1], line))
            found += (line for line in lines if (line.position, line.line) > behind)
            if len(found) > turn.limit:
                last = found[turn.limit - 1]
                cursor = _cursor(last.position, last.line, question)
                return Page(tuple(found[: turn.limit]), cursor, snapshot.position)
            if len(events) < count:
                return Page(tuple(found), None, snapshot.position)
            after = events[-1][1].position
        return Page(tuple(found), _cursor(after, _WHOLE_EVENT, question), snapshot.position)


async def _start(snapshot: Snapshot, wanted: JournalFilter, behind: tuple[int, int]) -> int:
    """The position to read past: that before the cursor's event, which may have lines left, or before `from`."""
    if behind > (0, 0):
        return behind[0] - (behind[1] < _WHOLE_EVENT)
    return 0 if wanted.begin is None else await snapshot.before(wanted.begin)


def _line(name: str, one: Recorded, number: int, line: Line) -> JournalLine:
    event = one.event
    return JournalLine(
        position=one.position,
        line=number,
        at=time_text(one.recorded_at),
        command=one.meta.causation,
        entry=one.entry,
        account=line.account,
        currency=line.currency,
        amount_micro=str(line.amount_micro),
        event=name,
        stream=one.stream,
        round=getattr(event, "round", None),
        transaction_id=getattr(event, "transaction_id", None),
    )


def _cursor(position: int, line: int, question: Sequence[str | None]) -> str:
    """Behind a line: the position of its event, and its number there."""
    return cursor_of(RowKey(place(position), f"{line:0{_LINE_DIGITS}d}"), question)


def _place_of(key: RowKey) -> tuple[int, int]:
    if not (key.grp.isascii() and key.grp.isdecimal() and key.key.isascii() and key.key.isdecimal()):
        raise bad_cursor()
    if len(key.grp) != len(place(0)) or len(key.key) != _LINE_DIGITS or not 1 <= int(key.grp) <= _POSITION_MAX:
        raise bad_cursor()
    return int(key.grp), int(key.key)


def _text(at: datetime | None) -> str | None:
    return None if at is None else time_text(at)
