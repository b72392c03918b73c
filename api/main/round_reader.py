"""Stories of rounds out of the log, on a login that reads all of it: one by name, or all of a stretch of positions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from psycopg import Connection

from adapters.codec import NAMES
from adapters.event_store.rounds import RoundLog, Stored, UnreadableStory, named
from domain.errors import NotFound
from domain.ids import jackpot_stream, round_stream, seat_prefix
from domain.jackpots.parameters import PoolTerms
from domain.rounds.events import BettingClosed, RoundOpened
from domain.tables import RoundStarted
from services.ports_reads import NamedEvent
from services.replay.pool_terms import STATES_TERMS
from services.replay.ranging import Unread
from services.replay.scanning import Gathered, RoundKey, rounds_in, unfinished
from services.replay.story import RoundStory, neighbours, story_of

_STATE_TERMS: Final = [name for name, cls in NAMES.items() if cls in STATES_TERMS]
_STARTED: Final = [name for name, cls in NAMES.items() if cls is RoundStarted]
_BEYOND: Final = 200
"""Positions past a stretch that are read at a time for the rest of its last command."""

Wanted = Callable[[str, RoundOpened], bool]
"""Whether a round, by its operator and its opening, is wanted."""


class RoundReader:
    """See the module. `unread` collects events that could not be read, whose rounds were left out."""

    def __init__(self, conn: Connection) -> None:
        self.log = RoundLog(conn)
        self.unread: list[Unread] = []
        self._terms: dict[tuple[str, str], tuple[int, list[int], list[PoolTerms]]] = {}

    def find(self, name: str, operator: str | None = None) -> RoundKey:
        """The round of that id or game number. NotFound, also where several operators have one: then name which."""
        operators = self.log.operators() if operator is None else [operator]
        streams = {round_stream(one, name): RoundKey(one, name) for one in operators}
        found = [streams[stream] for stream, version in self.log.versions(streams).items() if version]
        found = found or [key for one in operators if (key := self._by_game_number(one, name)) is not None]
        if not found:
            raise NotFound(f"no round has the id or game number {name!r}", field="round")
        if len(found) > 1:
            raise NotFound(f"{', '.join(one.operator for one in found)} have one: name the operator", field="operator")
        return found[0]

    def story(self, key: RoundKey) -> RoundStory:
        """All of a round, however long after its end. Raises NotFound, UnreadableStory."""
        return self.part(key, self.seats(key))

    def seats(self, key: RoundKey) -> list[str]:
        """The streams of a round's seats."""
        return self.log.streams_under(seat_prefix(key.operator, key.round))

    def part(self, key: RoundKey, seats: Sequence[str], players: Collection[str] | None = None) -> RoundStory:
        """The round with some of its seats: those of `players`, None: of all. Raises as `story`."""
        found = self.log.events_in([key.stream, *seats], ())
        looked_at = {one.position for _, one in found}
        while wanted := neighbours(key.round, [one for _, one in found], looked_at):
            looked_at.update(wanted)
            found += self.log.events_in((), wanted)
        terms = self._terms_at_close(key.operator, found)
        return story_of(key.operator, key.round, found, terms, players=players)

    def stories(self, after: int, upto: int, is_wanted: Wanted) -> Iterator[RoundStory]:
        """The rounds that were opened past a position and not past another, each with all that happened to it."""
        found = rounds_in(self._whole_commands(after, upto), self._decoded, is_wanted, upto)
        later = set(unfinished(found, self.log.versions([key.stream for key in found])))
        for key, gathered in found.items():
            try:
                yield self.story(key) if key in later else self._gathered(key, gathered)
            except UnreadableStory as fault:
                self.unread.append(Unread(fault.position, fault.reason))

    def _gathered(self, key: RoundKey, gathered: Gathered) -> RoundStory:
        terms = None
        if gathered.jackpot is not None:
            terms = self._terms_before(key.operator, gathered.jackpot, gathered.closed_at)
        return gathered.story(key, terms)

    def _decoded(self, row: Stored) -> NamedEvent | None:
        try:
            return named(row)
        except UnreadableStory as fault:
            self.unread.append(Unread(fault.position, f"{fault.stream}: {fault.reason}"))
            return None

    def _whole_commands(self, after: int, upto: int) -> Iterator[Stored]:
        """The rows of a stretch, and those past it that belong to its last command."""
        last: Stored | None = None
        for last in self.log.rows(after, upto):
            yield last
        if last is None:
            return
        command = _command(last)
        beyond = chain.from_iterable(
            self.log.rows(start, start + _BEYOND) for start in range(upto, self.log.head(), _BEYOND)
        )
        for row in beyond:
            if _command(row) != command:
                return
            yield row

    def _by_game_number(self, operator: str, number: str) -> RoundKey | None:
        """Looked for at the table's own starts: a game number names its table."""
        table = number.split("-", 2)[-1]
        for stream in {f"{operator}/table/{table}", f"{operator}/table/{table.rpartition('-')[0]}"}:
            for _, one in self.log.of_names(stream, _STARTED):
                if getattr(one.event, "game_number", None) == number:
                    return RoundKey(operator, str(getattr(one.event, "round", "")))
        return None

    def _terms_at_close(self, operator: str, events: list[NamedEvent]) -> PoolTerms | None:
        for _, one in events:
            if isinstance(one.event, BettingClosed) and one.event.jackpot is not None:
                return self._terms_before(operator, one.event.jackpot, one.position)
        return None

    def _terms_before(self, operator: str, jackpot: str, position: int) -> PoolTerms | None:
        """The parameters of a pool in force before a position; its changes are read once, and again for later ones."""
        key = operator, jackpot
        if key not in self._terms or self._terms[key][0] < position:
            head = self.log.head()
            changes = self.log.of_names(jackpot_stream(operator, jackpot), _STATE_TERMS)
            stated = [(one.position, one.event.terms) for _, one in changes if isinstance(one.event, STATES_TERMS)]
            self._terms[key] = head, [at for at, _ in stated], [terms for _, terms in stated]
        _, positions, terms = self._terms[key]
        nth = bisect_left(positions, position)
        return terms[nth - 1] if nth else None


def _command(row: Stored) -> str | None:
    """The command that an event belongs to; None where it cannot be read."""
    try:
        return named(row)[1].meta.causation
    except UnreadableStory:
        return None
