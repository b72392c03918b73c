"""Events of old versions: how each is read today.

An upcaster takes the stored `data` of its version and gives the name of a later version, with that version's data.
It may rename and restructure what is there and add what was always implied; it never decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

Json: TypeAlias = dict[str, object]
Upcaster: TypeAlias = Callable[[Json], tuple[str, Json]]

UPCASTERS: Final[Mapping[str, Upcaster]] = {}
"""Old name to its upcaster. Every event is still at its first version."""
