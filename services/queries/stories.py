"""Stories of rounds, as a request may read them: one operator's log alone, a page of seats at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.ids import jackpot_stream, round_stream, seat_prefix, seat_stream
from domain.jackpots.parameters import PoolTerms
from domain.rounds.events import BettingClosed, ShowdownHeld
from domain.views.model import RowKey
from services.ports_reads import NamedEvent, Snapshot
from services.queries.pages import Turn, cursor_key, cursor_of
from services.queries.reads import Reads
from services.replay.pool_terms import terms_in
from services.replay.story import RoundStory, neighbours, story_of

SEATS_DEFAULT: Final = 50
SEATS_MAX: Final = 100
"""Seats of a page: each has some six events, its wallet's among them."""

_POOL_LOOKS: Final = (20, 600)
"""Newest events of a pool that are looked at for its parameters; every 500 have a closing entry, which holds them."""


@dataclass(frozen=True, slots=True)
class StoryPage:
    """A part of a story: all of the round and of its pool, and of the seats of `players`.

    The story also holds the seats that share prizes with them, so that it can be settled again. `next` is the cursor
    of the next page of seats, `position` how far the log was read.
    """

    story: RoundStory
    players: tuple[str, ...]
    is_first: bool
    next: str | None
    position: int


async def whole_story(reads: Reads, operator: str, round_id: str, min_position: int | None = None) -> RoundStory:
    """All of a round, however many its seats. Raises NotFound, Unavailable. For work beside the service: a round of
    ten thousand seats has some eighty thousand events.
    """
    async with reads.views.reading_log(operator, min_position) as snapshot:
        seats = await snapshot.streams_under(seat_prefix(operator, round_id), "", None)
        return await _read(snapshot, operator, round_id, seats)


async def story_page(
    reads: Reads, operator: str, round_id: str, turn: Turn, min_position: int | None = None
) -> StoryPage:
    """The round with its next seats, by player id. Raises NotFound, Invalid for a cursor of another question,
    Unavailable.
    """
    question = ("story", round_id)
    prefix = seat_prefix(operator, round_id)
    after = "" if turn.cursor is None else cursor_key(turn.cursor, question).key
    async with reads.views.reading_log(operator, min_position) as snapshot:
        found = await snapshot.streams_under(prefix, f"{prefix}{after}" if after else "", turn.limit + 1)
        streams = found[: turn.limit]
        players = tuple(one.removeprefix(prefix) for one in streams)
        more = len(found) > turn.limit
        story = await _read(snapshot, operator, round_id, streams)
        return StoryPage(
            story,
            players,
            turn.cursor is None,
            cursor_of(RowKey("seat", players[-1]), question) if more else None,
            snapshot.position,
        )


async def _read(snapshot: Snapshot, operator: str, round_id: str, seats: Sequence[str]) -> RoundStory:
    stream = round_stream(operator, round_id)
    found = list(await snapshot.events_in([stream], ()))
    if not found:
        raise NotFound("no such round", field="round")
    prefix = seat_prefix(operator, round_id)
    players = {one.removeprefix(prefix) for one in seats} | _share_prizes(found)
    found += await snapshot.events_in([seat_stream(operator, round_id, one) for one in sorted(players)], ())
    looked_at = {one.position for _, one in found}
    while wanted := neighbours(round_id, [one for _, one in found], looked_at):
        looked_at.update(wanted)
        found += await snapshot.events_in((), wanted)
    terms = await _terms_at_close(snapshot, operator, found)
    return story_of(operator, round_id, found, terms, players=players)


def _share_prizes(of_round: Collection[NamedEvent]) -> set[str]:
    """Whose wagers went to a pool or may be paid by it: what one of them wins the next finds no more."""
    found: set[str] = set()
    for _, one in of_round:
        if isinstance(one.event, BettingClosed):
            found.update(share.player for share in one.event.shares)
        elif isinstance(one.event, ShowdownHeld):
            found.update(one.event.order)
    return found


async def _terms_at_close(snapshot: Snapshot, operator: str, events: Collection[NamedEvent]) -> PoolTerms | None:
    for _, one in events:
        if isinstance(one.event, BettingClosed) and one.event.jackpot is not None:
            stream = jackpot_stream(operator, one.event.jackpot)
            for count in _POOL_LOOKS:
                terms = terms_in(await snapshot.last_of(stream, one.position, count))
                if terms is not None:
                    return terms
    return None
