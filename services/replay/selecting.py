"""Which rounds are meant: a condition on rule set, hands, table, time and version, held against a round's story."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.hands import Category
from domain.jackpots.events import Awarded, RoundResettled
from domain.rounds.events import CardsCorrected, RoundOpened, ShowdownHeld
from domain.seats.events import SeatResettled, SeatSettled
from domain.variants import RULESETS
from services.replay.story import RoundStory

_HASH: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Where:
    """All that is set must hold; None is no condition. Raises Invalid for a hand or rule set that is none.

    A round counts by its opening: `begin` included, `end` not. `hand` is that of any seat, `dealer_hand` the dealer's,
    in the first settlement or in one on corrected cards. `version` is the software's version, or how its build begins.
    """

    operator: str | None = None
    ruleset: str | None = None
    table: str | None = None
    version: str | None = None
    begin: datetime | None = None
    end: datetime | None = None
    hand: str | None = None
    dealer_hand: str | None = None
    jackpot_hit: bool = False

    def __post_init__(self) -> None:
        for field, hand in (("hand", self.hand), ("dealer-hand", self.dealer_hand)):
            if hand is not None and hand not in {one.value for one in Category}:
                raise Invalid(f"hands are {' '.join(one.value for one in Category)}", field=field)
        if self.ruleset is not None and not (self.ruleset in RULESETS or _HASH.fullmatch(self.ruleset)):
            raise Invalid(f"there are {', '.join(RULESETS)}, or a rule set's hash", field="ruleset")
        if self.begin is not None and self.end is not None and self.end < self.begin:
            raise Invalid("`to` lies before `from`", field="to")

    def takes_opening(self, operator: str, opened: RoundOpened) -> bool:
        """Whether the round may be meant, as far as its opening tells."""
        terms, at = opened.terms, opened.opened_at
        return (
            self.operator in {None, operator}
            and self.ruleset in {None, terms.ruleset, terms.ruleset_hash}
            and self.table in {None, terms.table}
            and (self.version is None or _is_version(self.version, opened))
            and (self.begin is None or at >= self.begin)
            and (self.end is None or at < self.end)
        )

    def takes(self, story: RoundStory) -> bool:
        """Whether the round is meant."""
        if not self.takes_opening(story.operator, story.opened):
            return False
        hit = not self.jackpot_hit or bool(awards_of(story))
        return hit and _has(self.hand, hands_of(story)) and _has(self.dealer_hand, dealer_hands_of(story))


def hands_of(story: RoundStory) -> list[str]:
    """The hands that seats were settled with."""
    return [one.event.player_hand for one in story.recorded if isinstance(one.event, SeatSettled | SeatResettled)]


def dealer_hands_of(story: RoundStory) -> list[str]:
    """The dealer's hand, and those on corrected cards."""
    return [one.event.dealer_hand for one in story.recorded if isinstance(one.event, ShowdownHeld | CardsCorrected)]


def awards_of(story: RoundStory) -> list[tuple[str, int]]:
    """The progressive prizes that the round ever made: who won and how much, in minor units."""
    found: list[tuple[str, int]] = []
    for one in story.recorded:
        if isinstance(one.event, Awarded):
            found.append((one.event.player, one.event.prize_minor))
        elif isinstance(one.event, RoundResettled):
            found += [(award.player, award.prize_minor) for award in one.event.awards]
    return found


def _has(wanted: str | None, found: list[str]) -> bool:
    return wanted is None or wanted in found


def _is_version(version: str, opened: RoundOpened) -> bool:
    return opened.software_version == version or (bool(version) and opened.build.startswith(version))
