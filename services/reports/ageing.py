"""Debts of players by age: balances below zero, since when (R23).

A debt begins when available money falls below zero and ends when it is zero or more again; what is added or paid
meanwhile changes the amount, not the age. Days are whole days up to the end of the time asked about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from typing import Final

from domain.frozen import dataclass
from domain.views.model import time_text
from domain.wallets.events import MOVES
from services.ports import Told
from services.reports.columns import count, minor, summed, text
from services.reports.scope import Scope
from services.reports.tables import Kind, Layout, Part, Unit

PLAYERS: Final = "players"
TOTALS: Final = "totals"

BUCKETS: Final = ((30, "to_30_minor", "0 to 30 days"), (60, "to_60_minor", "31 to 60"), (90, "to_90_minor", "61 to 90"))
OLDER: Final = "older_minor"


@dataclass(frozen=True, slots=True)
class _Ageing:
    scope: Scope
    debts: dict[str, tuple[int, datetime]] = field(default_factory=dict)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event makes of a player's debt."""
        event = told.one.event
        if not isinstance(event, MOVES) or not self.scope.takes(event.currency):
            return
        now = max(-event.available_after_minor, 0)
        before, since = self.debts.get(event.player, (0, self.scope.at(told)))
        if now == before:
            return
        if now:
            self.debts[event.player] = (now, since)
        else:
            del self.debts[event.player]
        column = self._bucket(since)
        yield Part(PLAYERS, (event.currency, event.player), column, now - before)
        yield Part(PLAYERS, (event.currency, event.player), "since", time_text(since))
        yield Part(TOTALS, (event.currency,), column, now - before)
        yield Part(TOTALS, (event.currency,), "players", (now > 0) - (before > 0))

    def _bucket(self, since: datetime) -> str:
        age = ((self.scope.end or since) - since).days
        return next((column for days, column, _ in BUCKETS if age <= days), OLDER)


_AMOUNTS: Final = (
    *(minor(column, title) for _, column, title in BUCKETS),
    minor(OLDER, "Older"),
    summed(Unit.MINOR, "owed_minor", "Owed", (*(column for _, column, _ in BUCKETS), OLDER)),
)

AGEING: Final = Kind(
    name="ageing",
    title="Balances below zero by age",
    about="What players owe after a void or a correction, by 30, 60 and 90 days.",
    tables=(
        Layout(PLAYERS, "Players", ("currency", "player"), (text("since", "Since"), *_AMOUNTS), sparse=True),
        Layout(TOTALS, "Totals", ("currency",), (count("players", "Players"), *_AMOUNTS), sparse=True),
    ),
    make=_Ageing,
    dated=True,
)
