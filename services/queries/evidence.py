"""Evidence of one round, as a request may read it: one operator's log, and hashes of what lies beside it."""

from __future__ import annotations

from domain.chain import GENESIS
from domain.frozen import dataclass
from services.evidence.making import Linked, in_order, require_opened
from services.ports_reads import Hashes
from services.queries.pages import Turn
from services.queries.reads import Reads
from services.queries.stories import StoryPage, story_page


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A round with its next seats, and its events as they are stored."""

    page: StoryPage
    links: tuple[Linked, ...]


async def evidence_page(
    reads: Reads, hashes: Hashes, operator: str, round_id: str, turn: Turn, *, min_position: int | None = None
) -> EvidencePage:
    """Raises NotFound, WrongPhase before its cards are open, Invalid for a cursor of another question, Unavailable."""
    page = await story_page(reads, operator, round_id, turn, min_position)
    require_opened(page.story)
    async with reads.views.reading_log(operator) as snapshot:
        found = await snapshot.stored(page.story.positions)
    known = {one.position for one in found} | {0}
    before = {0: GENESIS, **await hashes.at([one.position - 1 for one in found if one.position - 1 not in known])}
    return EvidencePage(page, tuple(in_order(page.story, found, before.get)))
