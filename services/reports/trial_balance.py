"""The trial balance: every account's opening, debits, credits and closing, per currency (docs/ledger.md, Accounts).

An account is what the ledger calls it; + raises what we owe or have earned, so a credit is a line above zero. Per
currency the openings sum to zero, and so do the closings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from domain.flows import postings
from domain.frozen import dataclass
from services.ports import Told
from services.reports.columns import micro, summed
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part, Unit

ACCOUNTS: Final = "accounts"
TOTALS: Final = "totals"

COLUMNS: Final = (
    micro("opening_micro", "Opening"),
    micro("debit_micro", "Debit"),
    micro("credit_micro", "Credit"),
    summed(Unit.MICRO, "closing_micro", "Closing", ("opening_micro", "credit_micro"), ("debit_micro",)),
)
"""What is said of an account, here and in its statement."""


def side(amount_micro: int, *, before: bool) -> tuple[str, int]:
    """The column that a posting adds to, and what it adds."""
    if before:
        return "opening_micro", amount_micro
    return ("debit_micro", -amount_micro) if amount_micro < 0 else ("credit_micro", amount_micro)


@dataclass(frozen=True, slots=True)
class _TrialBalance:
    scope: Scope

    def parts(self, told: Told) -> Iterable[Part]:
        """Each line of the event's postings: into the opening, or into debits or credits of the time asked about."""
        before = self.scope.when(told) is When.BEFORE
        for line in postings(told.one.event):
            if self.scope.takes(line.currency):
                column, amount = side(line.amount_micro, before=before)
                yield Part(ACCOUNTS, (line.currency, line.account), column, amount)
                yield Part(TOTALS, (line.currency,), column, amount)


TRIAL_BALANCE: Final = Kind(
    name="trial-balance",
    title="Trial balance",
    about="Opening, debits, credits and closing of every account, per currency, in micro-units.",
    tables=(
        Layout(ACCOUNTS, "Accounts", ("currency", "account"), COLUMNS),
        Layout(TOTALS, "All accounts: opening and closing are zero", ("currency",), COLUMNS),
    ),
    make=_TrialBalance,
)
