"""The journal for a general ledger, entry by entry: a line repeats what its entry is, as importers want it (R5).

An entry whose lines do not sum to zero stops the export: no unbalanced file leaves the house (I2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from domain.errors import Conflict
from domain.flows import Line, postings
from domain.frozen import dataclass
from domain.views.model import time_text
from services.ports import Told
from services.reports.scope import Scope, When
from services.reports.tables import Column, Layout, Row, Unit

ENTRIES: Final = Layout(
    "entries",
    "Entries",
    ("currency", "position", "line"),
    (
        Column("day", "Gaming day", Unit.TEXT),
        Column("at", "At", Unit.TEXT),
        Column("entry", "Entry", Unit.TEXT),
        Column("account", "Account", Unit.TEXT),
        Column("debit_micro", "Debit", Unit.MICRO),
        Column("credit_micro", "Credit", Unit.MICRO),
        Column("amount_micro", "Amount", Unit.MICRO),
        Column("event", "Event", Unit.TEXT),
        Column("actor", "By", Unit.TEXT),
        Column("reference", "Reference", Unit.TEXT),
    ),
)
"""One row for each posting; `amount` is the credit less the debit."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One ledger entry: its lines with the events that they stand in, in the order of the log."""

    name: str
    lines: tuple[tuple[Told, int, Line], ...]

    @property
    def first(self) -> Told:
        """The event that it begins with."""
        return self.lines[0][0]

    def require_balanced(self) -> None:
        """Raises Conflict where a currency does not sum to zero."""
        sums: Counter[str] = Counter()
        for _, _, line in self.lines:
            sums[line.currency] += line.amount_micro
        for currency, micro in sums.items():
            if micro:
                raise Conflict(
                    f"position {self.first.one.position}: entry {self.name} sums to {micro} micro-units of {currency};"
                    " an unbalanced journal is not written, run studbook verify"
                )


def entries(log: Iterable[Told]) -> Iterator[Entry]:
    """The entries of the log in order, each whole and balanced. Raises Conflict for one that is not."""
    name, lines = "", list[tuple[Told, int, Line]]()
    for told in log:
        this = f"{told.one.meta.causation}/{told.one.entry}"
        if this != name and lines:
            yield _closed(name, lines)
            lines = []
        name = this
        lines += [(told, number, line) for number, line in enumerate(postings(told.one.event))]
    if lines:
        yield _closed(name, lines)


def journal_rows(scope: Scope, log: Iterable[Told]) -> Iterator[Row]:
    """A row of ENTRIES for each line of the time asked about."""
    for entry in entries(log):
        if scope.when(entry.first) is When.WITHIN:
            for told, number, line in entry.lines:
                if scope.currency in (None, line.currency):
                    yield _row(scope, entry.name, told, number, line)


def reference(told: Told) -> str:
    """The operator's id of the transaction, or the round, or the stream that the event belongs to."""
    event = told.one.event
    return str(getattr(event, "transaction_id", None) or getattr(event, "round", None) or told.one.stream)


def _closed(name: str, lines: list[tuple[Told, int, Line]]) -> Entry:
    entry = Entry(name, tuple(lines))
    entry.require_balanced()
    return entry


def _row(scope: Scope, entry: str, told: Told, number: int, line: Line) -> Row:
    micro = line.amount_micro
    key = (line.currency, str(told.one.position), str(number))
    return Row(
        key,
        (
            scope.day(told).isoformat(), time_text(scope.at(told)), entry, line.account, max(-micro, 0), max(micro, 0),
            micro, told.name, told.one.meta.actor, reference(told),
        ),
    )  # fmt: skip
