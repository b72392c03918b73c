"""About how many bytes of memory a cached state takes, told from its class and the lengths of its lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from domain.frozen import compiled
from domain.streams import State

BASE: Final = 1_000
"""Of a state without lists, with its stream's name and its place in the cache."""

ITEM: Final = 350
"""Of one item of a list, such as a wager or a share, with the texts and numbers in it."""


class _Weighers(dict[type[Any], Callable[[Any], int]]):
    """What weighs the states of a class; made when first asked for, a line that adds up the lengths of its lists."""

    def __missing__(self, cls: type[Any]) -> Callable[[Any], int]:
        lists = [one.name for one in fields(cls) if re.fullmatch(r"tuple\[.*, \.\.\.\]", str(one.type))]
        items = " + ".join(f"len(state.{name})" for name in lists) or "0"
        lines = ["def weight(state):", f" return {BASE} + {ITEM} * ({items})"]
        made = self[cls] = compiled("weight", lines, {})
        return made


_WEIGHERS: Final = _Weighers()


def weight_of(state: State | None) -> int:
    """Bytes, within a factor of three of the truth; quick, since it is asked with every event."""
    return BASE if state is None else _WEIGHERS[type(state)](state)
