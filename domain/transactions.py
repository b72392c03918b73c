"""A cashier's transaction by the operator's own id: recorded once, rolled back at most once (R5; docs/ledger.md).

A rollback of an id that never came leaves a tombstone, which refuses the transaction when it comes late.
"""

from __future__ import annotations

from typing import assert_never

from domain.changing import replace
from domain.errors import IdempotencyMismatch
from domain.frozen import dataclass
from domain.words import StrEnum


class TransactionKind(StrEnum):
    """Which way the money went."""

    DEPOSIT = "DEPOSIT"
    WITHDRAWAL = "WITHDRAWAL"


@dataclass(frozen=True, slots=True)
class TransactionRecorded:
    """The operator's id now stands for this movement."""

    transaction_id: str
    player: str
    currency: str
    kind: TransactionKind
    amount_minor: int


@dataclass(frozen=True, slots=True)
class TransactionRolledBack:
    """The movement is undone; the wallet has its own event in the same append."""

    transaction_id: str
    player: str
    currency: str
    kind: TransactionKind
    amount_minor: int


@dataclass(frozen=True, slots=True)
class TransactionTombstoned:
    """A rollback came for an id that nobody knows: should it come later, it is refused."""

    transaction_id: str


TransactionEvent = TransactionRecorded | TransactionRolledBack | TransactionTombstoned


@dataclass(frozen=True, slots=True)
class Transaction:
    """State: the movement, None for a tombstone, and whether it is undone."""

    transaction_id: str
    recorded: TransactionRecorded | None
    rolled_back: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """Let the id stand for a movement."""

    transaction_id: str
    player: str
    currency: str
    kind: TransactionKind
    amount_minor: int


@dataclass(frozen=True, slots=True)
class RollBack:
    """Undo the movement of this id, whichever it was."""

    transaction_id: str


TransactionCommand = Record | RollBack


def decide(command: TransactionCommand, state: Transaction | None) -> tuple[TransactionEvent, ...]:
    """The events that `command` causes, or a Refusal. A second rollback changes nothing."""
    match command:
        case Record():
            if state is not None:
                what = "was rolled back before it came" if state.recorded is None else "stands for another movement"
                raise IdempotencyMismatch(f"this transaction id {what}", field="transaction_id")
            return (
                TransactionRecorded(
                    command.transaction_id, command.player, command.currency, command.kind, command.amount_minor
                ),
            )
        case RollBack(transaction_id):
            if state is None:
                return (TransactionTombstoned(transaction_id),)
            if state.recorded is None or state.rolled_back:
                return ()
            of = state.recorded
            return (TransactionRolledBack(transaction_id, of.player, of.currency, of.kind, of.amount_minor),)
        case _:
            assert_never(command)


def evolve(state: Transaction | None, event: TransactionEvent) -> Transaction:
    """The transaction after `event`; no rule is looked at."""
    match event:
        case TransactionRecorded():
            return Transaction(event.transaction_id, event)
        case TransactionTombstoned():
            return Transaction(event.transaction_id, None)
        case TransactionRolledBack():
            if state is None:
                raise ValueError("what was never recorded is not rolled back")
            return replace(state, rolled_back=True)
        case _:
            assert_never(event)
