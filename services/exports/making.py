"""From an order to the content of a file, and the manifest that goes with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple, assert_never

from domain.frozen import dataclass
from domain.grids import Grid, Head
from domain.views.model import time_text
from services.exports.grids import Totals, grid_of
from services.exports.hledger import hledger_lines
from services.exports.journal import ENTRIES, journal_rows
from services.exports.kinds import EVENTS, JOURNAL, Exportable, Format
from services.exports.texts import csv_lines, ndjson_lines
from services.ports import Told
from services.queries import cloud_event
from services.reports.asking import CellName
from services.reports.catalogue import REPORTS
from services.reports.printing import Exponents, as_json, sources_json
from services.reports.run import explain, run, worth
from services.reports.scope import Clock, Scope, When

STEP: Final = 1_000
MANIFEST: Final = "studbook-export/1"

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for: of which scope, in which form. With `cell` the events behind one number of a report."""

    what: Exportable
    form: Format
    scope: Scope
    table: str | None = None
    cell: CellName | None = None

    @property
    def is_of_within(self) -> bool:
        """Whether it tells of nothing before its time, so that the log need not be read from its beginning: recorded
        times never go back in it.
        """
        scope = self.scope
        is_told = self.what.name in (EVENTS, JOURNAL) and self.form is not Format.HLEDGER
        return is_told and scope.clock is Clock.RECORDED and scope.begin is not None

    @property
    def file_name(self) -> str:
        """Such as `trial-balance-2026-11-29-2026-11-30.csv`: days of the operator's zone, and nobody's name."""
        parts = [self.what.name]
        if self.table is not None and self.table != self.what.tables[0].name:
            parts.append(self.table)
        for at in (self.scope.begin, self.scope.end):
            if at is not None:
                parts.append(f"{at.astimezone(self.scope.zone):%Y-%m-%d}")
        return f"{'-'.join(parts)}.{self.form}"


class Book(NamedTuple):
    """Tables for a writer that needs them as such."""

    head: Head
    grids: tuple[Grid, ...]


Content = Iterable[str] | Book


class Making:
    """One export while it is made. Once its content is written, `manifest` tells what it was."""

    def __init__(
        self, order: Order, exponents: Exponents, now: datetime, progress: Progress = lambda _: None, position: int = 0
    ) -> None:
        """`position`: of the operator's last event before those that it is given."""
        self.order = order
        self.totals = Totals()
        self.position = position
        self._exponents = exponents
        self._now = now
        self._progress = progress

    def content(self, log: Iterable[Told]) -> Content:
        """What the file holds, from the operator's events in order. Raises Invalid for a question that has no answer,
        Conflict for a log that does not balance.
        """
        order, seen = self.order, self._seen(log)
        match order.form:
            case Format.CSV:
                return csv_lines(self._grids(seen)[0])
            case Format.NDJSON:
                return self._events(seen) if order.what.name == EVENTS else ndjson_lines(self._grids(seen))
            case Format.XLSX | Format.PARQUET:
                grids = self._grids(seen)
                return Book(self._head(), grids)
            case Format.HLEDGER:
                return hledger_lines(order.scope, seen, self._exponents, self.totals)
            case Format.JSON:
                return [json.dumps(self._object(seen), ensure_ascii=False, separators=(",", ":"))]
            case _:
                assert_never(order.form)

    def manifest(self, *, sha256: str, size: int, software: str) -> dict[str, Any]:
        """What was exported, from where to where, how large it is, its hash and its control totals."""
        scope, order = self.order.scope, self.order
        return {
            "manifest": MANIFEST,
            "kind": order.what.name,
            "format": order.form.value,
            "table": order.table,
            "file": order.file_name,
            "operator": scope.operator,
            "from": None if scope.begin is None else time_text(scope.begin),
            "to": None if scope.end is None else time_text(scope.end),
            "zone": scope.zone.key,
            "currency": scope.currency,
            "clock": scope.clock.value,
            "parameters": dict(scope.asked),
            "generated_at": time_text(self._now),
            "position": self.position,
            "software": software,
            "bytes": size,
            "sha256": sha256,
            "totals": self.totals.as_json(),
        }

    def _seen(self, log: Iterable[Told]) -> Iterator[Told]:
        for number, told in enumerate(log):
            self.position = told.one.position
            if number % STEP == 0:
                self._progress(self.position)
            yield told
        self._progress(self.position)

    def _grids(self, log: Iterable[Told]) -> tuple[Grid, ...]:
        """The tables of the order; a report is run through at once, the journal while it is written."""
        order = self.order
        if order.what.name == JOURNAL:
            return (grid_of(ENTRIES, journal_rows(order.scope, log), self._exponents, self.totals),)
        tables = run(REPORTS[order.what.name], order.scope, log).tables
        return tuple(
            grid_of(one.layout, one.rows, self._exponents, self.totals)
            for one in tables
            if order.table in (None, one.layout.name)
        )

    def _events(self, log: Iterable[Told]) -> Iterator[str]:
        scope = self.order.scope
        for told in log:
            if scope.when(told) is When.WITHIN:
                self.totals.count(EVENTS)
                yield json.dumps(cloud_event((told.name, told.one)), ensure_ascii=False, separators=(",", ":")) + "\n"

    def _object(self, log: Iterable[Told]) -> dict[str, Any]:
        """A report as JSON, or the events behind one number of it."""
        order = self.order
        kind = REPORTS[order.what.name]
        if order.cell is not None:
            found = explain(kind, order.scope, log, order.cell)
            return sources_json(found, worth(kind, order.cell, found))
        printed = run(kind, order.scope, log)
        for table in printed.tables:
            for _ in grid_of(table.layout, table.rows, self._exponents, self.totals).rows:
                pass  # counted
        return as_json(printed, self._now)

    def _head(self) -> Head:
        scope = self.order.scope
        begin, end = (None if at is None else at.astimezone(scope.zone).isoformat() for at in (scope.begin, scope.end))
        return Head(
            self.order.what.name,
            (
                ("Name", self.order.what.name),
                ("Operator", scope.operator),
                ("From (included)", begin or "the beginning"),
                ("To (not included)", end or "now"),
                ("Zone", scope.zone.key),
                ("Currency", scope.currency or "all"),
                ("Clock", scope.clock.value),
                *scope.asked.items(),
                ("Generated at", self._now.astimezone(scope.zone).isoformat(timespec="seconds")),
            ),
        )
