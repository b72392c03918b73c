"""Players, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import WagerAnswer


class AccountLine(Answer):
    """A line of the account history. `amount` is what it changed, so that the lines add up. `payout` includes
    prizes; it is 0 for a VOID, which is never a win: `refund` is what that gave back (below zero: took).
    `voided` marks a ROUND that a VOID has reversed.
    """

    at: str
    kind: str
    game: str | None
    round: str | None
    table: str | None
    ruleset: str | None
    bet: int
    payout: int
    refund: int
    amount: int
    currency: str
    balance_after: int | None
    transaction_id: str | None
    voided: bool
    position: int


class BalanceAnswer(Answer):
    """`position`: the answer holds up to there. `held` are funds on game."""

    player: str
    available: int
    held: int
    currency: str
    exponent: int
    position: int


class GameLine(Answer):
    """One round of a player with every detail; the cards of player and dealer once they are public."""

    player: str
    seat: int | None
    cards: list[str | None]
    wagers: list[WagerAnswer]
    total_bet: int
    decision: str | None
    decided_by: str | None
    player_hand: str | None
    outcome: str | None
    payout: dict[str, int] | None
    net: int | None
    pending: int
    settled: bool
    voided: bool
    refund: int
    at: str
    game: str
    round: str
    table: str
    ruleset: str
    currency: str
    phase: str | None
    dealer: list[str] | None
    dealer_hand: str | None
    qualifies: bool | None
    position: int


class LimitsView(Answer):
    """The own limit in force, and the one that comes with the time from which it holds; minor units."""

    player: str
    ante_max: int | None
    next_ante_max: int | None
    effective_at: str | None
    position: int


class AccountLinePage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[AccountLine]
    next: str | None
    position: int


class GameLinePage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[GameLine]
    next: str | None
    position: int


class SettingsView(Answer):
    """A player's settings."""

    player: str
    hide_chat: bool
    side_bets: bool
    video: str
    dealer_volume: int
    game_volume: int
    position: int


class TransactionAnswer(Answer):
    """A deposit or withdrawal by the operator's own reference; `status` DONE, ROLLED_BACK, or TOMBSTONED: the id
    was rolled back before it came, and nothing else is known of it.
    """

    transaction_id: str
    status: str
    player: str | None
    kind: str | None
    amount: int | None
    currency: str | None
    at: str | None
    balance_after: int | None
    position: int
