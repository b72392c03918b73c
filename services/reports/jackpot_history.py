"""The history of each pool: every step of its meter, and each gaming day from opening to closing (R6, R10, R18).

Hits are net, as the pool's terms are: a prize that falls with a void, a resettlement or a refusal is one less on the
day of that, so that the days add up to the prizes that stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.jackpots.events import Awarded
from domain.jackpots.upkeep import TermsChanged
from domain.views.model import time_text
from services.ports import Told
from services.reports.columns import count, micro, minor, summed, text
from services.reports.pool_moves import TERM_NAMES, TERMS, move_of, terms_of
from services.reports.prizes import Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part, Unit

DAYS: Final = "days"
COURSE: Final = "course"


@dataclass(frozen=True, slots=True)
class _JackpotHistory:
    scope: Scope
    totals: dict[str, int] = field(default_factory=dict)
    days: set[tuple[str, ...]] = field(default_factory=set)
    prizes: Prizes = field(default_factory=Prizes)

    def parts(self, told: Told) -> Iterator[Part]:
        """The step of a pool, and what it is to the gaming day."""
        changes = tuple(self.prizes.take(told.one.event))
        moved = move_of(told.one.event)
        if moved is None or not self.scope.takes(moved[1]):
            return
        pool, currency, move = moved
        before = self.totals.get(pool, 0)
        self.totals[pool] = before + move.meter_micro + move.reserve_micro + move.overflow_micro
        if self.scope.when(told) is not When.WITHIN:
            return
        event = told.one.event
        day = (currency, pool, self.scope.day(told).isoformat())
        if day not in self.days:
            self.days.add(day)
            yield Part(DAYS, day, "opening_micro", before)
        for name, amount in terms_of(event):
            yield Part(DAYS, day, name, amount)
        if hits := sum(one.sign for one in changes):
            yield Part(DAYS, day, "hits", hits)
        row = (currency, pool, str(told.one.position))
        yield Part(COURSE, row, "at", time_text(self.scope.at(told)))
        yield Part(COURSE, row, "event", told.name)
        yield Part(COURSE, row, "moved_micro", move.meter_micro)
        yield Part(COURSE, row, "meter_micro", move.meter_after_micro)
        if isinstance(event, Awarded):
            yield Part(COURSE, row, "category", event.category)
            yield Part(COURSE, row, "prize_minor", event.prize_minor)
        elif isinstance(event, TermsChanged):
            yield Part(COURSE, row, "category", "parameters")


JACKPOT_HISTORY: Final = Kind(
    name="jackpot-history",
    title="Jackpot history",
    about="Each gaming day of each pool from opening to closing, and every step of its meter.",
    tables=(
        Layout(
            DAYS,
            "Gaming days",
            ("currency", "jackpot", "day"),
            (
                micro("opening_micro", "Opening"),
                *TERMS,
                summed(Unit.MICRO, "closing_micro", "Closing", ("opening_micro", *TERM_NAMES)),
                count("hits", "Hits"),
            ),
        ),
        Layout(
            COURSE,
            "The meter",
            ("currency", "jackpot", "position"),
            (
                text("at", "At"),
                text("event", "Event"),
                text("category", "Hand"),
                minor("prize_minor", "Prize"),
                micro("moved_micro", "Moved"),
                micro("meter_micro", "Meter"),
            ),
            in_order=True,
        ),
    ),
    make=_JackpotHistory,
)
