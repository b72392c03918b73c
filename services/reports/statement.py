"""The statement of an account: opening, each line with the balance after it, closing (R5, R25)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from domain.flows import Line, postings
from domain.frozen import dataclass
from services.ports import Told
from services.reports.columns import micro, text
from services.reports.journal import ABOUT, about
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Parameter, Part
from services.reports.trial_balance import COLUMNS, side

ACCOUNT: Final = "account"
LINES: Final = "lines"


@dataclass(frozen=True, slots=True)
class _Statement:
    scope: Scope
    wanted: str
    balances: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def parts(self, told: Told) -> Iterable[Part]:
        """What an event posted to the account, or to the accounts that begin with what was asked."""
        before = self.scope.when(told) is When.BEFORE
        for number, line in enumerate(postings(told.one.event)):
            if self.scope.takes(line.currency) and self._is_wanted(line.account):
                self.balances[line.currency] += line.amount_micro
                yield Part(ACCOUNT, (line.currency, line.account), *side(line.amount_micro, before=before))
                if not before:
                    yield from self._line(told, number, line)

    def _is_wanted(self, account: str) -> bool:
        return account == self.wanted or (self.wanted.endswith("/") and account.startswith(self.wanted))

    def _line(self, told: Told, number: int, line: Line) -> Iterator[Part]:
        row = (line.currency, str(told.one.position), str(number))
        for column, value in about(told, self.scope):
            yield Part(LINES, row, column, value)
        yield Part(LINES, row, "account", line.account)
        yield Part(LINES, row, "amount_micro", line.amount_micro)
        yield Part(LINES, row, "balance_micro", self.balances[line.currency])


STATEMENT: Final = Kind(
    name="statement",
    title="Statement of an account",
    about="Opening, every line with the balance after it, and closing of an account such as av/ann, or of all of REV/.",
    tables=(
        Layout(ACCOUNT, "Account", ("currency", "account"), COLUMNS),
        Layout(
            LINES,
            "Lines",
            ("currency", "position", "line"),
            (
                *ABOUT,
                text("account", "Account"),
                micro("amount_micro", "Amount"),
                micro("balance_micro", "Balance"),
            ),
            in_order=True,
        ),
    ),
    make=lambda scope: _Statement(scope, scope.parameter("account")),
    parameters=(Parameter("account", "which account, such as av/ann or m/euro; REV/ is all that begins with it"),),
)
