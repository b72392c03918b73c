"""One batch of the log into a group of generations that stand at the same position, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from psycopg import Connection

from adapters.projector.facts import BATCH, FactReader, Seen, Stored
from adapters.projector.folding import Folded, Place, Plan, fold, plan
from adapters.projector.recent import RecentRows
from adapters.projector.skipping import skipped
from adapters.projector.storage import Generation, encoded, store
from adapters.view_store.rows import RowError
from domain.frozen import dataclass


@dataclass(slots=True)
class Memory:
    """What a folding process remembers from batch to batch."""

    reader: FactReader = field(default_factory=FactReader)
    recent: RecentRows = field(default_factory=RecentRows)
    count: int = 0
    """How many events the last batch had."""


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
    bodies: Sequence[Sequence[tuple[Place, bytes]]]

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
    batch, plans = look(conn, memory, group, fetched)
    made = work(conn, memory, group, batch, plans)
    made.write(conn)
    return made.group, len(batch)


def fetch(conn: Connection, memory: Memory, group: Sequence[Generation], limit: int = BATCH) -> Fetched:
    """The next stored events of the group."""
    after = group[0].position
    rows = memory.reader.fetch(conn, after, limit=limit)
    memory.count = len(rows)
    return Fetched(after, rows, skipped(conn, {one.model.name for one in group}, after) if rows else {})


def look(
    conn: Connection, memory: Memory, group: Sequence[Generation], fetched: Fetched
) -> tuple[list[Seen], list[Plan]]:
    """The events as facts, and what each model has to do for them; the database is asked for old rounds only."""
    batch = memory.reader.facts(conn, fetched.rows)
    return batch, [plan(one.model, batch, fetched.after, fetched.skips.get(one.model.name, ())) for one in group]


def work(
    conn: Connection, memory: Memory, group: Sequence[Generation], batch: Sequence[Seen], plans: Sequence[Plan]
) -> Made:
    """Load the rows that the plans need, as the batch before left them, and fold."""
    wanted = [(generation, planned.seen_rows()) for generation, planned in zip(group, plans, strict=True)]
    made: list[tuple[Generation, Folded]] = []
    for generation, planned, rows in zip(group, plans, memory.recent.load(conn, wanted), strict=True):
        if isinstance(rows, RowError):
            fault = f"position {batch[0].position}: {rows}"
            made.append((generation, Folded({}, generation.position, fault)))
        else:
            made.append((generation, fold(generation.model, planned, rows)))
    bodies = [encoded(folded) for _, folded in made]
    for (generation, folded), written in zip(made, bodies, strict=True):
        memory.recent.keep(generation, folded, written)
    return Made(made, bodies)
