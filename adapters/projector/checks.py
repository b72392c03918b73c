"""Is what is stored what the log says? Hashes of a model, and a comparison with a fresh fold in memory (I6, F26)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from typing import Final

from psycopg import Connection

from adapters.projector.facts import FactReader, Seen
from adapters.projector.folding import Plan, Rows, fold, plan, plans
from adapters.projector.skipping import skipped
from adapters.projector.storage import Generation, live_generations
from adapters.view_store.rows import encode_row
from domain.frozen import dataclass
from domain.views import MODELS
from domain.views.model import RowKey

_DUMP: Final = """
    SELECT operator, grp, key, body FROM view_rows WHERE model = %s AND generation = %s ORDER BY operator, grp, key"""
_ORPHANED: Final = """
    SELECT m FROM unnest(%s::text[]) AS m WHERE EXISTS (SELECT FROM view_rows WHERE model = m) ORDER BY m"""
_FETCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not what the log says; None: it is missing there. Rows of a stopped fold have no place."""

    model: str
    position: int
    operator: str
    grp: str
    key: str
    stored: bytes | None
    fresh: bytes | None
    reason: str = ""


@dataclass(slots=True)
class _Fresh:
    """A model folded in memory as far as its live generation has come."""

    generation: Generation
    skips: Collection[int]
    rows: Rows = field(default_factory=dict)
    position: int = 0
    fault: str | None = None

    def plan(self, batch: Sequence[Seen]) -> Plan:
        """What there is to do up to the position that the live generation has reached within a batch."""
        mine = [seen for seen in batch if seen.position <= self.generation.position]
        return plan(self.generation.model, mine, self.position, self.skips)

    def fold(self, planned: Plan) -> None:
        """Take a batch."""
        folded = fold(self.generation.model, planned, self.rows)
        self.position, self.fault = folded.position, folded.fault
        for operator, changed in folded.changed.items():
            for key in [key for key, row in changed.items() if row is None]:
                self.rows[operator].pop(key, None)


def _take(fresh: Sequence[_Fresh], batch: Sequence[Seen]) -> None:
    """A batch into each, planned at once for all that go on behind it, and they are nearly all."""
    end = batch[-1].position
    sound = [one for one in fresh if one.fault is None]
    whole = [one for one in sound if one.generation.position >= end]
    skips = {one.generation.model.name: one.skips for one in whole}
    for one, planned in zip(whole, plans([one.generation.model for one in whole], batch, end, skips), strict=True):
        one.fold(planned)
    for one in sound:
        if one.generation.position < end:
            one.fold(one.plan(batch))


def dump_hash(conn: Connection, model: str, generation: int | None = None) -> str:
    """SHA-256 of a generation's rows (the live one's by default) in order, each part with its length in front.

    Raises KeyError when the model has no such generation.
    """
    if generation is None:
        live = live_generations(conn, [MODELS[model]])
        if not live:
            raise KeyError(model)
        generation = live[0].number
    digest = hashlib.sha256()
    for operator, grp, key, body in _stored(conn, model, generation):
        for part in (operator.encode(), grp.encode(), key.encode(), body):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def compare_models(
    conn: Connection,
    names: Collection[str] = (),
    limit: int = 100,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Difference]:
    """Where the live rows differ from a fresh fold of the log up to the same position; at most `limit` of them.
    Events that operators let a model pass over are passed over here too.

    Reads one snapshot on a connection of the projector's role in autocommit, so that work may go on. Holds the
    fresh rows in memory: name models one by one on a large log. `progress` is told the position reached.
    """
    models = [MODELS[name] for name in (names or MODELS)]
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        skips = skipped(conn, {one.name for one in models}, 0)
        live = live_generations(conn, models)
        found = _out_of_place(conn, [one.name for one in models], live)
        fresh = [_Fresh(one, skips.get(one.model.name, ())) for one in live if _is_place(one.position)]
        last = max((one.generation.position for one in fresh), default=0)
        for batch in FactReader().read_all(conn, upto=last):
            _take(fresh, batch)
            progress(batch[-1].position)
        for one in fresh:
            for difference in _differences(conn, one):
                if len(found) >= limit:
                    return found
                found.append(difference)
    return found


def _out_of_place(conn: Connection, wanted: Sequence[str], live: Sequence[Generation]) -> list[Difference]:
    """Those whose place in the log is none, that have two, or that have rows and none: a projector would begin them
    anew over what is there.
    """
    names = [one.model.name for one in live]
    reasons = {one.model.name: f"its position is {one.position}" for one in live if not _is_place(one.position)}
    reasons |= {name: "two generations of it are live" for name in names if names.count(name) > 1}
    for (name,) in conn.execute(_ORPHANED, [[name for name in wanted if name not in names]]).fetchall():
        reasons[name] = "it has rows, and no generation of it is live"
    return [Difference(name, 0, "", "", "", None, None, reason) for name, reason in sorted(reasons.items())]


def _is_place(position: int | None) -> bool:
    """Whether a generation can have come so far."""
    return position is not None and position >= 0


def _differences(conn: Connection, fresh: _Fresh) -> Iterator[Difference]:
    model, position = fresh.generation.model.name, fresh.generation.position
    if fresh.fault is not None or fresh.position != position:
        yield Difference(model, position, "", "", "", None, None, fresh.fault or f"the log ends at {fresh.position}")
        return
    left = {(operator, key): row for operator, rows in fresh.rows.items() for key, row in rows.items()}
    for operator, grp, key, body in _stored(conn, model, fresh.generation.number):
        row = left.pop((operator, RowKey(grp, key)), None)
        expected = None if row is None else encode_row(row)
        if expected != body:
            yield Difference(model, position, operator, grp, key, body, expected)
    for (operator, at), row in sorted(left.items()):
        yield Difference(model, position, operator, at.grp, at.key, None, encode_row(row))


def _stored(conn: Connection, model: str, generation: int) -> Iterator[tuple[str, str, str, bytes]]:
    """A generation's rows in order, fetched in slices within one snapshot."""
    with conn.transaction(), conn.cursor("dump") as cursor:
        cursor.itersize = _FETCH
        cursor.execute(_DUMP, [model, generation])
        yield from cursor
