"""The cashier's transactions as the log has them, to be held against the operator's statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from domain.frozen import dataclass
from domain.transactions import TransactionTombstoned
from domain.wallets.events import Deposited, TransactionReversed, Withdrawn
from services.ports import Told


class CashKind(StrEnum):
    """Which movement a line of the statement is; a rollback has the id of what it rolls back."""

    DEPOSIT = "DEPOSIT"
    WITHDRAWAL = "WITHDRAWAL"
    ROLLBACK = "ROLLBACK"


@dataclass(frozen=True, slots=True)
class Ours:
    """A movement in the log; the amount is never below zero."""

    transaction_id: str
    kind: CashKind
    player: str
    amount_minor: int
    currency: str
    at: datetime
    position: int
    event: str


@dataclass(slots=True)
class Cashier:
    """Every movement by its id and kind, in order; ids that were rolled back before they came."""

    moves: defaultdict[tuple[str, CashKind], list[Ours]] = field(default_factory=lambda: defaultdict(list))
    tombstones: dict[str, int] = field(default_factory=dict)
    """Position by id."""

    def take(self, told: Told) -> None:
        """The operator's next event."""
        event = told.one.event
        match event:
            case Deposited():
                self._add(told, event, CashKind.DEPOSIT)
            case Withdrawn():
                self._add(told, event, CashKind.WITHDRAWAL)
            case TransactionReversed():
                self._add(told, event, CashKind.ROLLBACK)
            case TransactionTombstoned():
                self.tombstones[event.transaction_id] = told.one.position
            case _:
                pass

    def _add(self, told: Told, event: Deposited | Withdrawn | TransactionReversed, kind: CashKind) -> None:
        one = told.one
        amount = abs(event.amount_minor)
        made = Ours(
            event.transaction_id, kind, event.player, amount, event.currency, one.recorded_at, one.position, told.name
        )
        self.moves[event.transaction_id, kind].append(made)
