"""Rebuilding read models from nothing while the service runs.

A new generation is folded beside the live one. When it has caught up, both are held still for a moment, the last
events are added, and readers get the new one in the same commit. The old rows go afterwards, in slices.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from psycopg import Connection

from adapters.database.locks import REBUILD_LOCK
from adapters.projector.batches import Made, Memory, advance, fetch, look, work
from adapters.projector.facts import BATCH
from adapters.projector.storage import Generation, live_generations, lock_models, prepare_session
from domain.frozen import dataclass
from domain.views import MODELS
from domain.views.model import Model

_SLICE: Final = 20_000
_NEARLY: Final = 200  # events that are folded while readers of other models wait for nobody

_BEGIN: Final = """
    INSERT INTO view_progress (model, generation, position, live)
    SELECT m, coalesce((SELECT max(generation) FROM view_progress p WHERE p.model = m), 0) + 1, 0, false
    FROM unnest(%s::text[]) AS m RETURNING model, generation"""
_FLIP: Final = """
    UPDATE view_progress p SET live = (p.generation = w.generation)
    FROM unnest(%s::text[], %s::int[]) AS w (model, generation) WHERE p.model = w.model"""
_RETIRED: Final = "SELECT model, generation FROM view_progress WHERE NOT live AND model = ANY (%s)"
_SWEEP: Final = """
    DELETE FROM view_rows WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM view_rows WHERE model = %s AND generation = %s LIMIT %s))"""
_FORGET: Final = "DELETE FROM view_progress WHERE model = %s AND generation = %s AND NOT live"

Progress = Callable[[int], None]
"""Told the position reached, after each batch."""


class RebuildRefused(Exception):
    """The rebuild did not take place: another one is under way, or an event cannot be folded. One line."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A model that was rebuilt: its new generation and the position at which it took over."""

    model: str
    generation: int
    position: int


def rebuild(
    conn: Connection, names: Collection[str] = (), progress: Progress = lambda _: None, batch: int = BATCH
) -> list[Rebuilt]:
    """Rebuild the named models, all when none is named, on a connection of the projector's role in autocommit.

    Raises RebuildRefused, and KeyError for a name that is no model's; then the live generations are as they were.
    """
    models = [MODELS[name] for name in (names or MODELS)]
    prepare_session(conn)
    row = conn.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", REBUILD_LOCK).fetchone()
    if row is None or not row[0]:
        raise RebuildRefused("another rebuild is under way")
    try:
        sweep(conn, models)
        made = _catch_up(conn, Memory(), _begin(conn, models), progress, batch)
    finally:
        sweep(conn, models)
        conn.execute("SELECT pg_advisory_unlock(%s::int, %s::int)", REBUILD_LOCK)
    return [Rebuilt(one.model.name, one.number, one.position) for one in made]


def sweep(conn: Connection, models: Sequence[Model[Any]]) -> None:
    """Remove generations that nobody reads: those replaced, and those of a rebuild that was killed."""
    for name, number in conn.execute(_RETIRED, [[one.name for one in models]]).fetchall():
        while conn.execute(_SWEEP, [name, number, _SLICE]).rowcount:
            pass
        conn.execute(_FORGET, [name, number])


def _begin(conn: Connection, models: Sequence[Model[Any]]) -> list[Generation]:
    known = {model.name: model for model in models}
    rows = conn.execute(_BEGIN, [list(known)]).fetchall()
    return [Generation(known[name], number, 0) for name, number in rows]


def _catch_up(
    conn: Connection, memory: Memory, group: list[Generation], progress: Progress, batch: int
) -> list[Generation]:
    group = _follow(conn, memory, group, progress, batch)
    models = [one.model for one in group]
    with conn.transaction():
        lock_models(conn, models)
        last = max((one.position for one in live_generations(conn, models)), default=0)
        while group[0].position < last:
            group, _ = advance(conn, memory, group, batch)
            _require_sound(group)
        conn.execute(_FLIP, [[one.name for one in models], [one.number for one in group]])
    return group


def _follow(
    conn: Connection, memory: Memory, group: list[Generation], progress: Progress, batch: int
) -> list[Generation]:
    """Fold batch after batch until the end of the log is near.

    While the database writes a batch, in a thread that waits for it, the next one is read and looked at here.
    """
    fetched = fetch(conn, memory, group, batch)
    seen, plans = look(conn, memory, group, fetched)
    with ThreadPoolExecutor(1, "studbook-rebuild") as writer:
        while len(fetched.rows) >= min(_NEARLY, batch):
            made = work(conn, memory, group, seen, plans)
            group = made.group
            _require_sound(group)
            fetched = fetch(conn, memory, group, batch)
            writing = writer.submit(_write, conn, made)
            seen, plans = look(conn, memory, group, fetched)
            writing.result()
            progress(group[0].position)
    return group


def _write(conn: Connection, made: Made) -> None:
    with conn.transaction():
        made.write(conn)


def _require_sound(group: Sequence[Generation]) -> None:
    for one in group:
        if one.stopped is not None:
            raise RebuildRefused(f"{one.model.name} cannot be rebuilt past {one.stopped}")
