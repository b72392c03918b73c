"""Columns as reports write them, and the few ways in which one follows from others. Integers only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from services.reports.tables import Cell, Column, Unit

PPM: Final = 1_000_000

NO_PART: Final = "nothing was staked, or more was voided than staked, so there is no part of it to name"
"""What an empty share means."""

Derived = Callable[[Mapping[str, Cell]], Cell]


def minor(name: str, title: str, *, working: bool = False) -> Column:
    """Minor units of the row's currency."""
    return Column(name, title, Unit.MINOR, working=working)


def micro(name: str, title: str, *, working: bool = False) -> Column:
    """Millionths of a minor unit."""
    return Column(name, title, Unit.MICRO, working=working)


def ppm(name: str, title: str, *, working: bool = False) -> Column:
    """A part in millionths, shown as a percentage."""
    return Column(name, title, Unit.PPM, working=working)


def count(name: str, title: str, *, working: bool = False) -> Column:
    """How many."""
    return Column(name, title, Unit.COUNT, working=working)


def text(name: str, title: str, *, working: bool = False) -> Column:
    """Words; the last event to say something is right."""
    return Column(name, title, Unit.TEXT, working=working)


def summed(unit: Unit, name: str, title: str, plus: tuple[str, ...], minus: tuple[str, ...] = ()) -> Column:
    """The sum of some cells less the sum of others."""

    def derived(cells: Mapping[str, Cell]) -> Cell:
        return sum(number(cells, one) for one in plus) - sum(number(cells, one) for one in minus)

    return Column(name, title, unit, (*plus, *minus), derived)


def share(name: str, title: str, over: tuple[str, ...], under: str) -> Column:
    """What part of `under` the sum of `over` is, in millionths to the nearest. Nothing is said of a part of nothing or
    less: where more was voided than staked, a quotient would read as a return that nobody had.
    """

    def derived(cells: Mapping[str, Cell]) -> Cell:
        whole = number(cells, under)
        return nearest(sum(number(cells, one) for one in over) * PPM, whole) if whole > 0 else None

    return Column(name, title, Unit.PPM, (*over, under), derived, nothing=NO_PART)


def worked_out(unit: Unit, name: str, title: str, inputs: tuple[str, ...], derived: Derived) -> Column:
    """Anything else that follows from other cells."""
    return Column(name, title, unit, inputs, derived)


def number(cells: Mapping[str, Cell], name: str) -> int:
    """A cell that is a number."""
    found = cells[name]
    return found if isinstance(found, int) else 0


def nearest(over: int, under: int) -> int | None:
    """A quotient to the nearest whole number, halves away from zero; None where there is nothing to divide by."""
    if under == 0:
        return None
    if under < 0:
        over, under = -over, -under
    whole = (2 * abs(over) + under) // (2 * under)
    return whole if over >= 0 else -whole
