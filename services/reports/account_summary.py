"""The account summary: each player's money from the beginning of a day to its end, and the funds on game (R28)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from services.ports import Told
from services.reports.account_flows import SUMMARY, flow_of, summary
from services.reports.acts import Acts
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part

PLAYERS: Final = "players"
TOTALS: Final = "totals"


@dataclass(frozen=True, slots=True)
class _AccountSummary:
    scope: Scope
    acts: Acts = field(default_factory=Acts)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event is to its player, and to all of the currency."""
        event = told.one.event
        self.acts.take(event)
        flow = flow_of(event, self.acts)
        currency, player = str(getattr(event, "currency", "")), str(getattr(event, "player", ""))
        if flow is None or not self.scope.takes(currency):
            return
        for column, amount in summary(flow, before=self.scope.when(told) is When.BEFORE):
            yield Part(PLAYERS, (currency, player), column, amount)
            yield Part(TOTALS, (currency,), column, amount)


ACCOUNT_SUMMARY: Final = Kind(
    name="account-summary",
    title="Account summary",
    about="Beginning balance, what moved it and why, end, and funds on game of every player.",
    tables=(
        Layout(PLAYERS, "Players", ("currency", "player"), SUMMARY),
        Layout(TOTALS, "All players", ("currency",), SUMMARY),
    ),
    make=_AccountSummary,
)
