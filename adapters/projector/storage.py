"""The tables of the read models: generations with their positions, and rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from psycopg import Connection

from adapters.database.settings import QUICK_PLANS
from adapters.projector.folding import Folded, Place
from adapters.view_store.arrays import Blobs, Integers, Texts, register_arrays
from adapters.view_store.rows import decode_row, encode_row
from domain.views.model import Model, RowKey

_LOCK_CLASS: Final = 0x5354_0001  # two-part keys never meet the one-part keys of the other locks

_LIVE: Final = """
    SELECT model, generation, position, stopped_reason FROM view_progress WHERE live AND model = ANY (%s)"""
_FIRST: Final = """
    INSERT INTO view_progress (model, generation, position, live) SELECT m, 1, 0, true FROM unnest(%s::text[]) AS m
    WHERE NOT EXISTS (SELECT FROM view_progress p WHERE p.model = m AND p.live)"""
# LIMIT 1 keeps the planner from turning the look-up round, which it does while the table's statistics are old.
_LOAD: Final = """
    SELECT w.operator, w.grp, w.key, r.body FROM unnest(%b, %b, %b) AS w (operator, grp, key) CROSS JOIN LATERAL (
        SELECT body FROM view_rows r WHERE r.model = %s AND r.generation = %s
            AND r.operator = w.operator AND r.grp = w.grp AND r.key = w.key LIMIT 1) r"""
_UPSERT: Final = """
    INSERT INTO view_rows (model, generation, operator, grp, key, body) SELECT * FROM unnest(%b, %b, %b, %b, %b, %b)
    ON CONFLICT (model, generation, operator, grp, key) DO UPDATE SET body = EXCLUDED.body"""
_DELETE: Final = """
    DELETE FROM view_rows WHERE ctid = ANY (ARRAY(
        SELECT r.ctid FROM unnest(%b, %b, %b, %b, %b) AS w (model, generation, operator, grp, key) CROSS JOIN LATERAL (
            SELECT r.ctid FROM view_rows r WHERE r.model = w.model AND r.generation = w.generation
                AND r.operator = w.operator AND r.grp = w.grp AND r.key = w.key LIMIT 1) r))"""
_PROGRESS: Final = """
    UPDATE view_progress SET position = %s, stopped_reason = %s WHERE model = %s AND generation = %s"""

_SESSION: Final = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", **QUICK_PLANS}


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation of a model: folded up to `position`; `stopped` says why it goes no further."""

    model: Model[Any]
    number: int
    position: int
    stopped: str | None = None


def prepare_session(conn: Connection) -> None:
    """Look-ups by index only, since a plan made while a table was small must not outlive that; binary arrays."""
    for name, value in _SESSION.items():
        conn.execute(f"SET {name} = {value}")
    register_arrays(conn)


def lock_models(conn: Connection, models: Iterable[Model[Any]]) -> None:
    """Keep everybody else from these models' generations until the transaction ends."""
    for key in sorted(crc32(model.name.encode()) - 2**31 for model in models):
        conn.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", [_LOCK_CLASS, key])


def add_first_generations(conn: Connection, models: Collection[Model[Any]]) -> None:
    """A model that has no live generation begins its first at position 0."""
    conn.execute(_FIRST, [[model.name for model in models]])


def live_generations(conn: Connection, models: Collection[Model[Any]]) -> list[Generation]:
    """The generations that are read, as far as they are there."""
    known = {model.name: model for model in models}
    rows = conn.execute(_LIVE, [sorted(known)]).fetchall()
    return [Generation(known[name], number, position, stopped) for name, number, position, stopped in rows]


def load_rows(conn: Connection, generation: Generation, wanted: Collection[Place]) -> dict[Place, Any]:
    """Those of the wanted rows that exist. Raises RowError."""
    if not wanted:
        return {}
    parameters = (*_places(wanted), generation.model.name, generation.number)
    rows: dict[Place, Any] = {}
    for operator, grp, key, body in conn.execute(_LOAD, parameters):
        at = RowKey(grp, key)
        rows[operator, at] = decode_row(generation.model, at, body)
    return rows


def encoded(folded: Folded) -> list[tuple[Place, bytes]]:
    """The rows that a batch made or changed, as they are stored."""
    return [(place, encode_row(row)) for place, row in folded.changed.items() if row is not None]


def store(
    conn: Connection, made: Sequence[tuple[Generation, Folded]], bodies: Sequence[Sequence[tuple[Place, bytes]]]
) -> None:
    """Write what changed (`bodies`, as `encoded` gives it) and how far each generation has come; all in the caller's
    transaction.
    """
    names: list[str] = []
    numbers: list[int] = []
    for (generation, _), written in zip(made, bodies, strict=True):
        names += [generation.model.name] * len(written)
        numbers += [generation.number] * len(written)
    rows = [one for written in bodies for one in written]
    if rows:
        places = _places([place for place, _ in rows])
        conn.execute(_UPSERT, (Texts(names), Integers(numbers), *places, Blobs([body for _, body in rows])))
    gone = [(generation, place) for generation, folded in made for place, row in folded.changed.items() if row is None]
    if gone:
        _delete(conn, gone)
    for generation, folded in made:
        if (folded.position, folded.fault) != (generation.position, generation.stopped):
            conn.execute(_PROGRESS, [folded.position, folded.fault, generation.model.name, generation.number])


def _delete(conn: Connection, gone: Sequence[tuple[Generation, Place]]) -> None:
    names = Texts([generation.model.name for generation, _ in gone])
    numbers = Integers([generation.number for generation, _ in gone])
    conn.execute(_DELETE, (names, numbers, *_places([place for _, place in gone])))


def _places(places: Iterable[Place]) -> tuple[Texts, Texts, Texts]:
    listed = list(places)
    return (
        Texts([operator for operator, _ in listed]),
        Texts([key.grp for _, key in listed]),
        Texts([key.key for _, key in listed]),
    )
