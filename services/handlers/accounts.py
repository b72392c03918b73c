"""Players and their cashier (S0-45)."""

from __future__ import annotations

from domain import players
from domain.wallets import decider as wallets
from services.answers import PlayerAnswer, TransactionAnswer
from services.commands import DepositFunds, RegisterPlayer, WithdrawFunds
from services.desk import Desk


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
    events = wallets.decide(order, desk.find_wallet(command.player))
    desk.post((desk.wallet_at(command.player), events))
    balance = desk.balance(command.player)
    return TransactionAnswer(command.transaction_id, command.player, command.amount_minor, balance)
