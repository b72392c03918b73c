"""The log as facts: stored rows decoded, each with the opening of its round. What cannot be read is a fault in its
place, so that only the models that read such events stop there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from psycopg import Connection

from adapters.codec import CODEC, NAMES, CodecError
from adapters.event_store.rows import recorded
from domain.ids import round_stream, stream_operator
from domain.rounds.events import RoundOpened
from domain.views.model import Fact
from services.ports import NewerEvent, Recorded, Told

BATCH: Final = 2_000
_OPENINGS_KEPT: Final = 20_000

_READ: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events
    WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
_OPENINGS: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events
    WHERE originator_id = ANY (%s) AND originator_version = 1"""
_END: Final = 2**63 - 1

Stored = tuple[int, str, int, str, bytes]
"""Position, stream, version, name and bytes of an event."""


class Seen(NamedTuple):
    """What stands at a position: a fact, or why it cannot be read.

    `cls` is the event's class, None where even that is not known: then every model stops.
    """

    position: int
    cls: type[Any] | None
    fact: Fact | None
    fault: str


class FactReader:
    """Reads facts in order of position. Keeps the openings of the latest rounds; they never change."""

    def __init__(self) -> None:
        self._openings: OrderedDict[str, RoundOpened] = OrderedDict()

    def read(self, conn: Connection, after: int, *, upto: int = _END, limit: int = BATCH) -> list[Seen]:
        """At most `limit` facts at positions past `after` and not past `upto`."""
        return self.facts(conn, self.fetch(conn, after, upto=upto, limit=limit))

    def fetch(self, conn: Connection, after: int, *, upto: int = _END, limit: int = BATCH) -> Sequence[Stored]:
        """The stored rows of at most so many events."""
        return conn.execute(_READ, [after, upto, limit]).fetchall()

    def facts(self, conn: Connection, rows: Sequence[Stored]) -> list[Seen]:
        """Stored rows as facts; the log is asked for the openings of rounds that are not known."""
        placed = [_placed(row) for row in rows]
        self._learn(conn, placed)
        return [self._seen(row, one) for row, one in zip(rows, placed, strict=True)]

    def told(self, conn: Connection, operator: str) -> Iterator[Told]:
        """All events of an operator in order, for reports. Raises CodecError or NewerEvent where one cannot be read."""
        after, mine = 0, f"{operator}/"
        while rows := self.fetch(conn, after):
            found = [recorded(*row) for row in rows if row[1].startswith(mine)]
            placed = [_of_round(one) for one in found]
            self._learn(conn, placed)
            for one, _, of_round in placed:
                opened = None if of_round is None else self._openings.get(of_round)
                yield Told(one, CODEC.name(one.event), opened)
            after = rows[-1][0]

    def read_all(self, conn: Connection, *, upto: int) -> Iterator[list[Seen]]:
        """The whole log up to a position, in batches."""
        after = 0
        while batch := self.read(conn, after, upto=upto):
            yield batch
            after = batch[-1].position

    def _seen(self, row: Stored, placed: _Placed | str) -> Seen:
        if isinstance(placed, str):
            return Seen(row[0], NAMES.get(row[3]), None, placed)
        found, operator, of_round = placed
        fact = Fact(
            position=found.position,
            stream=found.stream,
            operator=operator,
            recorded_at=found.recorded_at,
            entry=found.entry,
            command=found.meta.causation,
            name=CODEC.name(found.event),
            event=found.event,
            opened=None if of_round is None else self._openings.get(of_round),
        )
        return Seen(row[0], type(found.event), fact, "")

    def _learn(self, conn: Connection, placed: Sequence[_Placed] | Sequence[_Placed | str]) -> None:
        """Get the openings of the rounds that these events belong to, from among them or from the log."""
        wanted: set[str] = set()
        for one in placed:
            if isinstance(one, str) or one.of_round is None:
                continue
            if isinstance(one.found.event, RoundOpened):
                self._openings[one.found.stream] = one.found.event
            wanted.add(one.of_round)
        missing = sorted(wanted - self._openings.keys())
        if missing:
            for row in conn.execute(_OPENINGS, [missing]).fetchall():
                opening = _decoded(row)
                if isinstance(opening, Recorded) and isinstance(opening.event, RoundOpened):
                    self._openings[opening.stream] = opening.event
        for name in wanted & self._openings.keys():
            self._openings.move_to_end(name)
        while len(self._openings) > _OPENINGS_KEPT:
            self._openings.popitem(last=False)


class _Placed(NamedTuple):
    """An event with its operator, and the stream of the round that it belongs to."""

    found: Recorded
    operator: str
    of_round: str | None


def _placed(row: Stored) -> _Placed | str:
    found = _decoded(row)
    if isinstance(found, str):
        return found
    return _of_round(found)


def _of_round(found: Recorded) -> _Placed:
    operator = stream_operator(found.stream)
    round_id = getattr(found.event, "round", None)
    return _Placed(found, operator, round_stream(operator, round_id) if isinstance(round_id, str) else None)


def _decoded(row: Stored) -> Recorded | str:
    if None in row:
        return "a column of it is empty"
    try:
        return recorded(*row)
    except (CodecError, NewerEvent) as error:
        return " ".join(str(error).split())
