"""The trial balance: every account's opening, debits, credits and closing, per currency (docs/ledger.md, Accounts).

An account is what the ledger calls it; + raises what we owe or have earned, so a credit is a line above zero. Per
currency the openings sum to zero, and so do the closings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from domain.flows import postings
from domain.frozen import dataclass
from services.ports import Told
from services.reports.scope import Scope, When
from services.reports.tables import Cell, Column, Kind, Layout, Part, Unit

ACCOUNTS: Final = "accounts"


def _closing(cells: Mapping[str, Cell]) -> Cell:
    return sum(int(cells[name] or 0) for name in ("opening_micro", "credit_micro")) - int(cells["debit_micro"] or 0)


@dataclass(frozen=True, slots=True)
class _TrialBalance:
    scope: Scope

    def parts(self, told: Told) -> Iterable[Part]:
        """Each line of the event's postings: into the opening, or into debits or credits of the time asked about."""
        before = self.scope.when(told) is When.BEFORE
        for line in postings(told.one.event):
            if self.scope.currency in (None, line.currency):
                row = (line.currency, line.account)
                if before:
                    yield Part(ACCOUNTS, row, "opening_micro", line.amount_micro)
                elif line.amount_micro < 0:
                    yield Part(ACCOUNTS, row, "debit_micro", -line.amount_micro)
                else:
                    yield Part(ACCOUNTS, row, "credit_micro", line.amount_micro)


TRIAL_BALANCE: Final = Kind(
    name="trial-balance",
    title="Trial balance",
    about="Opening, debits, credits and closing of every account, per currency, in micro-units.",
    tables=(
        Layout(
            ACCOUNTS,
            "Accounts",
            ("currency", "account"),
            (
                Column("opening_micro", "Opening", Unit.MICRO),
                Column("debit_micro", "Debit", Unit.MICRO),
                Column("credit_micro", "Credit", Unit.MICRO),
                Column(
                    "closing_micro", "Closing", Unit.MICRO, ("opening_micro", "debit_micro", "credit_micro"), _closing
                ),
            ),
        ),
    ),
    make=_TrialBalance,
)
