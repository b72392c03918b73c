"""Breaks with what persons have made of them: whose they are, how old, open or resolved."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from domain.frozen import dataclass
from domain.reconciliations import BreakResolved, FoundBreak
from services.reconcile.asked import Question
from services.reconcile.book import Book
from services.reconcile.breaks import Break


@dataclass(frozen=True, slots=True)
class Standing:
    """A break now. `owner` is empty until it is recorded; `is_found` False: it was recorded, this run has it not."""

    of: Break | FoundBreak
    kind: str
    day: date
    owner: str
    age_days: int
    resolved: BreakResolved | None
    is_found: bool

    @property
    def is_open(self) -> bool:
        """Whether nobody has resolved it."""
        return self.resolved is None


def standing(question: Question, book: Book, found: Iterable[Break]) -> tuple[Standing, ...]:
    """The breaks of the days asked about: those found, then those recorded before and not found any more."""
    listed = []
    names = set()
    for one in found:
        names.add(one.id)
        recorded, resolved = _known(book, one.day, one.id)
        same = recorded is not None and (recorded.expected, recorded.found) == (one.expected, one.found)
        owner = "" if recorded is None else recorded.owner
        age = max((question.now - one.since).days, 0)
        listed.append(Standing(one, one.kind.value, one.day, owner, age, resolved if same else None, is_found=True))
    for day, known in sorted(book.days.items()):
        if question.has(day):
            for left in (one for one in known.breaks if one.id not in names):
                resolved = _known(book, day, left.id)[1]
                age = _days(question.now, day)
                listed.append(Standing(left, left.kind, day, left.owner, age, resolved, is_found=False))
    return tuple(listed)


def _known(book: Book, day: date, name: str) -> tuple[FoundBreak | None, BreakResolved | None]:
    known = book.days.get(day)
    if known is None:
        return None, None
    recorded = next((one for one in known.breaks if one.id == name), None)
    return recorded, next((one for one in known.resolved if one.break_id == name), None)


def _days(now: datetime, day: date) -> int:
    return max((now.date() - day).days, 0)
