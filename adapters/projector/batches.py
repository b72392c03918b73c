"""One batch of the log into a group of generations that stand at the same position, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from psycopg import Connection

from adapters.projector.facts import BATCH, END, FactReader, Stored
from adapters.projector.folding import Folded, Plan, fold, plans
from adapters.projector.recent import RecentRows
from adapters.projector.sharing import Share
from adapters.projector.skipping import skipped
from adapters.projector.storage import Bodies, Generation, encoded, store
from adapters.view_store.rows import RowError
from domain.frozen import dataclass


@dataclass(slots=True)
class Memory:
    """What a folding process remembers from batch to batch."""

    reader: FactReader = field(default_factory=FactReader)
    recent: RecentRows = field(default_factory=RecentRows)
    count: int = 0
    """How many events the last batch had."""
    share: Share | None = None
    """The players whose events are folded here, where others fold those of the others."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """Stored events that follow a position, and those that a model is to pass over."""

    after: int
    rows: Sequence[Stored]
    skips: Mapping[str, Collection[int]]


@dataclass(frozen=True, slots=True)
class Made:
    """What a batch makes of a group: to be written, with the rows' bodies."""

    folded: Sequence[tuple[Generation, Folded]]
    bodies: Sequence[Bodies]

    @property
    def group(self) -> list[Generation]:
        """The generations as they stand when it is written."""
        return [replace(one, position=folded.position, stopped=folded.fault) for one, folded in self.folded]

    def write(self, conn: Connection) -> None:
        """Write it all; in the caller's transaction."""
        store(conn, self.folded, self.bodies)


def advance(
    conn: Connection, memory: Memory, group: Sequence[Generation], limit: int = BATCH
) -> tuple[list[Generation], int]:
    """Fold the next events into `group`, all of which stand at the same position.

    Returns the generations as they stand now and how many events were read. Runs in the caller's transaction.
    """
    fetched = fetch(conn, memory, group, limit)
    if not fetched.rows:
        return list(group), 0
    made = work(conn, memory, group, look(conn, memory, group, fetched), fetched.after + 1)
    made.write(conn)
    return made.group, len(fetched.rows)


def fetch(
    conn: Connection, memory: Memory, group: Sequence[Generation], limit: int = BATCH, upto: int = END
) -> Fetched:
    """The next stored events of the group, not past a position."""
    after = group[0].position
    rows = memory.reader.fetch(conn, after, upto=upto, limit=limit)
    memory.count = len(rows)
    return Fetched(after, rows, skipped(conn, {one.model.name for one in group}, after) if rows else {})


def look(conn: Connection, memory: Memory, group: Sequence[Generation], fetched: Fetched) -> list[Plan]:
    """What each model has to do for the events; the database is asked for old rounds only."""
    models = [one.model for one in group]
    reads = frozenset[type[Any]]().union(*(one.reads for one in models))
    rows = fetched.rows if memory.share is None else memory.share.useful(fetched.rows)
    batch = memory.reader.facts(conn, rows, reads)
    return plans(models, batch, fetched.rows[-1][0], fetched.skips, memory.share)


def work(conn: Connection, memory: Memory, group: Sequence[Generation], planned: Sequence[Plan], first: int) -> Made:
    """Load the rows that the plans need, as the batch before left them, and fold."""
    made: list[tuple[Generation, Folded]] = []
    wanted = [(generation, one.wanted()) for generation, one in zip(group, planned, strict=True)]
    for generation, one, rows in zip(group, planned, memory.recent.load(conn, wanted), strict=True):
        if isinstance(rows, RowError):
            made.append((generation, Folded({}, generation.position, f"position {first}: {rows}")))
        else:
            made.append((generation, fold(generation.model, one, rows)))
    bodies = [encoded(folded) for _, folded in made]
    for (generation, folded), written in zip(made, bodies, strict=True):
        memory.recent.keep(generation, folded, written)
    memory.recent.trim()
    return Made(made, bodies)
