"""About how many bytes of memory a cached state takes, told from its class and the lengths of its lists."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from domain.streams import State

BASE: Final = 1_000
"""Of a state without lists, with its stream's name and its place in the cache."""

ITEM: Final = 350
"""Of one item of a list, such as a wager or a share, with the texts and numbers in it."""

_LISTS: dict[type[Any], tuple[attrgetter[Any], bool] | None] = {}


def weight_of(state: State | None) -> int:
    """Bytes, within a factor of three of the truth; quick, since it is asked with every event."""
    if state is None:
        return BASE
    cls = type(state)
    if cls not in _LISTS:
        _LISTS[cls] = _lists_of(cls)
    found = _LISTS[cls]
    if found is None:
        return BASE
    read, is_one = found
    return BASE + ITEM * (len(read(state)) if is_one else sum(map(len, read(state))))


def _lists_of(cls: type[Any]) -> tuple[attrgetter[Any], bool] | None:
    """Reads the fields that are lists of any length, and whether it is only one; None where there are none."""
    names = [one.name for one in fields(cls) if str(one.type).startswith("tuple[") and str(one.type).endswith(", ...]")]
    return (attrgetter(*names), len(names) == 1) if names else None
