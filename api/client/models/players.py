"""Players: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .problems import ItemProblem
from .shared import Balance


class DepositResult(Answer):
    """The answer of one item."""

    transaction_id: str
    player: str
    amount: int
    balance: Balance
    position: int
    status: int
    key: str
    replayed: bool


class DepositsBulkAnswer(Answer):
    """Each item's answer or problem, in order."""

    position: int
    succeeded: int
    refused: int
    results: list[DepositResult | ItemProblem]


class DoneTransactionAnswer(Answer):
    """A deposit or withdrawal."""

    transaction_id: str
    player: str
    amount: int
    balance: Balance
    position: int


class LimitAnswer(Answer):
    """The own limit in force, and the one that comes with the time from which it holds."""

    player: str
    ante_max: int | None
    next_ante_max: int | None
    effective_at: str | None
    position: int


class PlayerAnswer(Answer):
    """A registered player."""

    player: str
    currency: str
    position: int


class RollbackAnswer(Answer):
    """A rollback: ROLLED_BACK, or TOMBSTONED for an id that nobody knows, which is refused should it come later."""

    transaction_id: str
    status: str
    player: str | None
    amount: int | None
    balance: Balance | None
    position: int


class SettingsAnswer(Answer):
    """All settings as they are now."""

    player: str
    hide_chat: bool
    side_bets: bool
    video: str
    dealer_volume: int
    game_volume: int
    position: int
