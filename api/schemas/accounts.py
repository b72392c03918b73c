"""Bodies about players and their money."""

from __future__ import annotations

from api.fields import Amount, Body, ClientId, Currency


class PlayerBody(Body):
    """A player by the operator's own id, and the currency of the wallet."""

    player: ClientId
    currency: Currency


class TransactionBody(Body):
    """Money to or from the cashier; `transaction_id` is the operator's own and serves one transaction for ever."""

    amount: Amount
    currency: Currency
    transaction_id: ClientId
