"""A story as the log has it, and the lines of its journal."""

from __future__ import annotations

from adapters.codec import CODEC
from services.ports import Meta, Recorded
from services.ports_reads import NamedEvent
from services.queries.journal import JournalLine, lines_of
from tests.domain.views.story import Story


def recorded_of(story: Story) -> list[NamedEvent]:
    """The events of a story at positions 1 and on."""
    found = []
    for position, one in enumerate(story.told, 1):
        meta = Meta(story.operator, "ann", "key-1", "r-1", None, "x", f"c-{one.command}", one.at)
        event = Recorded(position, one.stream, position, one.event, one.entry, meta, one.at)
        found.append((CODEC.name(one.event), event))
    return found


def journal_of(story: Story) -> list[JournalLine]:
    """All lines of a story."""
    return [line for named in recorded_of(story) for line in lines_of(named)]
