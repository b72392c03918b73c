"""What answers about tables and rounds have in common: limits, and the phase as the clock shows it."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.frozen import dataclass
from domain.rounds.events import Phase
from domain.tables import TableTerms
from domain.views.model import time_text
from services.queries.reads import Reads


@dataclass(frozen=True, slots=True)
class Limits:
    """Least and most that the spots of a table take, in minor units; None: no such limit."""

    ante_min: int
    ante_max: int
    side_min: int
    side_max: int
    total_max: int | None


def limits(terms: TableTerms) -> Limits:
    """What the table takes (S0-24)."""
    return Limits(
        terms.ante_min_minor, terms.ante_max_minor, terms.side_min_minor, terms.side_max_minor, terms.total_max_minor
    )


def shown_phase(reads: Reads, terms: TableTerms, phase: Phase, closes_at: str | None) -> str:
    """The phase, with CLOSING_SOON in the last seconds before timers close the betting (S0-28)."""
    if phase is Phase.BETTING_OPEN and closes_at is not None:
        soon = datetime.fromisoformat(closes_at) - timedelta(seconds=terms.closing_soon_seconds)
        return (Phase.CLOSING_SOON if reads.clock.now() >= soon else phase).value
    return phase.value


def optional_time(at: datetime | None) -> str | None:
    """A time as text, where there is one."""
    return None if at is None else time_text(at)
