"""States in memory: what the streams of the log add up to, kept true by the writer at every turn.

Bounded: the least used stream goes first and is loaded again when needed. What is not here raises `Missing`,
which the house answers by one load for the whole batch.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from domain.errors import Unavailable
from domain.ids import seat_prefix_of, seat_prefix_of_round, stream_kind
from domain.streams import State, evolve
from services.ports import Loaded, Recorded
from services.weights import weight_of

BYTES_MAX: Final = 192 * 1024 * 1024
"""What a process's cached states may take, as `weight_of` tells it: some 150,000 streams of the usual size."""

NAME: Final = 200
"""Bytes of one stream's name among a round's seats."""


class Versioned(NamedTuple):
    """A state, and version and time of the last event that made it."""

    state: State | None
    version: int
    at: datetime | None


NOTHING: Final = Versioned(None, 0, None)
"""A stream that does not exist."""


class Unreadable(Unavailable):
    """One object's history cannot be read; all others are served as ever."""


Done = Callable[[State | None], bool]
"""Whether a seat needs nothing more; once so, always so."""


class Missing(Exception):
    """These streams, and all streams under these prefixes, have to be loaded first."""

    def __init__(self, streams: Collection[str] = (), prefixes: Collection[str] = ()) -> None:
        super().__init__(f"{len(streams)} streams, {len(prefixes)} prefixes")
        self.streams = tuple(streams)
        self.prefixes = tuple(prefixes)


