"""Many rounds replayed: what was compared, which rounds differ, and which are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.rounds.events import RoundCancelled, RoundSettled, RoundVoided
from domain.views.model import time_text
from services.replay.selecting import awards_of, dealer_hands_of, hands_of
from services.replay.settlements import Verdict
from services.replay.sheet import Difference
from services.replay.story import RoundStory

NAMED_MOST: Final = 1_000
"""Rounds that are named; more are only counted."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round as a list tells of it. Amounts in minor units; `staked` and `returned` are those of what stands."""

    operator: str
    round: str
    game_number: str
    table: str
    ruleset: str
    currency: str
    opened_at: str
    state: str
    position: int
    players: tuple[str, ...]
    hands: tuple[str, ...]
    dealer_hand: str | None
    staked: int
    returned: int
    prizes: int
    software_version: str
    build: str


@dataclass(frozen=True, slots=True)
class DifferingRound:
    """A round that is not as the replay has it."""

    operator: str
    round: str
    game_number: str
    found: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """An event that cannot be read, so that its round was not replayed."""

    position: int
    reason: str


@dataclass(slots=True)
class Tally:
    """What a range came to. `rounds` counts those replayed, by their state now; `compared` values held against the
    record, `found` those that differ.
    """

    rounds: int = 0
    settled: int = 0
    voided: int = 0
    cancelled: int = 0
    under_way: int = 0
    settlements: int = 0
    seats: int = 0
    compared: int = 0
    found: int = 0
    differing_count: int = 0
    differing: list[DifferingRound] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    listed: list[RoundLine] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Whether every round could be read and is as recorded, to the cent."""
        return not self.found and not self.unread

    def add(self, story: RoundStory, verdict: Verdict) -> None:
        """One more round."""
        self.rounds += 1
        name = _STATES[state_of(story)]
        setattr(self, name, getattr(self, name) + 1)
        self.settlements += len(verdict.settlements)
        self.seats += sum(len(one.seats) for one in verdict.settlements)
        self.compared += verdict.compared
        self.found += verdict.found
        if not verdict.equal:
            self.differing_count += 1
            number = story.opened.game_number
            self.differing.append(
                DifferingRound(story.operator, story.round, number, verdict.found, verdict.differences)
            )
            del self.differing[NAMED_MOST:]

    def merge(self, other: Tally) -> None:
        """Take in what another process counted of later rounds."""
        for name in ("rounds", *_STATES.values(), "settlements", "seats", "compared", "found", "differing_count"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.differing = [*self.differing, *other.differing][:NAMED_MOST]
        self.unread += other.unread
        self.listed += other.listed


_STATES: Final = {
    "SETTLED": "settled",
    "VOIDED": "voided",
    "CANCELLED": "cancelled",
    "UNDER_WAY": "under_way",
}
"""What a round is now, and the count that it goes into."""


def state_of(story: RoundStory) -> str:
    """Where a round stands: SETTLED, VOIDED, CANCELLED, or UNDER_WAY."""
    state = "UNDER_WAY"
    for one in story.recorded:
        match one.event:
            case RoundSettled():
                state = "SETTLED"
            case RoundVoided():
                state = "VOIDED"
            case RoundCancelled():
                state = "CANCELLED"
    return state


def line_of(story: RoundStory, verdict: Verdict) -> RoundLine:
    """The round's line in a list."""
    opened = story.opened
    dealer_hands: Sequence[str] = dealer_hands_of(story)
    results = [result for book in verdict.standing.values() for result in book.results.values()]
    return RoundLine(
        operator=story.operator,
        round=story.round,
        game_number=opened.game_number,
        table=opened.terms.table,
        ruleset=opened.terms.ruleset,
        currency=opened.terms.currency,
        opened_at=time_text(opened.opened_at),
        state=state_of(story),
        position=story.positions[0],
        players=tuple(sorted(verdict.standing)),
        hands=tuple(dict.fromkeys(hands_of(story))),
        dealer_hand=dealer_hands[-1] if dealer_hands else None,
        staked=sum(one.stake_minor for one in results),
        returned=sum(one.payout_minor for one in results) + sum(one.prize_minor for one in verdict.standing.values()),
        prizes=sum(prize for _, prize in awards_of(story)),
        software_version=opened.software_version,
        build=opened.build,
    )
