"""Players and their cashier (S0-45)."""

from __future__ import annotations

from domain import players, transactions
from domain.transactions import TransactionKind
from domain.wallets import decider as wallets
from services.answers import AdjustmentAnswer, PlayerAnswer, RollbackAnswer, TransactionAnswer
from services.commands import AdjustBalance, DepositFunds, RegisterPlayer, RollBackTransaction, WithdrawFunds
from services.desk import Desk, Facts
from services.handlers.second import second_person


def register(desk: Desk, command: RegisterPlayer) -> PlayerAnswer:
    """Make a player known, with an empty wallet."""
    known = players.decide(players.Register(command.player, command.currency), desk.find_player(command.player))
    opened = wallets.decide(wallets.OpenWallet(command.player, command.currency), desk.find_wallet(command.player))
    desk.post((desk.player_at(command.player), known), (desk.wallet_at(command.player), opened))
    return PlayerAnswer(command.player, command.currency)


def deposit(desk: Desk, command: DepositFunds) -> TransactionAnswer:
    """Take money in from the cashier."""
    order = wallets.Deposit(command.amount_minor, command.currency, command.transaction_id)
    return _move(desk, command, order)


def withdraw(desk: Desk, command: WithdrawFunds) -> TransactionAnswer:
    """Pay money out to the cashier, never more than is available (R1)."""
    order = wallets.Withdraw(command.amount_minor, command.currency, command.transaction_id)
    return _move(desk, command, order)


def _move(
    desk: Desk, command: DepositFunds | WithdrawFunds, order: wallets.Deposit | wallets.Withdraw
) -> TransactionAnswer:
    """The wallet moves, and the operator's id stands for it from now on. An id that is taken or has a tombstone is told
    before anything that may change, such as a balance: it will never be served.
    """
    kind = TransactionKind.DEPOSIT if isinstance(command, DepositFunds) else TransactionKind.WITHDRAWAL
    record = transactions.Record(command.transaction_id, command.player, command.currency, kind, command.amount_minor)
    recorded = transactions.decide(record, desk.find_transaction(command.transaction_id))
    if isinstance(command, DepositFunds):
        players.check_allowed(desk.find_player(command.player))
    moved = wallets.decide(order, desk.find_wallet(command.player))
    desk.post((desk.wallet_at(command.player), moved), (desk.transaction_at(command.transaction_id), recorded))
    balance = desk.balance(command.player)
    return TransactionAnswer(command.transaction_id, command.player, command.amount_minor, balance)


def adjust(desk: Desk, command: AdjustBalance) -> AdjustmentAnswer:
    """Correct a balance, with a reason and a second person (R23)."""
    approver = second_person(desk, command.approver)
    order = wallets.Adjust(desk.command_id, command.amount_minor, command.reason, approver)
    events = wallets.decide(order, desk.find_wallet(command.player))
    desk.post((desk.wallet_at(command.player), events))
    return AdjustmentAnswer(desk.command_id, command.player, command.amount_minor, desk.balance(command.player))


def roll_back(desk: Desk, command: RollBackTransaction) -> RollbackAnswer:
    """Undo a deposit or withdrawal by the operator's id; of an unknown id leave a tombstone (docs/ledger.md; F05)."""
    stream, known = desk.transaction_at(command.transaction_id), desk.find_transaction(command.transaction_id)
    events = transactions.decide(transactions.RollBack(command.transaction_id), known)
    moved: list[Facts] = []
    for event in events:
        if isinstance(event, transactions.TransactionRolledBack):
            order = wallets.ReverseTransaction(event.transaction_id, event.kind, event.amount_minor)
            moved.append((desk.wallet_at(event.player), wallets.decide(order, desk.find_wallet(event.player))))
    desk.post(*moved, (stream, events))
    of = None if known is None else known.recorded
    if of is None:
        return RollbackAnswer(command.transaction_id, "TOMBSTONED", None, None, None)
    return RollbackAnswer(of.transaction_id, "ROLLED_BACK", of.player, of.amount_minor, desk.balance(of.player))
