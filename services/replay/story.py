"""The story of a round: every event of it and of all that it touched, in the order of the log.

It holds the round's own stream, the streams of its seats, what wallets did for it, what it did to its pool and its
table, and whatever came later: voids, resettlements, reviews, prizes verified or refused. Cards that are not public
yet are in it sealed, as they are stored.

Seats and round have streams of their own, so they are read by name. Wallets and pools have not: their events lie
beside the others of the same command, since all events of a command are appended together, at positions without a
gap. `neighbours` says which positions must be looked at to miss none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.ids import stream_kind, stream_operator
from domain.jackpots.parameters import PoolTerms
from domain.rounds.events import RoundOpened
from services.ports import Recorded
from services.ports_reads import NamedEvent

T = TypeVar("T")

_OWN: Final = frozenset({"round", "seat"})
"""Streams that belong to one round alone."""

OTHERS: Final = frozenset({"wallet", "jackpot", "table"})
"""Streams that a round has events in."""

_OF_PLAYERS: Final = frozenset({"seat", "wallet"})

_EDGE: Final = 6
"""Positions beyond the known ones of a command that are looked at in one go; few commands have more there."""


@dataclass(frozen=True, slots=True)
class RoundStory:
    """A round and all that it touched. `events` are in order of position, each with its stable name.

    `terms_at_close` are the parameters of its pool when betting closed, None where it gave to no pool.
    """

    operator: str
    round: str
    opened: RoundOpened
    events: tuple[NamedEvent, ...]
    terms_at_close: PoolTerms | None = None

    @property
    def recorded(self) -> Iterator[Recorded]:
        """The events without their names."""
        return (one for _, one in self.events)

    @property
    def positions(self) -> tuple[int, ...]:
        """Where the events stand in the log."""
        return tuple(one.position for _, one in self.events)

    @property
    def players(self) -> tuple[str, ...]:
        """Who took part, in the order of their first wagers or passes."""
        seats = (one.event for one in self.recorded if stream_kind(one.stream) == "seat")
        return tuple(dict.fromkeys(str(getattr(event, "player", "")) for event in seats))

    def all_of(self, kind: type[T]) -> list[tuple[int, T]]:
        """The events of a class, each with its position."""
        return [(one.position, one.event) for one in self.recorded if isinstance(one.event, kind)]

    def last_of(self, kind: type[T]) -> T | None:
        """The last event of a class, None where there is none."""
        found = self.all_of(kind)
        return found[-1][1] if found else None


def round_of(one: Recorded) -> str | None:
    """The id of the round whose story an event belongs to, None where it belongs to none."""
    kind = stream_kind(one.stream)
    if kind not in _OWN and kind not in OTHERS:
        return None
    found = getattr(one.event, "round", None)
    return found if isinstance(found, str) else None


def story_of(
    operator: str,
    round_id: str,
    events: Iterable[NamedEvent],
    terms_at_close: PoolTerms | None = None,
    *,
    players: Collection[str] | None = None,
) -> RoundStory:
    """The story made of those events that belong to it, in any order and however often. NotFound without a start.

    With `players` the seats and wallets of others are left out: what was read of them is not all.
    """
    own: dict[int, NamedEvent] = {}
    for named in events:
        one = named[1]
        if round_of(one) == round_id and stream_operator(one.stream) == operator and _is_wanted(one, players):
            own[one.position] = named
    ordered = tuple(own[position] for position in sorted(own))
    for _, one in ordered:
        if isinstance(one.event, RoundOpened):
            return RoundStory(operator, round_id, one.event, ordered, terms_at_close)
    raise NotFound("no such round", field="round")


def _is_wanted(one: Recorded, players: Collection[str] | None) -> bool:
    if players is None or stream_kind(one.stream) not in _OF_PLAYERS:
        return True
    return getattr(one.event, "player", None) in players


def neighbours(round_id: str, known: Sequence[Recorded], looked_at: Collection[int]) -> list[int]:
    """Positions to look at next, so that no event of the commands of the round's own events is missed; none at the
    end. `known` is everything read until now, `looked_at` all positions that were asked for or found.
    """
    first, last = _spans(round_id, known)
    seen = looked_at if isinstance(looked_at, set | frozenset) else set(looked_at)
    wanted: set[int] = set()
    for command, begin in first.items():
        end = last[command]
        wanted.update(range(begin, end))
        if begin - 1 not in seen:
            wanted.update(range(max(begin - _EDGE, 1), begin))
        if end + 1 not in seen:
            wanted.update(range(end + 1, end + 1 + _EDGE))
    return sorted(wanted - seen)


def _spans(round_id: str, known: Sequence[Recorded]) -> tuple[dict[str, int], dict[str, int]]:
    """Each command that has an event of the round or its seats, with its first and its last known position."""
    own = {one.meta.causation for one in known if stream_kind(one.stream) in _OWN and round_of(one) == round_id}
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for one in known:
        command = one.meta.causation
        if command in own:
            first[command] = min(one.position, first.get(command, one.position))
            last[command] = max(one.position, last.get(command, one.position))
    return first, last
