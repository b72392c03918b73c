"""New generations of read models, folded from the first event on.

Nobody reads them yet, so their rows stay in memory and are written once: at the end, or when they have become many.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Final

from psycopg import Connection

from adapters.projector.batches import Memory, fetch, look
from adapters.projector.facts import END
from adapters.projector.folding import Folded, Plan, Rows, Wanted, fold
from adapters.projector.sharing import Share
from adapters.projector.storage import Generation, add, encoded, encoded_rows, load_rows, store
from domain.views.model import RowKey

GONE_SECONDS: Final = 10.0
"""How long another's lock is waited for: a session whose process was killed keeps it until PostgreSQL sees it gone."""
ROWS_MAX: Final = 40_000
"""So many rows are held in memory by one process, over all of its models: some hundred bytes to some kilobytes each."""
NEARLY: Final = 200
"""So many events are left to those who hold the models still."""
_WRITTEN_AT_ONCE: Final = 2_000

Progress = Callable[[int], None]
"""Told the position reached, after each batch; what it raises ends the work."""


class RebuildRefused(Exception):
    """The rebuild did not take place: another one is under way, or an event cannot be folded. One line."""


@dataclass(slots=True)
class _Built:
    """A generation with the rows that are not written yet; None is a row that is written and has to go.

    `is_written`: the database holds rows, so one that is not here may be there.
    """

    generation: Generation
    rows: Rows = field(default_factory=dict)
    is_written: bool = False
    read: dict[str, set[RowKey]] = field(default_factory=dict)
    """Those of the rows that are in the database as well; all others are new, since each was looked for."""

    @property
    def count(self) -> int:
        """Rows in memory."""
        return sum(map(len, self.rows.values()))

    def fold(self, conn: Connection, planned: Plan) -> None:
        """Take a batch. Raises RebuildRefused at what cannot be folded."""
        if self.is_written:
            for operator, rows in load_rows(conn, self.generation, self._absent(planned.wanted())).items():
                self.rows.setdefault(operator, {}).update(rows)
                self.read.setdefault(operator, set()).update(rows)
        folded = fold(self.generation.model, planned, self.rows)
        if folded.fault is not None:
            raise RebuildRefused(f"{self.generation.model.name} cannot be rebuilt past {folded.fault}")
        self.generation = replace(self.generation, position=folded.position)
        if not self.is_written:
            for operator, changed in folded.changed.items():
                for key in [key for key, row in changed.items() if row is None]:
                    del self.rows[operator][key]

    def write(self, conn: Connection, alive: Callable[[], None]) -> None:
        """Write the rows in the order of their keys, and let them go; `alive` is called between transactions."""
        for operator, rows in self.rows.items():
            there = self.read.get(operator, ())
            for some in _slices(rows):
                new = {key: row for key, row in some.items() if row is not None and key not in there}
                known = {key: row for key, row in some.items() if key in there}
                with conn.transaction():
                    add(conn, self.generation, operator, encoded_rows(new))
                    if known:
                        folded = Folded({operator: known}, self.generation.position, None)
                        store(conn, [(self.generation, folded)], [encoded(folded)])
                alive()
        self.is_written |= bool(self.rows)
        self.rows, self.read = {}, {}

    def _absent(self, wanted: Wanted) -> Wanted:
        return {name: set(keys) - self.rows.get(name, {}).keys() for name, keys in wanted.items()}


@dataclass(slots=True)
class Part:
    """What one process folds: generations that stand at the same position, up to another one, and whose events where
    they are shared out.
    """

    group: Sequence[Generation]
    upto: int = END
    share: Share | None = None


def build(conn: Connection, part: Part, batch: int, progress: Progress) -> list[Generation]:
    """Fold the part to its end, or until the end of the log is near, and write its rows; the generations as they are
    then.

    Raises RebuildRefused. What is written is of no use unless this has come to its end.
    """
    with _uncollected():
        return _build(conn, part, batch, progress)


def _build(conn: Connection, part: Part, batch: int, progress: Progress) -> list[Generation]:
    memory, built = Memory(share=part.share), [_Built(one, is_written=one.position > 0) for one in part.group]
    position, count = part.group[0].position, batch
    while count >= min(NEARLY, batch):
        now = [one.generation for one in built]
        fetched = fetch(conn, memory, now, batch, part.upto)
        count = len(fetched.rows)
        if not count:
            break
        for one, planned in zip(built, look(conn, memory, now, fetched), strict=True):
            one.fold(conn, planned)
        position = fetched.rows[-1][0]
        progress(position)
        if sum(one.count for one in built) > ROWS_MAX:
            _write(conn, built, partial(progress, position))
    _write(conn, built, partial(progress, position))
    ends = [(one, Folded({}, done.generation.position, None)) for one, done in zip(part.group, built, strict=True)]
    store(conn, ends, [{} for _ in ends])
    return [one.generation for one in built]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for reference cycles, which facts and rows do not hold: it would walk over all of them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _write(conn: Connection, built: Sequence[_Built], alive: Callable[[], None]) -> None:
    for one in built:
        one.write(conn, alive)


def _slices(rows: dict[RowKey, Any]) -> Iterator[dict[RowKey, Any]]:
    left = iter(sorted(rows.items(), key=_key))
    while some := dict(islice(left, _WRITTEN_AT_ONCE)):
        yield some


def _key(one: tuple[RowKey, Any]) -> RowKey:
    return one[0]
