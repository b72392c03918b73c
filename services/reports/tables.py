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
    """A column. Where `derived` is given the cell is worked out from those named in `inputs`, which stand before it.

    `working` columns are there for others to be worked out from: machines are given them, people are not shown them.
    `nothing` says, for people, what it means that a cell is empty.
    """

    name: str
    title: str
    unit: Unit
    inputs: tuple[str, ...] = ()
    derived: Callable[[Mapping[str, Cell]], Cell] | None = None
    working: bool = False
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of a table: `keys` name what tells its rows apart, in the order in which they are sorted.

    `in_order`: the table is a list, its rows stand as their first events came, and a number that no event gave is not
    there (elsewhere it is 0). `sparse`: rows whose numbers are all zero are left out, as debts that are paid.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    in_order: bool = False
    sparse: bool = False

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
class Parameter:
    """What a report is asked beside its scope, such as the account of a statement; None: there is no default."""

    name: str
    about: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A report that can be asked for: how it is called, what its tables look like, and how a run is made.

    `dated`: it says how old something is, so that without an end it is asked as of now.
    """

    name: str
    title: str
    about: str
    tables: tuple[Layout, ...]
    make: Callable[[Scope], Report]
    parameters: tuple[Parameter, ...] = ()
    dated: bool = False

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

    def objects(self) -> list[dict[str, Cell]]:
        """Each row as its key and cells by name."""
        names = [*self.layout.keys, *(one.name for one in self.layout.columns)]
        return [dict(zip(names, (*row.key, *row.cells), strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished report: of which scope, up to which position of the log. `active`: some event within the time asked
    about gave it something, so that more stands there than what was brought forward.
    """

    kind: Kind
    scope: Scope
    position: int
    tables: tuple[Table, ...]
    active: bool = True

    @property
    def empty(self) -> bool:
        """Whether there was no activity (R27): openings alone are none."""
        return not self.active or not any(table.rows for table in self.tables)

    def table(self, name: str) -> Table:
        """The table of that name; KeyError."""
        for one in self.tables:
            if one.layout.name == name:
                return one
        raise KeyError(name)
