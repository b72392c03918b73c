"""Rounds gathered from a stretch of the log, each event looked at once, without decoding those of other rounds.

A stretch is what one process takes at a time. The rounds that were opened in it are gathered; one that is not over
at the stretch's end, or has more events than were seen there, is told apart, to be read by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from domain.frozen import dataclass
from domain.ids import round_stream
from domain.jackpots.events import Contributed
from domain.jackpots.parameters import PoolTerms
from domain.rounds.events import RoundCancelled, RoundOpened, RoundSettled, RoundVoided
from services.ports_reads import NamedEvent
from services.replay.story import OTHERS, RoundStory

Stored = tuple[int, str, int, str, bytes]
"""Position, stream, version, name and bytes of an event."""

OPENED: Final = "round.opened."
"""What the name of the event that opens a round begins with, in any of its versions."""

_FIELD: Final = b'"round":"'
_OVER: Final = (RoundSettled, RoundVoided, RoundCancelled)


class RoundKey(NamedTuple):
    """A round of an operator."""

    operator: str
    round: str

    @property
    def stream(self) -> str:
        """The stream of the round itself."""
        return round_stream(self.operator, self.round)


@dataclass(slots=True)
class Gathered:
    """What a stretch holds of a round. `versions` counts the events of its own stream."""

    events: list[NamedEvent]
    versions: int = 0
    is_over: bool = False
    jackpot: str | None = None
    closed_at: int = 0

    def story(self, key: RoundKey, terms_at_close: PoolTerms | None) -> RoundStory:
        """The story of a round that is over; its events came in order, its opening first."""
        opened = self.events[0][1].event
        if not isinstance(opened, RoundOpened):
            raise TypeError("a round's first event opens it")
        return RoundStory(key.operator, key.round, opened, tuple(self.events), terms_at_close)


def rounds_in(
    rows: Iterable[Stored],
    decode: Callable[[Stored], NamedEvent | None],
    is_wanted: Callable[[str, RoundOpened], bool],
    upto: int,
) -> dict[RoundKey, Gathered]:
    """The rounds that were opened in these rows, in the order of their opening, with all events of theirs there.

    `rows` end with the last event of a command; what is opened past `upto` is the next stretch's. A round is left out
    when `is_wanted` (operator, opening) says so, or when `decode` gives None for one of its events.
    """
    found: dict[RoundKey, Gathered] = {}
    for row in rows:
        key = _round_of(row)
        if key is None or (key not in found and not row[3].startswith(OPENED)):
            continue
        named = decode(row)
        if named is None:
            found.pop(key, None)
            continue
        name, one = named
        event = one.event
        if isinstance(event, RoundOpened) and row[0] <= upto and is_wanted(key.operator, event):
            found[key] = Gathered([])
        gathered = found.get(key)
        if gathered is None or getattr(event, "round", None) != key.round:
            continue
        gathered.events.append((name, one))
        if one.stream == key.stream:
            gathered.versions += 1
            gathered.is_over = gathered.is_over or isinstance(event, _OVER)
        elif isinstance(event, Contributed):
            gathered.jackpot, gathered.closed_at = event.jackpot, one.position
    return found


def unfinished(found: Mapping[RoundKey, Gathered], versions: Mapping[str, int]) -> list[RoundKey]:
    """Those of which the log holds more, or will; `versions` says how many events each round's stream has by now."""
    return [
        key for key, one in found.items() if not one.is_over or versions.get(key.stream, one.versions) != one.versions
    ]


def _round_of(row: Stored) -> RoundKey | None:
    """The round that an event belongs to, from its stream's name or its stored bytes; None where neither tells one."""
    operator, kind, own_id = (*row[1].split("/", 2), "", "")[:3]
    if kind == "round":
        return RoundKey(operator, own_id)
    if kind == "seat":
        return RoundKey(operator, own_id.partition(".")[0])
    if kind not in OTHERS:
        return None
    _, known, after = row[4].partition(_FIELD)
    name, ended, _ = after.partition(b'"')
    return RoundKey(operator, name.decode(errors="replace")) if known and ended else None
