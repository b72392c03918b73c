"""What is owed to players, against the cashier: available, on game, under review, awarded and unpaid (docs/ledger.md).

The cashier's money is the other side of all that players, pools and the house have. The `cashier` table is what a
statement of the cashier or the bank is ticked off against.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domain.flows import postings
from domain.frozen import dataclass
from domain.money import MICRO
from domain.wallets.events import Deposited, TransactionReversed, Withdrawn
from services.ports import Told
from services.reports.columns import micro, minor, summed
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part, Unit

PLAYERS: Final = "players"
CASHIER: Final = "cashier"
COVER: Final = "cover"

_KINDS: Final = {"av": "available", "held": "on_game", "review": "review", "pay": "pending"}


@dataclass(frozen=True, slots=True)
class _PlayerLiability:
    scope: Scope

    def parts(self, told: Told) -> Iterator[Part]:
        """Each line of the event's postings, up to the end of the time asked about."""
        for line in postings(told.one.event):
            if not self.scope.takes(line.currency):
                continue
            kind, *rest = line.account.split("/")
            if kind in _KINDS:
                player = rest[1] if kind == "pay" else "/".join(rest)
                yield Part(PLAYERS, (line.currency, player), f"{_KINDS[kind]}_minor", line.amount_micro // MICRO)
            yield Part(COVER, (line.currency,), _holder(kind), line.amount_micro)
        yield from self._cashier(told)

    def _cashier(self, told: Told) -> Iterator[Part]:
        event = told.one.event
        match event:
            case Deposited(amount_minor=n):
                column, moved = "deposits_minor", n
            case Withdrawn(amount_minor=n):
                column, moved = "withdrawals_minor", -n
            case TransactionReversed(amount_minor=n):
                column, moved = "rollbacks_minor", n
            case _:
                return
        if self.scope.takes(event.currency):
            before = self.scope.when(told) is When.BEFORE
            yield Part(CASHIER, (event.currency,), "opening_minor" if before else column, moved)


def _holder(kind: str) -> str:
    """Whose an account is, as a column of the cover; `cash` is below zero where the cashier holds money."""
    if kind in _KINDS:
        return "players_micro"
    if kind in {"m", "res", "ovf"}:
        return "pools_micro"
    return "cash_micro" if kind == "cash" else "house_micro"


PLAYER_LIABILITY: Final = Kind(
    name="player-liability",
    title="Player liability",
    about="What is owed to every player at the end of a time, and that the cashier's money is the other side of it.",
    tables=(
        Layout(
            COVER,
            "Whose the cashier's money is",
            ("currency",),
            (
                micro("players_micro", "Players"),
                micro("pools_micro", "Pools"),
                micro("house_micro", "House"),
                micro("cash_micro", "Cashier"),
                summed(
                    Unit.MICRO,
                    "difference_micro",
                    "Difference",
                    ("players_micro", "pools_micro", "house_micro", "cash_micro"),
                ),
            ),
        ),
        Layout(
            CASHIER,
            "Cashier's statement",
            ("currency",),
            (
                minor("opening_minor", "Opening"),
                minor("deposits_minor", "Deposits"),
                minor("withdrawals_minor", "Withdrawals"),
                minor("rollbacks_minor", "Rolled back"),
                summed(
                    Unit.MINOR,
                    "closing_minor",
                    "Closing",
                    ("opening_minor", "deposits_minor", "withdrawals_minor", "rollbacks_minor"),
                ),
            ),
        ),
        Layout(
            PLAYERS,
            "Players",
            ("currency", "player"),
            (
                *(minor(f"{name}_minor", name.replace("_", " ").capitalize()) for name in _KINDS.values()),
                summed(Unit.MINOR, "liability_minor", "Liability", tuple(f"{name}_minor" for name in _KINDS.values())),
            ),
        ),
    ),
    make=_PlayerLiability,
)
