"""The journal for finance: every line of every entry, in the order of the log (R5, docs/ledger.md)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from domain.errors import Invalid
from domain.views.journal import JOURNAL, JournalLine, day_group
from domain.views.model import RowKey, time_text
from services.queries.pages import Page, Scope, Turn, cursor_of, scan_page
from services.queries.reads import Reads

_DATE: Final = len("2026-11-29")
_LOOKED_AT_MOST: Final = 20
"""Pages that one answer looks through for lines of a rare currency; the cursor goes on from there."""


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

    def takes(self, line: JournalLine) -> bool:
        """Whether the line lies within."""
        begin, end = _text(self.begin), _text(self.end)
        in_time = (begin is None or line.at >= begin) and (end is None or line.at < end)
        return in_time and self.currency in (None, line.currency)


async def journal(
    reads: Reads, operator: str, wanted: JournalFilter, turn: Turn, min_position: int | None = None
) -> Page[JournalLine]:
    """Lines that the filter takes, oldest first. Raises Invalid, Unavailable.

    A page may hold fewer lines than asked for and still have a `next`.
    """
    begin, end = _text(wanted.begin), _text(wanted.end)
    question = ("journal", begin, end, wanted.currency)
    first = RowKey(day_group(begin[:_DATE] if begin else ""), "")
    last = RowKey(day_group(end[:_DATE] if end else "~"), "~")
    scope = Scope(JOURNAL.name, JournalLine, first, last)
    found: list[JournalLine] = []
    async with reads.views.reading(operator, {JOURNAL.name}, min_position) as snapshot:
        for _ in range(_LOOKED_AT_MOST):
            rows, after = await scan_page(snapshot, scope, turn, question)
            for key, line in rows:
                if wanted.takes(line):
                    found.append(line)
                if len(found) == turn.limit:
                    more = after is not None or key != rows[-1][0]
                    return Page(tuple(found), cursor_of(key, question) if more else None, snapshot.position)
            if after is None:
                return Page(tuple(found), None, snapshot.position)
            turn = Turn(turn.limit, after)
        return Page(tuple(found), turn.cursor, snapshot.position)


def _text(at: datetime | None) -> str | None:
    return None if at is None else time_text(at)
