"""The tables of the read models: generations with their positions, and rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

import orjson
from psycopg import Connection

from adapters.database.settings import QUICK_PLANS
from adapters.projector.folding import Folded, Rows, Wanted
from adapters.view_store.arrays import Blobs, Integers, Texts, register_arrays
from adapters.view_store.rows import RowError, decode_row, encode_row
from domain.frozen import dataclass
from domain.views.model import Model, RowKey

_LOCK_CLASS: Final = 0x5354_0001  # two-part keys never meet the one-part keys of the other locks

_LIVE: Final = """
    SELECT model, generation, position, stopped_reason FROM view_progress
    WHERE live AND model = ANY (string_to_array(%s, ','))"""
_FIRST: Final = """
    INSERT INTO view_progress (model, generation, position, live) SELECT m, 1, 0, true FROM unnest(%s::text[]) AS m
    WHERE NOT EXISTS (SELECT FROM view_progress p WHERE p.model = m AND p.live)"""
# A row's owner (model, generation, operator) is told by its number in three short lists: hundreds of rows have one.
# LIMIT 1 keeps the planner from turning the look-up round, which it does while the table's statistics are old.
_LOOK: Final = """
    FROM unnest(%b, %b, %b) AS w (owner, grp, key) CROSS JOIN LATERAL (
        SELECT ctid, body FROM view_rows r WHERE r.model = (%b)[w.owner] AND r.generation = (%b)[w.owner]
            AND r.operator = (%b)[w.owner] AND r.grp = w.grp AND r.key = w.key LIMIT 1) r"""
_LOAD: Final = f"SELECT w.owner, w.grp, w.key, r.body {_LOOK}"
_INSERT: Final = """
    INSERT INTO view_rows (model, generation, operator, grp, key, body)
    SELECT (%b)[w.owner], (%b)[w.owner], (%b)[w.owner], w.grp, w.key, w.body
    FROM unnest(%b, %b, %b, %b) AS w (owner, grp, key, body)"""
_UPSERT: Final = f"""{_INSERT}
    ON CONFLICT (model, generation, operator, grp, key) DO UPDATE SET body = EXCLUDED.body"""
_DELETE: Final = f"DELETE FROM view_rows WHERE ctid = ANY (ARRAY(SELECT r.ctid {_LOOK}))"
_PROGRESS: Final = """
    UPDATE view_progress p SET position = w.position, stopped_reason = w.stopped
    FROM jsonb_to_recordset(%s::jsonb) AS w (model text, generation int, position bigint, stopped text)
    WHERE p.model = w.model AND p.generation = w.generation"""
_LOCK: Final = "SELECT pg_advisory_xact_lock(%s::int, k) FROM unnest(string_to_array(%s, ',')::int[]) AS k"
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
    conn.execute(_LOCK, [_LOCK_CLASS, ",".join(map(str, keys))])


def add_first_generations(conn: Connection, models: Collection[Model[Any]]) -> None:
    """A model that has no live generation begins its first at position 0."""
    conn.execute(_FIRST, [[model.name for model in models]])


def live_generations(conn: Connection, models: Collection[Model[Any]]) -> list[Generation]:
    """The generations that are read, as far as they are there."""
    known = {model.name: model for model in models}
    rows = conn.execute(_LIVE, [",".join(known)]).fetchall()
    return [Generation(known[name], number, position, stopped) for name, number, position, stopped in rows]


Bodies = dict[str, list[tuple[RowKey, bytes]]]
"""Rows as they are stored, for each operator."""


def load_rows(conn: Connection, generation: Generation, wanted: Wanted) -> Rows:
    """Those of the wanted rows that exist. Raises RowError."""
    (found,) = load_many(conn, [(generation, wanted)])
    if isinstance(found, RowError):
        raise found
    return found


def load_many(conn: Connection, wanted: Sequence[tuple[Generation, Wanted]]) -> list[Rows | RowError]:
    """Those of the wanted rows that exist, for each generation, in one round trip; a RowError where one is no row."""
    found: dict[str, Rows | RowError] = {generation.model.name: {} for generation, _ in wanted}
    models = {generation.model.name: generation.model for generation, _ in wanted}
    places = _Places()
    for generation, some in wanted:
        for operator, keys in some.items():
            places.add(generation, operator, keys)
    if places.count:
        for owner, grp, key, body in conn.execute(_LOAD, (*places.columns(), *places.owners()), binary=True):
            name, operator = places.owner(owner)
            rows, at = found[name], RowKey(grp, key)
            if not isinstance(rows, RowError):
                try:
                    rows.setdefault(operator, {})[at] = decode_row(models[name], at, body)
                except RowError as error:
                    found[name] = error
    return list(found.values())


def encoded(folded: Folded) -> Bodies:
    """The rows that a batch made or changed, as they are stored."""
    return {operator: encoded_rows(changed) for operator, changed in folded.changed.items()}


def encoded_rows(rows: Mapping[RowKey, Any]) -> list[tuple[RowKey, bytes]]:
    """Rows as they are stored, without those that are none any more."""
    return [(key, encode_row(row)) for key, row in rows.items() if row is not None]


def add(conn: Connection, generation: Generation, operator: str, rows: Collection[tuple[RowKey, bytes]]) -> None:
    """Rows that are known not to be there: to look for each would take as long again as to write it."""
    if rows:
        places = _Places()
        places.add(generation, operator, [key for key, _ in rows])
        conn.execute(_INSERT, (*places.owners(), *places.columns(), Blobs([body for _, body in rows])))


def store(conn: Connection, made: Sequence[tuple[Generation, Folded]], bodies: Sequence[Bodies]) -> None:
    """Write what changed (`bodies`, as `encoded` gives it) and how far each generation has come; all in the caller's
    transaction.
    """
    places, written, gone = _Places(), list[bytes](), _Places()
    for (generation, folded), rows in zip(made, bodies, strict=True):
        for operator, some in rows.items():
            places.add(generation, operator, [key for key, _ in some])
            written += [body for _, body in some]
            changed = folded.changed[operator]
            if len(changed) > len(some):
                gone.add(generation, operator, [key for key, row in changed.items() if row is None])
    if written:
        conn.execute(_UPSERT, (*places.owners(), *places.columns(), Blobs(written)))
    if gone.count:
        conn.execute(_DELETE, (*gone.columns(), *gone.owners()))
    moved = [
        {
            "model": generation.model.name,
            "generation": generation.number,
            "position": folded.position,
            "stopped": folded.fault,
        }
        for generation, folded in made
        if (folded.position, folded.fault) != (generation.position, generation.stopped)
    ]
    if moved:
        conn.execute(_PROGRESS, [orjson.dumps(moved).decode()])


class _Places:
    """The columns that say where rows lie, each with the number of its owner."""

    def __init__(self) -> None:
        self._owners: list[tuple[str, int, str]] = []
        self._numbers: list[int] = []
        self._keys: list[RowKey] = []

    @property
    def count(self) -> int:
        """How many rows."""
        return len(self._keys)

    def add(self, generation: Generation, operator: str, keys: Collection[RowKey]) -> None:
        """Rows of one generation and operator."""
        self._owners.append((generation.model.name, generation.number, operator))
        self._numbers += [len(self._owners)] * len(keys)
        self._keys += keys

    def owner(self, number: int) -> tuple[str, str]:
        """Model and operator of an owner, counted from 1 as the database does."""
        name, _, operator = self._owners[number - 1]
        return name, operator

    def owners(self) -> tuple[Texts, Integers, Texts]:
        """Model, generation and operator of each owner."""
        names, numbers, operators = zip(*self._owners, strict=True)
        return Texts(names), Integers(numbers), Texts(operators)

    def columns(self) -> tuple[Integers, Texts, Texts]:
        """Owner, group and key of each row."""
        groups, keys = zip(*self._keys, strict=True)
        return Integers(self._numbers), Texts(groups), Texts(keys)
