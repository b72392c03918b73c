"""A log as reports see it, and reports over it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from adapters.codec import CODEC
from domain.ids import round_stream, stream_operator
from domain.rounds.events import RoundOpened
from services.ports import Recorded, Told
from services.reports.asking import CellName, asked_of
from services.reports.run import explain, run, worth
from services.reports.scope import Scope
from services.reports.tables import Cell, Kind, Printed

UTC = ZoneInfo("UTC")


def told_of(events: Sequence[Recorded]) -> list[Told]:
    """Events with the openings of their rounds."""
    openings = {one.stream: one.event for one in events if isinstance(one.event, RoundOpened)}
    found = []
    for one in events:
        round_id = getattr(one.event, "round", None)
        stream = round_stream(stream_operator(one.stream), round_id) if isinstance(round_id, str) else ""
        found.append(Told(one, CODEC.name(one.event), openings.get(stream)))
    return found


def scope_of(operator: str, begin: datetime | None = None, end: datetime | None = None, **choices: Any) -> Scope:
    """A scope in UTC unless told otherwise."""
    return Scope(operator, choices.pop("zone", UTC), begin, end, **choices)


def cells_of(printed: Printed, table: str) -> dict[tuple[str, ...], dict[str, Cell]]:
    """The cells of a table by key and column."""
    for one in printed.tables:
        if one.layout.name == table:
            names = [column.name for column in one.layout.columns]
            return {row.key: dict(zip(names, row.cells, strict=True)) for row in one.rows}
    raise KeyError(table)


def printed_of(kind: Kind, events: Sequence[Recorded], **choices: Any) -> Printed:
    """A report over a log of one operator; `asked` are its parameters."""
    told = told_of(events)
    operator = stream_operator(events[0].stream) if events else "demo"
    asked = choices.pop("asked", {})
    now = events[-1].recorded_at + timedelta(seconds=1) if events else datetime(2026, 11, 29, tzinfo=UTC)
    return run(kind, asked_of(kind, scope_of(operator, **choices), asked, now), told)


def summed(printed: Printed, table: str, column: str, **keys: str) -> int:
    """The sum of a column over the rows with these keys."""
    rows = [one for one in printed.table(table).objects() if all(one[key] == text for key, text in keys.items())]
    return sum(int(one[column] or 0) for one in rows)


def all_explained(kind: Kind, events: Sequence[Recorded], **choices: Any) -> int:
    """Hold each number of the report against the events that it is said to come from; how many there are."""
    printed = printed_of(kind, events, **choices)
    told, scope, held = told_of(events), printed.scope, 0
    for table in printed.tables:
        for row in table.rows:
            for column, cell in zip(table.layout.columns, row.cells, strict=True):
                name = CellName(table.layout.name, row.key, column.name)
                found = explain(kind, scope, told, name)
                assert worth(kind, name, found) == cell, name
                held += 1
    return held
