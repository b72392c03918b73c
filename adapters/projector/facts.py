"""The log as facts: stored rows decoded, each with the opening of its round. What cannot be read is a fault in its
place, so that only the models that read such events stop there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from psycopg import Connection

from adapters.codec import CODEC, NAMES, CodecError
from adapters.codec.parts import PartsReader
from adapters.event_store.rows import recorded
from domain.changing import replace
from domain.ids import round_stream
from domain.rounds.events import RoundOpened
from domain.views.model import Fact
from services.ports import NewerEvent, Told

BATCH: Final = 2_000
END: Final = 2**63 - 1
"""Past every position."""
_OPENINGS_KEPT: Final = 20_000

_READ: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events
    WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
_OPENINGS: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state FROM stored_events
    WHERE originator_id = ANY (%s) AND originator_version = 1"""

Stored = tuple[int, str, int, str, bytes]
"""Position, stream, version, name and bytes of an event."""


class Unread(NamedTuple):
    """What cannot be read. `cls` is the event's class, None where even that is not known: then every model stops."""

    position: int
    cls: type[Any] | None
    fault: str


Seen = Fact | Unread
"""What stands at a position."""


class FactReader:
    """Reads facts in order of position. Keeps the openings of the latest rounds; they never change."""

    def __init__(self) -> None:
        self._openings: dict[str, RoundOpened] = {}
        self._parts = PartsReader()

    def read(self, conn: Connection, after: int, *, upto: int = END, limit: int = BATCH) -> list[Seen]:
        """At most `limit` facts at positions past `after` and not past `upto`."""
        return self.facts(conn, self.fetch(conn, after, upto=upto, limit=limit))

    def fetch(self, conn: Connection, after: int, *, upto: int = END, limit: int = BATCH) -> Sequence[Stored]:
        """The stored rows of at most so many events."""
        return conn.execute(_READ, [after, upto, limit], binary=True).fetchall()

    def facts(self, conn: Connection, rows: Sequence[Stored], reads: Collection[type[Any]] | None = None) -> list[Seen]:
        """Stored rows as facts; the log is asked for the openings of rounds that are not known. Events that are known
        not to be among `reads` are left out, and not even decoded.
        """
        classes, openings, read = NAMES, self._openings, self._parts.read
        seen: list[Seen] = []
        late: dict[int, str] = {}
        for row in rows:
            position, stream, _, name, state = row
            cls = classes.get(name)
            if reads is not None and cls is not None and cls not in reads and cls is not RoundOpened:
                continue
            if None in row:
                seen.append(Unread(position, cls, "a column of it is empty"))
                continue
            operator, _, place = stream.partition("/")
            if not place.startswith(_KINDS[name]):
                seen.append(Unread(position, cls, f"{name} does not belong into the stream {stream}"))
                continue
            try:
                event, command, entry, recorded_at = read(name, state)
            except (CodecError, NewerEvent) as error:
                seen.append(Unread(position, cls, " ".join(str(error).split())))
                continue
            opened: RoundOpened | None = None
            if isinstance(event, RoundOpened):
                openings[stream] = opened = event
            elif (of_round := _round_of(operator, event)) is not None:
                opened = openings.get(of_round)
                if opened is None:
                    late[len(seen)] = of_round
            known = name if cls is not None else CODEC.name(event)
            seen.append(Fact(position, stream, operator, recorded_at, entry, command, known, event, opened))
        self._complete(conn, seen, late)
        return seen

    def told(self, conn: Connection, operator: str, after: int = 0) -> Iterator[Told]:
        """All events of an operator past a position in order, for reports. Raises CodecError or NewerEvent where one
        cannot be read.
        """
        mine = f"{operator}/"
        while rows := self.fetch(conn, after):
            found = [recorded(*row) for row in rows if row[1].startswith(mine)]
            rounds = [_round_of(operator, one.event) for one in found]
            self._openings.update((one.stream, one.event) for one in found if isinstance(one.event, RoundOpened))
            self._learn(conn, {name for name in rounds if name is not None and name not in self._openings})
            for one, of_round in zip(found, rounds, strict=True):
                opened = None if of_round is None else self._openings.get(of_round)
                yield Told(one, CODEC.name(one.event), opened)
            self._forget()
            after = rows[-1][0]

    def read_all(self, conn: Connection, *, upto: int) -> Iterator[list[Seen]]:
        """The whole log up to a position, in batches."""
        after = 0
        while batch := self.read(conn, after, upto=upto):
            yield batch
            after = batch[-1].position

    def _complete(self, conn: Connection, seen: list[Seen], late: dict[int, str]) -> None:
        """Facts whose round was opened in an earlier batch that is forgotten, or was never seen."""
        if late:
            self._learn(conn, set(late.values()))
            for nth, of_round in late.items():
                fact = seen[nth]
                opened = self._openings.get(of_round)
                if isinstance(fact, Fact) and opened is not None:
                    seen[nth] = replace(fact, opened=opened)
        self._forget()

    def _learn(self, conn: Connection, rounds: Iterable[str]) -> None:
        """Read the openings of rounds from the log; one that cannot be read stays unknown."""
        wanted = sorted(rounds)
        if not wanted:
            return
        for row in conn.execute(_OPENINGS, [wanted], binary=True).fetchall():
            try:
                opening = recorded(*row)
            except (CodecError, NewerEvent):
                continue
            if isinstance(opening.event, RoundOpened):
                self._openings[opening.stream] = opening.event

    def _forget(self) -> None:
        """Let the openings go that were learned first; whoever needs one again reads it."""
        openings = self._openings
        while len(openings) > _OPENINGS_KEPT:
            del openings[next(iter(openings))]


class _Kinds(dict[str, str]):
    """What the part of a stream's name behind the operator begins with, for the events of a name."""

    def __missing__(self, name: str) -> str:
        return f"{name.partition('.')[0]}/"


_KINDS: Final = _Kinds({name: f"{name.partition('.')[0]}/" for name in NAMES})


def _round_of(operator: str, event: object) -> str | None:
    """The stream of the round that an event belongs to."""
    round_id = getattr(event, "round", None)
    return round_stream(operator, round_id) if isinstance(round_id, str) else None
