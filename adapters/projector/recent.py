"""Rows that this process folded last, so that the next batch need not read them again.

They are known with the position up to which they were folded. A generation that stands anywhere else in the database
(the batch was rolled back, another process went on) is forgotten: the database is right, always.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from psycopg import Connection

from adapters.projector.folding import Folded, Place
from adapters.projector.storage import Generation, Rows, load_many
from adapters.view_store.rows import RowError

BYTES_MAX: Final = 16 * 1024 * 1024
"""Stored bytes of the rows that are kept, over all models; as objects they take about four times as much."""

_Key = tuple[str, int]


@dataclass(slots=True)
class _Known:
    """Rows of one generation, the least used first, each with its stored size."""

    position: int
    rows: OrderedDict[Place, tuple[Any, int]] = field(default_factory=OrderedDict)


class RecentRows:
    """Kept by whoever folds; one thread."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._max = bytes_max
        self._known: dict[_Key, _Known] = {}
        self.bytes = 0

    def load(self, conn: Connection, wanted: Sequence[tuple[Generation, Collection[Place]]]) -> list[Rows | RowError]:
        """Those of the wanted rows that exist, for each generation, from here or from the database in one round trip;
        a RowError where the database holds what is no row.
        """
        found = [self._found(generation, places) for generation, places in wanted]
        missing = [
            (generation, [place for place in places if place not in rows])
            for (generation, places), rows in zip(wanted, found, strict=True)
        ]
        read = load_many(conn, missing)
        return [one if isinstance(one, RowError) else rows | one for rows, one in zip(found, read, strict=True)]

    def _found(self, generation: Generation, places: Collection[Place]) -> Rows:
        known = self._at(generation).rows
        found: Rows = {}
        for place in places:
            one = known.get(place)
            if one is not None:
                known.move_to_end(place)
                found[place] = one[0]
        return found

    def keep(self, generation: Generation, folded: Folded, bodies: Iterable[tuple[Place, bytes]]) -> None:
        """What a batch has made of `generation`; `bodies` are the rows that it wrote."""
        known = self._at(generation)
        known.position = folded.position
        rows, changed, grown = known.rows, folded.changed, 0
        for place in changed:
            if (old := rows.pop(place, None)) is not None:
                grown -= old[1]
        for place, body in bodies:
            size = len(body)
            rows[place] = (changed[place], size)
            grown += size
        self.bytes += grown
        self._trim()

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self.bytes = 0

    def _at(self, generation: Generation) -> _Known:
        key = (generation.model.name, generation.number)
        known = self._known.get(key)
        if known is None or known.position != generation.position:
            if known is not None:
                self.bytes -= sum(size for _, size in known.rows.values())
            known = self._known[key] = _Known(generation.position)
        return known

    def _trim(self) -> None:
        """The generation that keeps most lets its least used rows go."""
        while self.bytes > self._max:
            largest = max(self._known.values(), key=lambda one: len(one.rows))
            _, (_, size) = largest.rows.popitem(last=False)
            self.bytes -= size
