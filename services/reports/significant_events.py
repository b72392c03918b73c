"""Significant events: who changed what, why, and what it was before and after (R22, R23; names as in GLI's lists).

Amounts stand in columns of their own. `notes.Memory` says of each event what it is; what has no line there is not one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from domain.frozen import dataclass
from domain.ids import stream_kind
from domain.money import MICRO
from domain.views.model import time_text
from services.ports import Told
from services.reports.columns import micro, text
from services.reports.notes import Memory, Note
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Parameter, Part

EVENTS: Final = "events"
THRESHOLD_MINOR: Final = 500_000


class _Subject(NamedTuple):
    """What the event is about: the kind of stream, and its id."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class _SignificantEvents:
    scope: Scope
    memory: Memory

    def parts(self, told: Told) -> Iterator[Part]:
        """The line of an event that is one of these."""
        note = self.memory.note(told)
        if note is None or self.scope.when(told) is not When.WITHIN:
            return
        if note.currency and not self.scope.takes(note.currency):
            return
        yield from self._line(told, note)

    def _line(self, told: Told, note: Note) -> Iterator[Part]:
        one, subject = told.one, _subject(told)
        row = (note.currency, str(one.position))
        yield Part(EVENTS, row, "at", time_text(self.scope.at(told)))
        yield Part(EVENTS, row, "what", note.what)
        yield Part(EVENTS, row, "kind", subject.kind)
        yield Part(EVENTS, row, "subject", subject.name)
        yield Part(EVENTS, row, "by", one.meta.actor)
        yield Part(EVENTS, row, "approver", note.approver or str(getattr(one.event, "approver", None) or ""))
        yield Part(EVENTS, row, "reason", str(getattr(one.event, "reason", None) or ""))
        yield Part(EVENTS, row, "before", note.before)
        yield Part(EVENTS, row, "after", note.after)
        if note.amounts is not None:
            for column, amount in zip(("before_micro", "after_micro"), note.amounts, strict=True):
                yield Part(EVENTS, row, column, amount)


def _subject(told: Told) -> _Subject:
    stream = told.one.stream
    return _Subject(stream_kind(stream), stream.split("/", 2)[2])


SIGNIFICANT_EVENTS: Final = Kind(
    name="significant-events",
    title="Significant events",
    about="Voids, corrections, parameters, adjustments, balances below zero, large wins: who, why, before, after.",
    tables=(
        Layout(
            EVENTS,
            "Events",
            ("currency", "position"),
            (
                text("at", "At"),
                text("what", "What"),
                text("kind", "Of"),
                text("subject", "Id"),
                text("by", "By"),
                text("approver", "Approver"),
                text("reason", "Reason"),
                text("before", "Before"),
                text("after", "After"),
                micro("before_micro", "Amount before"),
                micro("after_micro", "Amount after"),
            ),
            in_order=True,
        ),
    ),
    make=lambda scope: _SignificantEvents(scope, Memory(scope.whole("threshold") * MICRO)),
    parameters=(
        Parameter("threshold", "from this many minor units on a wager or a win is large", str(THRESHOLD_MINOR)),
    ),
)
