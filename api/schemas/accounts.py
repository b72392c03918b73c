"""Bodies about players and their money."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict

from api.fields import Amount, Body, ClientId, Currency, Reason
from domain.money import AMOUNT_MINOR_MAX


class PlayerBody(Body):
    """A player by the operator's own id, and the currency of the wallet."""

    player: ClientId
    currency: Currency


class TransactionBody(Body):
    """Money to or from the cashier; `transaction_id` is the operator's own and serves one transaction for ever."""

    amount: Amount
    currency: Currency
    transaction_id: ClientId


class AdjustmentBody(Body):
    """A signed correction; `approver` is another person than the caller, required with
    `four_eyes` `named`."""

    amount: Annotated[int, Strict(), Field(ge=-AMOUNT_MINOR_MAX, le=AMOUNT_MINOR_MAX)]
    reason: Reason
    approver: ClientId | None = None
