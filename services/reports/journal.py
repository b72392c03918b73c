"""The journal of a time: every line of every entry, in the order of the log (R5; docs/ledger.md, Postings)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from domain.flows import Line, postings
from domain.frozen import dataclass
from domain.views.model import time_text
from services.ports import Told
from services.reports.columns import micro, text
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part
from services.reports.trial_balance import side

LINES: Final = "lines"
TOTALS: Final = "totals"


def about(told: Told, scope: Scope) -> Iterator[tuple[str, str]]:
    """What a line of a book says of its event, by column: when, what, by whom, and which entry and business."""
    one = told.one
    yield "at", time_text(scope.at(told))
    yield "event", told.name
    yield "actor", one.meta.actor
    yield "entry", f"{one.meta.causation}/{one.entry}"
    yield "reference", reference(told)


def reference(told: Told) -> str:
    """The operator's id of the transaction, or the round, or the stream that the event belongs to."""
    event = told.one.event
    return str(getattr(event, "transaction_id", None) or getattr(event, "round", None) or told.one.stream)


ABOUT: Final = (
    text("at", "At"),
    text("event", "Event"),
    text("actor", "By"),
    text("entry", "Entry", working=True),
    text("reference", "Reference"),
)
"""The columns of `about`."""


@dataclass(frozen=True, slots=True)
class _Journal:
    scope: Scope

    def parts(self, told: Told) -> Iterable[Part]:
        """The lines of an event within the time asked about."""
        if self.scope.when(told) is not When.WITHIN:
            return
        for number, line in enumerate(postings(told.one.event)):
            if self.scope.takes(line.currency):
                yield from self._line(told, number, line)

    def _line(self, told: Told, number: int, line: Line) -> Iterator[Part]:
        row = (line.currency, str(told.one.position), str(number))
        for column, value in about(told, self.scope):
            yield Part(LINES, row, column, value)
        yield Part(LINES, row, "account", line.account)
        yield Part(LINES, row, "amount_micro", line.amount_micro)
        yield Part(TOTALS, (line.currency,), *side(line.amount_micro, before=False))


JOURNAL: Final = Kind(
    name="journal",
    title="Journal",
    about="Every line of every entry of a time, and that debits equal credits.",
    tables=(
        Layout(
            LINES,
            "Lines",
            ("currency", "position", "line"),
            (*ABOUT, text("account", "Account"), micro("amount_micro", "Amount")),
            in_order=True,
        ),
        Layout(TOTALS, "Totals", ("currency",), (micro("debit_micro", "Debit"), micro("credit_micro", "Credit"))),
    ),
    make=_Journal,
)
