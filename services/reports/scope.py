"""What a report is asked about: whose events, of which time, by which of an event's two times, in which zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from domain.errors import Invalid
from domain.frozen import dataclass
from services.calendar import gaming_day
from services.ports import Told


class Clock(StrEnum):
    """By which of its two times an event is placed (requirements, `recorded_at` and `effective_at`)."""

    RECORDED = "recorded"
    EFFECTIVE = "effective"


NOTHING_ASKED: Final[Mapping[str, str]] = MappingProxyType({})


DIGITS_MAX: Final = 18
"""Digits of a parameter that is a number: what lies beyond is no amount of money."""


class When(StrEnum):
    """Where an event lies beside a report's time."""

    BEFORE = "before"
    WITHIN = "within"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Scope:
    """One operator's events from `begin` (included) to `end` (not included), aware times; None: no such bound.

    `currency` None takes all. `zone` is the operator's: gaming days begin at midnight there (23 or 25 hours twice a
    year). `asked` is what the report was asked beside that, its parameters. Raises Invalid for times without an offset
    and for an end before the beginning.
    """

    operator: str
    zone: ZoneInfo
    begin: datetime | None = None
    end: datetime | None = None
    currency: str | None = None
    clock: Clock = Clock.RECORDED
    asked: Mapping[str, str] = field(default_factory=lambda: NOTHING_ASKED)

    def __post_init__(self) -> None:
        for name, at in (("from", self.begin), ("to", self.end)):
            if at is not None and at.tzinfo is None:
                raise Invalid("a time needs an offset, such as 2026-11-29T00:00:00Z", field=name)
        if self.begin is not None and self.end is not None and self.end < self.begin:
            raise Invalid("`to` lies before `from`", field="to")

    def takes(self, currency: str) -> bool:
        """Whether amounts of the currency are asked about."""
        return self.currency in (None, currency)

    def parameter(self, name: str) -> str:
        """What was asked under that name. Raises Invalid where nothing was."""
        if name not in self.asked:
            raise Invalid(f"this report needs {name}", field=name)
        return self.asked[name]

    def whole(self, name: str) -> int:
        """A parameter that is a whole number, zero or more. Raises Invalid."""
        text = self.parameter(name)
        if not text.isascii() or not text.isdigit() or len(text) > DIGITS_MAX:
            raise Invalid("a whole number of zero or more", field=name)
        return int(text)

    def at(self, told: Told) -> datetime:
        """The time of an event that this report goes by."""
        return told.one.recorded_at if self.clock is Clock.RECORDED else told.one.meta.effective_at

    def when(self, told: Told) -> When:
        """Whether an event lies before, within or after the time asked about."""
        at = self.at(told)
        if self.begin is not None and at < self.begin:
            return When.BEFORE
        return When.AFTER if self.end is not None and at >= self.end else When.WITHIN

    def day(self, told: Told) -> date:
        """The gaming day of an event, in the operator's zone."""
        return gaming_day(self.at(told), self.zone)
