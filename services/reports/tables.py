"""What a report is made of: tables whose cells are sums of parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from domain.frozen import dataclass
from services.ports import Told
from services.reports.scope import Scope


class Unit(StrEnum):
    """What a cell counts, so that every writer (text, CSV, XLSX, plot) shows it rightly."""

    MINOR = "minor"
    """Minor units of the currency in the row's key `currency`."""
    MICRO = "micro"
    """Millionths of a minor unit of the same."""
    COUNT = "count"
    PPM = "ppm"
    """Millionths: a return of 0.963 is 963000."""
    TEXT = "text"


Cell = int | str | None
"""What stands in a cell; None: nothing can be said, such as a return on no stake."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column. Where `derived` is given the cell is worked out from the cells named in `inputs`."""

    name: str
    title: str
    unit: Unit
    inputs: tuple[str, ...] = ()
    derived: Callable[[Mapping[str, Cell]], Cell] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of a table: `keys` name what tells its rows apart, in the order in which they are sorted."""

    name: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column:
        """The column of that name; KeyError."""
        for one in self.columns:
            if one.name == name:
                return one
        raise KeyError(name)


class Part(NamedTuple):
    """What one event gives to one cell: an integer is added, a text takes the place of the one before."""

    table: str
    row: tuple[str, ...]
    column: str
    value: int | str


class Report(Protocol):
    """One run of a report: it is given every event up to the scope's end, those before `begin` too."""

    def parts(self, told: Told) -> Iterable[Part]:
        """What this event gives to which cells."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A report that can be asked for: how it is called, what its tables look like, and how a run is made."""

    name: str
    title: str
    about: str
    tables: tuple[Layout, ...]
    make: Callable[[Scope], Report]

    def layout(self, table: str) -> Layout:
        """The table of that name; KeyError."""
        for one in self.tables:
            if one.name == table:
                return one
        raise KeyError(table)


class Row(NamedTuple):
    """A row of a finished table: its key, and a cell for each column."""

    key: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A finished table; no rows: no activity (R27)."""

    layout: Layout
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished report: of which scope, up to which position of the log."""

    kind: Kind
    scope: Scope
    position: int
    tables: tuple[Table, ...]

    @property
    def empty(self) -> bool:
        """Whether there was no activity at all."""
        return not any(table.rows for table in self.tables)
