"""Tables of plain cells, as writers of files take them: texts, and integers that stand for decimals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from domain.frozen import dataclass

TEXT: Final = "text"
COUNT: Final = "count"
MINOR: Final = "minor"
MICRO: Final = "micro"
PPM: Final = "ppm"

_FIXED: Final = {COUNT: 0, PPM: 6}
_BEYOND_MINOR: Final = {MINOR: 0, MICRO: 6}

GridCell = str | int | None
"""A text, a whole number in its column's unit, or nothing at all."""


class GridColumn(NamedTuple):
    """A column; `unit` is one of the five above."""

    name: str
    title: str
    unit: str


class GridRow(NamedTuple):
    """A row with one cell for each column. `exponent`: decimals of its currency, 0 where it has none."""

    exponent: int
    currency: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table whose rows come one by one, once."""

    name: str
    title: str
    columns: tuple[GridColumn, ...]
    rows: Iterable[GridRow]

    @property
    def has_currency(self) -> bool:
        """Whether amounts stand in it."""
        return any(column.unit in _BEYOND_MINOR for column in self.columns)


class Head(NamedTuple):
    """What stands above an export: names and what they are, in order."""

    title: str
    lines: Sequence[tuple[str, str]]


def decimals_of(unit: str, exponent: int) -> int:
    """The decimals of a number: those of its currency, six more for micro-units, six for a part of one."""
    return _FIXED[unit] if unit in _FIXED else exponent + _BEYOND_MINOR[unit]


def plain_name(column: GridColumn, taken: Iterable[str] = ()) -> str:
    """What the decimal beside an integer is called: `stake` beside `stake_minor`."""
    name = column.name.removesuffix(f"_{column.unit}")
    return f"{name}_decimal" if name in taken or name == column.name else name