class Names:
    """The streams of one round's seats; put in order once after each change, since ten thousand take a while.

    `passed` is how many of the first in order were found done with, for each way of being so, for good.
    """

    __slots__ = ("_names", "_ordered", "passed")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = set(names)
        self._ordered: list[str] | None = None
        self.passed: dict[Done, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def add(self, name: str) -> None:
        """One more."""
        self._names.add(name)
        self._ordered = None
        self.passed.clear()

    def in_order(self) -> list[str]:
        """All of them, sorted."""
        if self._ordered is None:
            self._ordered = sorted(self._names)
        return self._ordered


class States:
    """The cache. `get` and `under` answer from memory or raise Missing; a stream that cannot be read is Unreadable."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._max = bytes_max
        self._states: OrderedDict[str, Versioned] = OrderedDict()
        self._seats: OrderedDict[str, Names] = OrderedDict()
        self.broken: dict[str, str] = {}
        self.bytes = 0
        """About how much is cached."""

    def clear(self) -> None:
        """Forget everything, as after a commit whose outcome is unknown."""
        self._states.clear()
        self._seats.clear()
        self.broken.clear()
        self.bytes = 0

    def knows(self, stream: str) -> bool:
        """Whether `get` would answer without a load."""
        return stream in self._states or stream in self.broken or self._is_no_seat(stream)

    def unknown(self, streams: Iterable[str]) -> list[str]:
        """Those of them that `get` would not answer without a load."""
        return [one for one in streams if one not in self._states and not self.knows(one)]

    def knows_under(self, prefix: str) -> bool:
        """Whether `under` would answer without a load."""
        return prefix in self._seats

    def get(self, stream: str) -> Versioned:
        """State and version of a stream."""
        found = self._states.get(stream)
        if found is None:
            if stream in self.broken:
                raise Unreadable("this object's history cannot be read; the operator of the service has been told")
            if self._is_no_seat(stream):
                return NOTHING
            raise Missing(streams=(stream,))
        self._states.move_to_end(stream)
        return found

    def all_under(self, prefix: str) -> list[tuple[str, Versioned]]:
        """A round's seats in order of their streams, with state and version. Missing names all that are not here."""
        names, known = self.under(prefix).in_order(), self._states
        try:
            return [(name, known[name]) for name in names]
        except KeyError:
            raise self._missing(names) from None

    def next_under(self, prefix: str, most: int, is_done: Done) -> list[Versioned]:
        """The first of a round's seats, in order of their streams, that are not done with, `most` of them at most.

        Each look begins where the one before it found the first that was not. Missing names all from there on that
        are not here.
        """
        names, known = self.under(prefix), self._states
        ordered, found, first = names.in_order(), list[Versioned](), None
        for nth in range(names.passed.get(is_done, 0), len(ordered)):
            one = known.get(ordered[nth])
            if one is None:
                raise self._missing(ordered[nth:])
            if not is_done(one.state):
                first = nth if first is None else first
                found.append(one)
                if len(found) == most:
                    break
        names.passed[is_done] = len(ordered) if first is None else first
        return found

    def _missing(self, names: Iterable[str]) -> Missing:
        """What to raise for those that are not here; Unreadable is raised where one is broken."""
        missing = [name for name in names if name not in self._states]
        for name in missing:
            if name in self.broken:
                self.get(name)
        return Missing(streams=missing)

    def under(self, prefix: str) -> Names:
        """The streams of one round's seats."""
        found = self._seats.get(prefix)
        if found is None:
            raise Missing(prefixes=(prefix,))
        self._seats.move_to_end(prefix)
        return found

    def put(self, stream: str, known: Versioned, *, is_first: bool = False) -> None:
        """Set what a stream adds up to. `is_first`: by its very first event, so a round has no seats yet."""
        before = self._states.get(stream)
        self._states[stream] = known
        self._states.move_to_end(stream)
        self.bytes += weight_of(known.state) - (0 if before is None else weight_of(before.state))
        if known.state is not None and (before is None or before.state is None):
            self.seat(stream)
        if is_first and stream_kind(stream) == "round":
            self._put_seats(seat_prefix_of_round(stream), Names())

    def seat(self, stream: str) -> None:
        """A seat's stream is one of its round, where the round's are here; no other stream is anything to it."""
        if stream_kind(stream) == "seat":
            seats = self._seats.get(seat_prefix_of(stream))
            if seats is not None and stream not in seats:
                seats.add(stream)
                self.bytes += NAME

    def _is_no_seat(self, stream: str) -> bool:
        """Whether it would be a seat of a round whose seats are all listed here, and is none of them: it does not
        exist, so the first wager of a player in a round needs no load.
        """
        if stream_kind(stream) != "seat":
            return False
        seats = self._seats.get(seat_prefix_of(stream))
        return seats is not None and stream not in seats

    def trim(self) -> None:
        """Let the least used go, between turns. The list of a round's seats goes with its round: each wager touches
        that, so nobody has asked for the seats since.
        """
        while self.bytes > self._max and self._states:
            stream, known = self._states.popitem(last=False)
            self.bytes -= weight_of(known.state)
            if stream_kind(stream) == "round":
                self._drop_seats(seat_prefix_of_round(stream))
            elif len(self._seats) > len(self._states):  # a list whose round was not asked for
                self._drop_seats(next(iter(self._seats)))

    def apply(self, news: Iterable[Recorded]) -> None:
        """Evolve what is cached by what others wrote."""
        for one in news:
            known = self._states.get(one.stream)
            if known is not None:
                self._evolve(known, one)
            elif one.version == 1:
                self._evolve(NOTHING, one)

    def absorb(self, streams: Collection[str], prefixes: Collection[str], loaded: Loaded) -> None:
        """Take what a load brought; what it did not bring does not exist."""
        states: dict[str, Versioned] = dict.fromkeys(streams, NOTHING)
        seats = {prefix: Names() for prefix in prefixes}
        self.broken.update(loaded.broken)
        for one in loaded.events:
            if one.stream in self.broken:
                continue
            states[one.stream] = evolved(states.get(one.stream, NOTHING), one)
            if stream_kind(one.stream) == "seat" and seat_prefix_of(one.stream) in seats:
                seats[seat_prefix_of(one.stream)].add(one.stream)
        for stream in loaded.broken:
            states.pop(stream, None)
            if stream_kind(stream) == "seat" and seat_prefix_of(stream) in seats:
                seats[seat_prefix_of(stream)].add(stream)
        for prefix, names in seats.items():
            self._put_seats(prefix, names)
        for stream, known in states.items():
            # what is here already is as new as the log or newer: the batch under way may have changed it
            self.put(stream, self._states.get(stream, known))

    def _put_seats(self, prefix: str, names: Names) -> None:
        before = self._seats.get(prefix)
        self._seats[prefix] = names
        self.bytes += NAME * (1 + len(names)) - (0 if before is None else NAME * (1 + len(before)))

    def _drop_seats(self, prefix: str) -> None:
        names = self._seats.pop(prefix, None)
        if names is not None:
            self.bytes -= NAME * (1 + len(names))

    def _evolve(self, known: Versioned, one: Recorded) -> None:
        self.put(one.stream, evolved(known, one), is_first=one.version == 1)


def evolved(known: Versioned, one: Recorded) -> Versioned:
    """The stream after one more event."""
    return Versioned(evolve(one.stream, known.state, one.event), one.version, one.recorded_at)
