"""One batch of the log into a group of generations that stand at the same position, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from psycopg import Connection

from adapters.projector.facts import BATCH, FactReader
from adapters.projector.folding import Folded, fold, plan
from adapters.projector.recent import RecentRows
from adapters.projector.skipping import skipped
from adapters.projector.storage import Generation, encoded, store
from adapters.view_store.rows import RowError


@dataclass(slots=True)
class Memory:
    """What a folding process remembers from batch to batch."""

    reader: FactReader = field(default_factory=FactReader)
    recent: RecentRows = field(default_factory=RecentRows)
    count: int = 0
    """How many events the last batch had."""


def advance(
    conn: Connection, memory: Memory, group: Sequence[Generation], limit: int = BATCH
) -> tuple[list[Generation], int]:
    """Fold the next events into `group`, all of which stand at the same position.

    Returns the generations as they stand now and how many events were read. Runs in the caller's transaction.
    """
    after = group[0].position
    batch = memory.reader.read(conn, after, limit=limit)
    memory.count = len(batch)
    if not batch:
        return list(group), 0
    skips = skipped(conn, {one.model.name for one in group}, after)
    plans = [plan(one.model, batch, after, skips.get(one.model.name, ())) for one in group]
    wanted = [(generation, planned.seen_rows()) for generation, planned in zip(group, plans, strict=True)]
    made: list[tuple[Generation, Folded]] = []
    for generation, planned, rows in zip(group, plans, memory.recent.load(conn, wanted), strict=True):
        if isinstance(rows, RowError):
            made.append((generation, Folded({}, after, f"position {batch[0].position}: {rows}")))
        else:
            made.append((generation, fold(generation.model, planned, rows)))
    bodies = [encoded(folded) for _, folded in made]
    store(conn, made, bodies)
    for (generation, folded), written in zip(made, bodies, strict=True):
        memory.recent.keep(generation, folded, written)
    now = [replace(generation, position=folded.position, stopped=folded.fault) for generation, folded in made]
    return now, len(batch)
