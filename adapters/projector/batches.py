"""One batch of the log into a group of generations that stand at the same position, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from psycopg import Connection

from adapters.projector.facts import BATCH, FactReader
from adapters.projector.folding import Folded, fold, plan
from adapters.projector.skipping import skipped
from adapters.projector.storage import Generation, load_rows, store
from adapters.view_store.rows import RowError


def advance(
    conn: Connection, reader: FactReader, group: Sequence[Generation], limit: int = BATCH
) -> tuple[list[Generation], int]:
    """Fold the next events into `group`, all of which stand at the same position.

    Returns the generations as they stand now and how many events were read. Runs in the caller's transaction.
    """
    after = group[0].position
    batch = reader.read(conn, after, limit=limit)
    if not batch:
        return list(group), 0
    skips = skipped(conn, {one.model.name for one in group}, after)
    made: list[tuple[Generation, Folded]] = []
    for generation in group:
        planned = plan(generation.model, batch, after, skips.get(generation.model.name, ()))
        try:
            rows = load_rows(conn, generation, planned.seen_rows())
        except RowError as error:
            made.append((generation, Folded({}, after, f"position {batch[0].position}: {error}")))
            continue
        made.append((generation, fold(generation.model, planned, rows)))
    store(conn, made)
    now = [replace(generation, position=folded.position, stopped=folded.fault) for generation, folded in made]
    return now, len(batch)
