"""Prizes of pools as they stand: made, taken back by a void or a resettlement, refused (R4, R6; docs/ledger.md).

An event that takes an award back names it alone, so what it was worth is kept here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final, NamedTuple

from domain.frozen import dataclass
from domain.jackpots.events import Awarded, RoundMirrored, RoundResettled
from domain.jackpots.upkeep import AwardRefused, AwardVerified
from domain.rounds.events import AwardRecord
from domain.streams import Event


class Prize(NamedTuple):
    """An award. `hit_micro` is the meter that its turn found, `pending` whether it still waits for two persons."""

    award: str
    jackpot: str
    currency: str
    round: str
    player: str
    seat: int | None
    category: str
    prize_minor: int
    pool_micro: int
    hit_micro: int
    pending: bool


class Change(NamedTuple):
    """A prize that now stands (+1), or does no more (-1), and the word for it."""

    prize: Prize
    sign: int
    status: str


PAID: Final = "PAID"
PENDING: Final = "PENDING"
VERIFIED: Final = "VERIFIED"
REFUSED: Final = "REFUSED"
VOIDED: Final = "VOIDED"
RESETTLED: Final = "RESETTLED"


@dataclass(frozen=True, slots=True)
class Prizes:
    """Every award of the log so far; give it every event, in order."""

    made: dict[str, Prize] = field(default_factory=dict)

    def take(self, event: Event) -> Iterator[Change]:
        """What the event makes of prizes. VERIFIED has no sign: the prize stood already."""
        match event:
            case Awarded():
                yield self._new(event.jackpot, event.currency, event.round, event)
            case RoundMirrored():
                yield from self._gone(event.awards, VOIDED)
            case RoundResettled():
                yield from self._gone(event.fallen, RESETTLED)
                for one in event.awards:
                    yield self._new(event.jackpot, event.currency, event.round, one)
            case AwardRefused():
                yield from self._gone((event.award,), REFUSED)
            case AwardVerified() if event.award in self.made:
                self.made[event.award] = self.made[event.award]._replace(pending=False)
                yield Change(self.made[event.award], 0, VERIFIED)
            case _:
                pass

    def _new(self, jackpot: str, currency: str, round_id: str, award: Awarded | AwardRecord) -> Change:
        prize = Prize(
            award.award,
            jackpot,
            currency,
            round_id,
            award.player,
            award.seat,
            award.category,
            award.prize_minor,
            award.pool_micro,
            award.meter_before_micro,
            award.pending,
        )
        self.made[award.award] = prize
        return Change(prize, 1, PENDING if award.pending else PAID)

    def _gone(self, awards: tuple[str, ...], status: str) -> Iterator[Change]:
        for name in awards:
            if name in self.made:
                yield Change(self.made[name], -1, status)
