"""Evidence of one round, as a request may read it: one operator's log, and the hash before each of its events."""

from __future__ import annotations

from datetime import datetime

from domain.chain import GENESIS
from domain.frozen import dataclass
from domain.ids import round_stream, seat_prefix
from domain.seals import ENDED
from services.evidence.making import Linked, in_order, require_opened
from services.queries.pages import Turn
from services.queries.reads import Reads
from services.queries.stories import StoryPage, story_page
from services.replay.story import RoundStory
from services.sealing import DayRound


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A round with its next seats, and its events as they are stored."""

    page: StoryPage
    links: tuple[Linked, ...]


async def evidence_page(
    reads: Reads, operator: str, round_id: str, turn: Turn, *, min_position: int | None = None
) -> EvidencePage:
    """Raises NotFound, WrongPhase before its cards are open, Invalid for a cursor of another question, Unavailable."""
    page = await story_page(reads, operator, round_id, turn, min_position)
    require_opened(page.story)
    async with reads.views.reading_log(operator) as snapshot:
        found = await snapshot.stored(page.story.positions)
        known = {one.position for one in found}
        given = await snapshot.hashes_before([position for position in known if position - 1 not in known])
    before = {0: GENESIS, **{position - 1: hashed for position, hashed in given.items()}}
    return EvidencePage(page, tuple(in_order(page.story, found, before.get)))


def ended_at(story: RoundStory) -> datetime | None:
    """When the round first ended, which says to which gaming day it belongs; None while it has not."""
    stream = round_stream(story.operator, story.round)
    return next((one.recorded_at for name, one in story.events if one.stream == stream and name in ENDED), None)


async def round_until(reads: Reads, operator: str, round_id: str, position: int) -> DayRound:
    """Position and stored hash of all events of a round and its seats up to a position: the leaf of a sealed day."""
    async with reads.views.reading_log(operator) as snapshot:
        stream, prefix = round_stream(operator, round_id), seat_prefix(operator, round_id)
        return DayRound(round_id, tuple(await snapshot.hashes_until(stream, prefix, position)))
