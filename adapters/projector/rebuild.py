"""Rebuilding read models from nothing while the service runs.

A new generation is folded beside the live one, by two processes where there are two processors. When it has caught up,
both are held still for a moment, the last events are added, and readers get the new one in the same commit. The old
rows go afterwards, in slices.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final

from psycopg import Connection

from adapters.database.locks import REBUILD_LOCK, REBUILD_PART_LOCK
from adapters.projector import building
from adapters.projector.batches import Memory, advance
from adapters.projector.building import Part, Progress, RebuildRefused, build
from adapters.projector.facts import BATCH
from adapters.projector.split import build_apart, parts
from adapters.projector.storage import Generation, live_generations, lock_models, prepare_session
from domain.frozen import dataclass
from domain.views import MODELS
from domain.views.model import Model

_SLICE: Final = 20_000

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
    _stand_alone(conn)
    try:
        sweep(conn, models)
        made = _take_over(conn, _built(conn, _begin(conn, models), progress, batch), batch)
    finally:
        sweep(conn, models)
        conn.execute("SELECT pg_advisory_unlock(%s::int, %s::int)", REBUILD_LOCK)
    known = {one.model.name: one for one in made}
    return [Rebuilt(one.name, known[one.name].number, known[one.name].position) for one in models]


def _stand_alone(conn: Connection) -> None:
    """Take the lock of rebuilds, or refuse: PostgreSQL is given time to notice that one which was killed is gone."""
    end = time.monotonic() + building.GONE_SECONDS
    while True:
        row = conn.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", REBUILD_LOCK).fetchone()
        if row and row[0]:
            return
        if time.monotonic() > end:
            raise RebuildRefused("another rebuild is under way")
        time.sleep(0.1)


def sweep(conn: Connection, models: Sequence[Model[Any]]) -> None:
    """Remove generations that nobody reads: those replaced, and those of a rebuild that was killed, whose other process
    is waited for: it ends at once.
    """
    conn.execute("SELECT pg_advisory_lock(%s::int, %s::int)", REBUILD_PART_LOCK)
    conn.execute("SELECT pg_advisory_unlock(%s::int, %s::int)", REBUILD_PART_LOCK)
    for name, number in conn.execute(_RETIRED, [[one.name for one in models]]).fetchall():
        while conn.execute(_SWEEP, [name, number, _SLICE]).rowcount:
            pass
        conn.execute(_FORGET, [name, number])


def _begin(conn: Connection, models: Sequence[Model[Any]]) -> list[Generation]:
    known = {model.name: model for model in models}
    rows = conn.execute(_BEGIN, [list(known)]).fetchall()
    return [Generation(known[name], number, 0) for name, number in rows]


def _built(conn: Connection, group: Sequence[Generation], progress: Progress, batch: int) -> list[Generation]:
    """The generations, folded until near the end of the log: by two processes up to where it ended at first."""
    both = parts(conn, group)
    if both is not None:
        mine, apart = both
        with build_apart(conn, apart, batch) as other:
            build(conn, mine, batch, lambda position: progress(min(position, other.position())))
            group = other.result(progress)
    return build(conn, Part(group), batch, progress)


def _take_over(conn: Connection, group: list[Generation], batch: int) -> list[Generation]:
    """Add the last events while both generations of each model stand still, and let readers have the new one."""
    models, memory = [one.model for one in group], Memory()
    with conn.transaction():
        lock_models(conn, models)
        last = max((one.position for one in live_generations(conn, models)), default=0)
        made: list[Generation] = []
        for _, some in groupby(sorted(group, key=_position), key=_position):
            now = list(some)
            while now[0].position < last:
                now, _ = advance(conn, memory, now, batch)
                _require_sound(now)
            made += now
        conn.execute(_FLIP, [[one.name for one in models], [one.number for one in group]])
    return made


def _require_sound(group: Sequence[Generation]) -> None:
    for one in group:
        if one.stopped is not None:
            raise RebuildRefused(f"{one.model.name} cannot be rebuilt past {one.stopped}")


def _position(one: Generation) -> int:
    return one.position
