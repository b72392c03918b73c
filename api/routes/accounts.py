"""Players, deposits, withdrawals."""

from __future__ import annotations

from api.route_table import Call
from api.routes.row import BOOKKEEPERS, CASHIER, Row
from api.schemas.accounts import AdjustmentBody, PlayerBody, TransactionBody
from api.schemas.floor import NoBody
from domain.approvals import Proposable
from domain.errors import AlreadyExists, CurrencyMismatch, Forbidden, IdempotencyMismatch, InsufficientFunds, NotFound
from services import answers
from services.commands import AdjustBalance, DepositFunds, RegisterPlayer, RollBackTransaction, WithdrawFunds


def register(call: Call[PlayerBody]) -> RegisterPlayer:
    """A new player."""
    return RegisterPlayer(call.body.player, call.body.currency)


def deposit(call: Call[TransactionBody]) -> DepositFunds:
    """Money in."""
    body = call.body
    return DepositFunds(call.path["player"], body.amount, body.currency, body.transaction_id)


def withdraw(call: Call[TransactionBody]) -> WithdrawFunds:
    """Money out."""
    body = call.body
    return WithdrawFunds(call.path["player"], body.amount, body.currency, body.transaction_id)


def adjust(call: Call[AdjustmentBody]) -> AdjustBalance:
    """A correction."""
    return AdjustBalance(call.path["player"], call.body.amount, call.body.reason, call.body.approver)


def roll_back(call: Call[NoBody]) -> RollBackTransaction:
    """Undo a movement."""
    return RollBackTransaction(call.path["transaction_id"])


def wallet(call: Call[PlayerBody], _: bytes) -> str:
    """Of a new player."""
    return f"/v1/players/{call.body.player}/balance"


def reference(call: Call[TransactionBody], _: bytes) -> str:
    """Of money in or out."""
    return f"/v1/transactions/by-reference/{call.body.transaction_id}"


def history(call: Call[AdjustmentBody], _: bytes) -> str:
    """Of a correction."""
    return f"/v1/players/{call.path['player']}/account-history"


IN_REFUSALS = (NotFound, CurrencyMismatch, IdempotencyMismatch)
OUT_REFUSALS = (*IN_REFUSALS, InsufficientFunds)
PLAYER = "/v1/players/{player}"

ROWS = (
    Row(
        "/v1/players", PlayerBody, CASHIER, register, answers.PlayerAnswer,
        "Register a player", (AlreadyExists,), created=True,
        location=wallet,
    ),
    Row(
        f"{PLAYER}/deposits", TransactionBody, CASHIER, deposit, answers.TransactionAnswer,
        "Deposit", (*IN_REFUSALS, Forbidden), created=True, repeats=True,
        location=reference,
    ),
    Row(
        f"{PLAYER}/withdrawals", TransactionBody, CASHIER, withdraw, answers.TransactionAnswer,
        "Withdraw", OUT_REFUSALS, created=True, repeats=True,
        location=reference,
    ),
    Row(
        f"{PLAYER}/adjustments", AdjustmentBody, BOOKKEEPERS, adjust, answers.AdjustmentAnswer,
        "Adjust a balance", (NotFound, Forbidden), created=True, proposes=Proposable.ADJUST,
        location=history,
    ),
    Row(
        "/v1/transactions/{transaction_id}/rollback", NoBody, CASHIER, roll_back, answers.RollbackAnswer,
        "Roll a deposit or withdrawal back", (InsufficientFunds,), body_optional=True,
    ),
)  # fmt: skip
"""The rows of this resource."""
