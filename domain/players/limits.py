"""Limits that players set themselves: which one holds when (S3-21, C27, R30). `limits` are changes, oldest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.errors import LimitReached
from domain.players.events import LimitChanged

LOOSER_AFTER: Final = timedelta(hours=24)
"""A looser limit holds at the next week's start, and never before this (C27, R30)."""


def limit_in_force(limits: Sequence[LimitChanged], now: datetime) -> int | None:
    """The highest ante in minor units, None when there is no limit.

    It is the last change whose time has come, or a stricter one made since: a change that waits loosens nothing
    before its time, and a later wish for less is not undone by an earlier one for more.
    """
    if not limits:
        return None
    found = [one.ante_max_minor for one in limits[_begun(limits, now) :]]
    return min((one for one in found if one is not None), default=None)


def limit_that_waits(limits: Sequence[LimitChanged], now: datetime) -> LimitChanged | None:
    """The last change, while its time has not come."""
    return limits[-1] if limits and now < limits[-1].effective_at else None


def limits_after(limits: tuple[LimitChanged, ...], change: LimitChanged) -> tuple[LimitChanged, ...]:
    """With one more change; what was over before its week began is forgotten."""
    return (*limits[_begun(limits, change.week) :], change)


def effective_at(
    limits: Sequence[LimitChanged], wanted: int | None, now: datetime, week: datetime, next_week: datetime
) -> datetime | None:
    """From when a change holds that is asked for now; None where it would change nothing.

    One change a week, or LimitReached; a stricter one holds at once, a looser one from the next week on, and not
    before 24 hours.
    """
    if limits and limits[-1].week == week:
        raise LimitReached("the limit may be changed once a week; it was changed in this one", field="ante_max")
    current = limit_in_force(limits, now)
    if wanted == current and limit_that_waits(limits, now) is None:
        return None
    looser = current is not None and (wanted is None or wanted > current)
    return max(next_week, now + LOOSER_AFTER) if looser else now


def _begun(limits: Sequence[LimitChanged], at: datetime) -> int:
    """Where the last change stands whose time has come; the first change of all is never a looser one."""
    return max((nth for nth, one in enumerate(limits) if one.effective_at <= at), default=0)
