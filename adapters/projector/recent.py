"""Rows that this process folded last, so that the next batch need not read them again.

They are known with the position up to which they were folded. A generation that stands anywhere else in the database
(the batch was rolled back, another process went on) is forgotten: the database is right, always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from psycopg import Connection

from adapters.projector.folding import Folded, Rows, Wanted
from adapters.projector.storage import Bodies, Generation, load_many
from adapters.view_store.rows import RowError
from domain.views.model import RowKey

BYTES_MAX: Final = 16 * 1024 * 1024
"""Stored bytes of the rows that are kept, over all models; as objects they take about four times as much."""

_Key = tuple[str, int]
_UNTRUE: Final = -1
"""The position of rows that are being folded: if nobody says how that ended they are of no use."""


@dataclass(slots=True)
class _Kept:
    """Rows, and the stored size of each."""

    rows: Rows = field(default_factory=dict)
    sizes: dict[str, dict[RowKey, int]] = field(default_factory=dict)
    bytes: int = 0


@dataclass(slots=True)
class _Known:
    """Rows of one generation: those used lately, and those not used since there was too much of them."""

    position: int
    young: _Kept = field(default_factory=_Kept)
    old: _Kept = field(default_factory=_Kept)
    read: Rows = field(default_factory=dict)
    """What was read from the database for the batch under way."""

    @property
    def bytes(self) -> int:
        """Of all its rows."""
        return self.young.bytes + self.old.bytes


class RecentRows:
    """Kept by whoever folds; one thread."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._max = bytes_max
        self._known: dict[_Key, _Known] = {}

    @property
    def bytes(self) -> int:
        """Stored bytes of all rows that are kept."""
        return sum(one.bytes for one in self._known.values())

    def load(self, conn: Connection, wanted: Sequence[tuple[Generation, Wanted]]) -> list[Rows | RowError]:
        """Rows of each generation, the wanted ones that exist among them, from here or from the database in one round
        trip; a RowError where the database holds what is no row. They are to be folded in place, and kept.
        """
        known = [self._at(generation) for generation, _ in wanted]
        missing = [(generation, _missing(one, places)) for one, (generation, places) in zip(known, wanted, strict=True)]
        found: list[Rows | RowError] = []
        for one, read in zip(known, load_many(conn, missing), strict=True):
            one.position = _UNTRUE
            if isinstance(read, RowError):
                found.append(read)
                continue
            one.read = read
            for operator, rows in read.items():
                one.young.rows.setdefault(operator, {}).update(rows)
            found.append(one.young.rows)
        return found

    def keep(self, generation: Generation, folded: Folded, bodies: Bodies) -> None:
        """What a batch has made of `generation`, as it was loaded; `bodies` are the rows that it wrote."""
        known = self._known[generation.model.name, generation.number]
        known.position = folded.position
        young = known.young
        for operator, written in bodies.items():
            sizes = young.sizes.setdefault(operator, {})
            for key, body in written:
                size = len(body)
                young.bytes += size - sizes.get(key, 0)
                sizes[key] = size
        for operator, changed in folded.changed.items():
            if len(changed) > len(bodies[operator]):
                _drop(young, operator, [key for key, row in changed.items() if row is None])
        for operator, read in known.read.items():
            _drop(young, operator, read.keys() - young.sizes.get(operator, {}).keys())
        known.read = {}

    def trim(self) -> None:
        """Once all of a batch is kept: the generation that keeps most lets go what it has not used lately."""
        while self.bytes > self._max:
            largest = max(self._known.values(), key=lambda one: one.bytes)
            if largest.old.bytes:
                largest.old = _Kept()
            else:
                largest.old, largest.young = largest.young, _Kept()

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    def _at(self, generation: Generation) -> _Known:
        key = (generation.model.name, generation.number)
        known = self._known.get(key)
        if known is None or known.position != generation.position:
            known = self._known[key] = _Known(generation.position)
        return known


def _missing(known: _Known, wanted: Wanted) -> dict[str, list[RowKey]]:
    """The wanted rows that are not kept; those kept are in use again."""
    missing: dict[str, list[RowKey]] = {}
    for operator, keys in wanted.items():
        rows = known.young.rows.setdefault(operator, {})
        absent = [key for key in keys if key not in rows]
        if absent and known.old.bytes:
            absent = [key for key in absent if not _renewed(known, operator, key)]
        if absent:
            missing[operator] = absent
    return missing


def _renewed(known: _Known, operator: str, key: RowKey) -> bool:
    young, old = known.young, known.old
    size = old.sizes.get(operator, {}).pop(key, None)
    if size is None:
        return False
    young.rows[operator][key] = old.rows[operator].pop(key)
    young.sizes.setdefault(operator, {})[key] = size
    young.bytes, old.bytes = young.bytes + size, old.bytes - size
    return True


def _drop(kept: _Kept, operator: str, keys: Sequence[RowKey] | set[RowKey]) -> None:
    rows, sizes = kept.rows[operator], kept.sizes.get(operator, {})
    for key in keys:
        rows.pop(key, None)
        kept.bytes -= sizes.pop(key, 0)
