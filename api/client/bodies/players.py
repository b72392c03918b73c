"""Players: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class AdjustmentBody(TypedDict):
    """A signed correction; `approver` is another person than the caller, required with `four_eyes` `named`."""

    amount: int
    reason: str
    approver: NotRequired[str | None]


class DepositItem(TypedDict):
    """A player's deposit, with its key."""

    amount: int
    currency: str
    transaction_id: str
    player: str
    key: NotRequired[str | None]


class DepositsBulkBody(TypedDict):
    """Up to 5,000 deposits."""

    atomic: NotRequired[bool]
    deposits: list[DepositItem]


class LimitsBody(TypedDict):
    """The player's own highest ante for all games; null for none."""

    ante_max: int | None


class PlayerBody(TypedDict):
    """A player by the operator's own id, and the currency of the wallet."""

    player: str
    currency: str


class SettingsBody(TypedDict):
    """Settings to change; what is left out stays."""

    hide_chat: NotRequired[bool | None]
    side_bets: NotRequired[bool | None]
    video: NotRequired[str | None]
    dealer_volume: NotRequired[int | None]
    game_volume: NotRequired[int | None]


class TransactionBody(TypedDict):
    """Money to or from the cashier; `transaction_id` is the operator's own and serves one transaction for ever."""

    amount: int
    currency: str
    transaction_id: str
