"""Handle and revenue of each gaming day, in the operator's zone: a day has 23 or 25 hours where clocks change (R27)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.jackpots.events import Contributed, RoundMirrored
from domain.rounds.events import RoundSettled, RoundVoided
from domain.seats.events import Stage
from services.ports import Told
from services.reports.columns import count, micro, minor
from services.reports.game_performance import TAKEN
from services.reports.prizes import Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part
from services.reports.wagers import Wagers

DAYS: Final = "days"


@dataclass(frozen=True, slots=True)
class _DailyRevenue:
    scope: Scope
    wagers: Wagers = field(default_factory=Wagers)
    prizes: Prizes = field(default_factory=Prizes)

    def parts(self, told: Told) -> Iterable[Part]:
        """What an event within the time asked about gives to its day."""
        event = told.one.event
        spots, changes = list(self.wagers.take(event)), list(self.prizes.take(event))
        if self.scope.when(told) is not When.WITHIN or told.opened is None:
            return
        currency = told.opened.terms.currency
        if not self.scope.takes(currency):
            return
        row = (currency, self.scope.day(told).isoformat())
        for spot in spots:
            for column, amount in spot.taken():
                yield Part(DAYS, row, column, amount)
        for change in changes:
            if change.sign:
                yield Part(DAYS, row, "jackpot_minor", change.sign * change.prize.prize_minor)
        match event:
            case RoundSettled():
                yield Part(DAYS, row, "rounds", 1)
            case RoundVoided(stage=Stage.AFTER_SETTLEMENT):
                yield Part(DAYS, row, "rounds", -1)
            case Contributed():
                yield Part(DAYS, row, "contribution_micro", event.increment_micro + event.reserve_micro)
            case RoundMirrored():
                yield Part(DAYS, row, "contribution_micro", -event.contribution_micro)
            case _:
                pass


DAILY_REVENUE: Final = Kind(
    name="daily-revenue",
    title="Revenue by day",
    about="Rounds, handle, payouts, GGR, contributions and jackpots of each gaming day.",
    tables=(
        Layout(
            DAYS,
            "Gaming days",
            ("currency", "day"),
            (
                count("rounds", "Rounds"),
                *TAKEN,
                micro("contribution_micro", "Contributions"),
                minor("jackpot_minor", "Jackpots"),
            ),
        ),
    ),
    make=_DailyRevenue,
)
