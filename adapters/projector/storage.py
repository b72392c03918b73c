"""The tables of the read models: generations with their positions, and rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final
from zlib import crc32

from psycopg import Connection

from adapters.database.settings import QUICK_PLANS
from adapters.projector.folding import Folded, Place
from adapters.view_store.arrays import Blobs, Integers, Texts, register_arrays
from adapters.view_store.rows import RowError, decode_row, encode_row
from domain.frozen import dataclass
from domain.views.model import Model, RowKey

_LOCK_CLASS: Final = 0x5354_0001  # two-part keys never meet the one-part keys of the other locks

_LIVE: Final = """
    SELECT model, generation, position, stopped_reason FROM view_progress WHERE live AND model = ANY (%s)"""
_FIRST: Final = """
    INSERT INTO view_progress (model, generation, position, live) SELECT m, 1, 0, true FROM unnest(%s::text[]) AS m
    WHERE NOT EXISTS (SELECT FROM view_progress p WHERE p.model = m AND p.live)"""
# LIMIT 1 keeps the planner from turning the look-up round, which it does while the table's statistics are old.
_LOAD: Final = """
    SELECT w.model, w.operator, w.grp, w.key, r.body
    FROM unnest(%b, %b, %b, %b, %b) AS w (model, generation, operator, grp, key) CROSS JOIN LATERAL (
        SELECT body FROM view_rows r WHERE r.model = w.model AND r.generation = w.generation
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
    UPDATE view_progress p SET position = w.position, stopped_reason = w.stopped
    FROM unnest(%s::text[], %s::int[], %s::bigint[], %s::text[]) AS w (model, generation, position, stopped)
    WHERE p.model = w.model AND p.generation = w.generation"""
_LOCK: Final = "SELECT pg_advisory_xact_lock(%s::int, k) FROM unnest(%s::int[]) AS k"
"""One after the other, in the order of the list."""

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
    keys = sorted(crc32(model.name.encode()) - 2**31 for model in models)
    conn.execute(_LOCK, [_LOCK_CLASS, keys])


def add_first_generations(conn: Connection, models: Collection[Model[Any]]) -> None:
    """A model that has no live generation begins its first at position 0."""
    conn.execute(_FIRST, [[model.name for model in models]])


def live_generations(conn: Connection, models: Collection[Model[Any]]) -> list[Generation]:
    """The generations that are read, as far as they are there."""
    known = {model.name: model for model in models}
    rows = conn.execute(_LIVE, [sorted(known)]).fetchall()
    return [Generation(known[name], number, position, stopped) for name, number, position, stopped in rows]


Rows = dict[Place, Any]
"""Rows of one generation; those that do not exist are not in it."""


def load_rows(conn: Connection, generation: Generation, wanted: Collection[Place]) -> Rows:
    """Those of the wanted rows that exist. Raises RowError."""
    (found,) = load_many(conn, [(generation, wanted)])
    if isinstance(found, RowError):
        raise found
    return found


def load_many(conn: Connection, wanted: Sequence[tuple[Generation, Collection[Place]]]) -> list[Rows | RowError]:
    """Those of the wanted rows that exist, for each generation, in one round trip; a RowError where one is no row."""
    found: dict[str, Rows | RowError] = {generation.model.name: {} for generation, _ in wanted}
    models = {generation.model.name: generation.model for generation, _ in wanted}
    places = [place for _, some in wanted for place in some]
    if places:
        names, numbers = _owners((generation, len(some)) for generation, some in wanted)
        for name, operator, grp, key, body in conn.execute(_LOAD, (names, numbers, *_places(places))):
            rows, at = found[name], RowKey(grp, key)
            if not isinstance(rows, RowError):
                try:
                    rows[operator, at] = decode_row(models[name], at, body)
                except RowError as error:
                    found[name] = error
    return list(found.values())


def encoded(folded: Folded) -> list[tuple[Place, bytes]]:
    """The rows that a batch made or changed, as they are stored."""
    return [(place, encode_row(row)) for place, row in folded.changed.items() if row is not None]


def store(
    conn: Connection, made: Sequence[tuple[Generation, Folded]], bodies: Sequence[Sequence[tuple[Place, bytes]]]
) -> None:
    """Write what changed (`bodies`, as `encoded` gives it) and how far each generation has come; all in the caller's
    transaction.
    """
    rows = [one for written in bodies for one in written]
    if rows:
        owners = _owners((generation, len(written)) for (generation, _), written in zip(made, bodies, strict=True))
        places = _places([place for place, _ in rows])
        conn.execute(_UPSERT, (*owners, *places, Blobs([body for _, body in rows])))
    gone = [(generation, place) for generation, folded in made for place, row in folded.changed.items() if row is None]
    if gone:
        _delete(conn, gone)
    moved = [
        (generation.model.name, generation.number, folded.position, folded.fault)
        for generation, folded in made
        if (folded.position, folded.fault) != (generation.position, generation.stopped)
    ]
    if moved:
        conn.execute(_PROGRESS, [list(column) for column in zip(*moved, strict=True)])


def _delete(conn: Connection, gone: Sequence[tuple[Generation, Place]]) -> None:
    owners = _owners((generation, 1) for generation, _ in gone)
    conn.execute(_DELETE, (*owners, *_places([place for _, place in gone])))


def _owners(counts: Iterable[tuple[Generation, int]]) -> tuple[Texts, Integers]:
    """The columns `model` and `generation` of so many rows of each generation."""
    names: list[str] = []
    numbers: list[int] = []
    for generation, count in counts:
        names += [generation.model.name] * count
        numbers += [generation.number] * count
    return Texts(names), Integers(numbers)


def _places(places: Iterable[Place]) -> tuple[Texts, Texts, Texts]:
    listed = list(places)
    return (
        Texts([operator for operator, _ in listed]),
        Texts([key.grp for _, key in listed]),
        Texts([key.key for _, key in listed]),
    )
