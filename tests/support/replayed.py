"""Stories of rounds out of a log in memory, as a reader of the real one would find them."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.codec import CODEC
from domain.ids import stream_operator
from domain.jackpots.events import Contributed
from domain.jackpots.parameters import PoolTerms
from services.ports import Recorded
from services.ports_reads import NamedEvent
from services.replay.checking import check
from services.replay.pool_terms import STATES_TERMS
from services.replay.settlements import Verdict
from services.replay.story import RoundStory, round_of, story_of


def stories_of(events: Sequence[Recorded]) -> list[RoundStory]:
    """Every round of a log, in the order of their opening."""
    found: dict[tuple[str, str], list[NamedEvent]] = {}
    in_force: dict[tuple[str, str], PoolTerms] = {}
    at_close: dict[tuple[str, str], PoolTerms] = {}
    for one in events:
        operator, event = stream_operator(one.stream), one.event
        if isinstance(event, STATES_TERMS):
            in_force[operator, event.terms.jackpot] = event.terms
        if isinstance(event, Contributed):
            at_close[operator, event.round] = in_force[operator, event.jackpot]
        if (round_id := round_of(one)) is not None:
            found.setdefault((operator, round_id), []).append((CODEC.name(event), one))
    return [story_of(*key, named, at_close.get(key)) for key, named in found.items()]


def verdicts_of(events: Sequence[Recorded]) -> dict[str, Verdict]:
    """Every round of a log, settled again."""
    return {story.round: check(story) for story in stories_of(events)}
