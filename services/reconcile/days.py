"""What a run says of a pool's gaming day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.frozen import dataclass
from domain.jackpots.identity import Term
from services.calendar import day_bounds
from services.reconcile.pools import OWN, Amounts

HOUSE: Final = tuple(term for term in Term if term not in (Term.CONTRIBUTIONS, Term.AWARDS))
"""Terms that are not the players' money."""


class Split(NamedTuple):
    """Where the contributions of all time are: won, on the meter, or held in reserve and overflow (R16)."""

    total_micro: int
    paid_micro: int
    displayed_micro: int
    held_micro: int


@dataclass(frozen=True, slots=True)
class PoolDay:
    """A pool's day: opening + terms = closing, and the closing three ways. Micro-units.

    `events` is what the pool's own events say, `ledger` the sums of postings, `model` the stored row of the read model
    less what came after the day (None where it has not come so far). `plays_micro` is CON as the seats have it.
    """

    pool: str
    currency: str
    day: date
    opening_micro: int
    terms: Mapping[Term, int]
    events: Amounts
    ledger: Amounts
    model: Amounts | None
    plays_micro: int
    all_time: Mapping[Term, int]

    @property
    def closing_micro(self) -> int:
        """Meter, reserve and overflow together."""
        return sum(self.events[account] for account in OWN)

    @property
    def explained_micro(self) -> int:
        """What opening and terms add up to."""
        return self.opening_micro + sum(self.terms.values())

    @property
    def holds(self) -> bool:
        """Whether all agree."""
        return (
            self.explained_micro == self.closing_micro
            and self.events == self.ledger
            and self.plays_micro == self.ledger["CON"]
            and (self.model is None or all(self.model[one] == self.ledger[one] for one in OWN))
        )

    @property
    def split(self) -> Split:
        """Contributions paid, displayed and in reserve. The house's money counts as won first; what is left of it lies
        on the meter, then in overflow, then in reserve, and contributions make up the rest.
        """
        total = self.all_time.get(Term.CONTRIBUTIONS, 0)
        spent = -self.all_time.get(Term.AWARDS, 0)
        house = sum(self.all_time.get(term, 0) for term in HOUSE)
        left = max(house - spent, 0)
        displayed = max(self.events["m"] - left, 0)
        held = self.closing_micro - left - displayed
        return Split(total, total - displayed - held, displayed, held)


class Bounds(NamedTuple):
    """A gaming day from its beginning to that of the next, UTC."""

    day: date
    begin: datetime
    end: datetime

    @property
    def next(self) -> date:
        """The day after."""
        return self.day + timedelta(days=1)


def bounds(day: date, zone: ZoneInfo) -> Bounds:
    """When a day begins and ends."""
    return Bounds(day, *day_bounds(day, zone))
