"""A break: two figures that should be one. Its id follows from what it is about, so that every run gives it again."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

from domain.frozen import dataclass


class BreakClass(StrEnum):
    """What kind of difference it is: first those of pools, then those of the cashier's statement."""

    EVENT_UNREADABLE = "EVENT_UNREADABLE"
    """An event that cannot be read; it is left out of all figures."""
    EVENT_MISSING = "EVENT_MISSING"
    """The event before this one in the pool's stream is gone."""
    EVENT_RATE = "EVENT_RATE"
    """A share is not its stake at the rates in force."""
    EVENT_TERMS = "EVENT_TERMS"
    """What an event says went in or out is not what it moved."""
    EVENT_BALANCE = "EVENT_BALANCE"
    """What an event says was left is not what was there before and what it moved."""
    EVENT_POSTING = "EVENT_POSTING"
    """The ledger's lines of an event are not what the event says."""
    CONTRIBUTION = "CONTRIBUTION"
    """What a round contributed is not its standing progressive wagers at the rates in force at the close."""
    MODEL = "MODEL"
    """The stored row of the read model is not what the events say."""
    TOTAL = "TOTAL"
    """A day's figures differ, and no single event says why."""
    SEALED = "SEALED"
    """A sealed day's figures are not those that were signed."""
    MISSING_HERE = "MISSING_HERE"
    MISSING_THERE = "MISSING_THERE"
    DIFFERENT_AMOUNT = "DIFFERENT_AMOUNT"
    DIFFERENT_PLAYER = "DIFFERENT_PLAYER"
    WRONG_CURRENCY = "WRONG_CURRENCY"
    DUPLICATE = "DUPLICATE"
    WRONG_PERIOD = "WRONG_PERIOD"
    BAD_LINE = "BAD_LINE"
    """A line of the statement that cannot be read."""


@dataclass(frozen=True, slots=True)
class Break:
    """`about` is the pool and account, or the transaction; `expected` is what the events say, or what is known here;
    `found` is what stands in the other place. Amounts are micro-units for pools, minor units for transactions.
    """

    id: str
    kind: BreakClass
    day: date
    about: str
    position: int | None
    event: str
    expected: str
    found: str
    reason: str
    since: datetime


def broken(
    kind: BreakClass,
    day: date,
    about: str,
    since: datetime,
    reason: str,
    *,
    position: int | None = None,
    event: str = "",
    expected: object = "",
    found: object = "",
    at: str = "",
) -> Break:
    """A break with the id that follows from its class, what it is about and where; `at` tells lines apart."""
    name = "|".join((kind.value, about, "" if position is None else str(position), at or day.isoformat()))
    made = "b-" + sha256(name.encode()).hexdigest()[:16]
    return Break(made, kind, day, about, position, event, str(expected), str(found), reason, since)
