"""Players, deposits, withdrawals."""

from __future__ import annotations

from typing import Any

from api.orders import Orders
from api.route_table import Answer, Call, CommandRoute
from api.schemas.accounts import PlayerBody, TransactionBody
from domain.errors import AlreadyExists, CurrencyMismatch, IdempotencyMismatch, InsufficientFunds, NotFound
from services import answers
from services.commands import DepositFunds, RegisterPlayer, WithdrawFunds

CASHIER = frozenset({"operator", "admin"})


def routes(orders: Orders) -> tuple[CommandRoute[Any], ...]:
    """The rows of this resource."""

    async def register(call: Call[PlayerBody]) -> Answer:
        return await orders.carry_out(call, RegisterPlayer(call.body.player, call.body.currency), 201)

    async def deposit(call: Call[TransactionBody]) -> Answer:
        body = call.body
        command = DepositFunds(call.path["player"], body.amount, body.currency, body.transaction_id)
        return await orders.carry_out(call, command, 201)

    async def withdraw(call: Call[TransactionBody]) -> Answer:
        body = call.body
        command = WithdrawFunds(call.path["player"], body.amount, body.currency, body.transaction_id)
        return await orders.carry_out(call, command, 201)

    return (
        CommandRoute(
            "POST",
            "/v1/players",
            PlayerBody,
            CASHIER,
            register,
            success=201,
            answer=answers.PlayerAnswer,
            summary="Register a player",
            refusals=(AlreadyExists,),
        ),
        CommandRoute(
            "POST",
            "/v1/players/{player}/deposits",
            TransactionBody,
            CASHIER,
            deposit,
            success=201,
            answer=answers.TransactionAnswer,
            summary="Deposit",
            refusals=(NotFound, CurrencyMismatch, IdempotencyMismatch),
        ),
        CommandRoute(
            "POST",
            "/v1/players/{player}/withdrawals",
            TransactionBody,
            CASHIER,
            withdraw,
            success=201,
            answer=answers.TransactionAnswer,
            summary="Withdraw",
            refusals=(NotFound, CurrencyMismatch, IdempotencyMismatch, InsufficientFunds),
        ),
    )
