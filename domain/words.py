"""Enumerations of words whose `value` is read as fast as any attribute.

`value` of a standard enumeration is a property written in Python (3.11), and each word of each event has it read when
it is stored. Nothing else differs.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enum import StrEnum  # so that type checkers see what they know
else:
    from enum import StrEnum as _Stock

    class StrEnum(_Stock):
        """As `enum.StrEnum`."""

        value = property(attrgetter("_value_"), doc="The word.")


__all__ = ["StrEnum"]
