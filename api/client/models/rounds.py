"""Rounds: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .problems import ItemProblem
from .shared import Balance, WagerLine


class AnteUsed(Answer):
    """An ante that was raised to the minimum (C10)."""

    asked: int
    used: int


class Rejection(Answer):
    """Wagers of one player that were let go at the close."""

    player: str
    reason: str
    wagers: list[str]
    released: int


class CloseAnswer(Answer):
    """Betting closed: who stands, who was let go (the first 1,000), what the pool got in micro-units."""

    round: str
    phase: str
    seats: int
    rejected: list[Rejection]
    rejected_count: int
    contribution_micro: str
    position: int


class DealAnswer(Answer):
    """The cards lie: what is public of them, dealer's card by place, None where not yet public."""

    round: str
    phase: str
    dealer: list[str | None]
    player: list[str] | None
    deadline: str
    position: int


class DecisionAnswer(Answer):
    """A decision taken."""

    round: str
    player: str
    decision: str
    decided_by: str
    wagers: list[WagerLine]
    balance: Balance
    position: int


class DecisionResult(Answer):
    """The answer of one item."""

    round: str
    player: str
    decision: str
    decided_by: str
    wagers: list[WagerLine]
    balance: Balance
    position: int
    status: int
    key: str
    replayed: bool


class DecisionsBulkAnswer(Answer):
    """Each item's answer or problem, in order."""

    position: int
    succeeded: int
    refused: int
    results: list[DecisionResult | ItemProblem]


class NextCard(Answer):
    """A place where the next scanned card may fall."""

    to: str
    number: int


class PhaseAnswer(Answer):
    """Where a round stands."""

    round: str
    phase: str
    position: int


class ResolvedPlayer(Answer):
    """What was held for review of one player: what was owed, what of it was held."""

    player: str
    owed: int
    taken: int
    balance: Balance


class ResolveAnswer(Answer):
    """Reviews that ended; the first 1,000 players."""

    round: str
    policy: str
    players: list[ResolvedPlayer]
    players_count: int
    position: int


class ScanAnswer(Answer):
    """A scanned card was taken, or put right: how many lie, where the next may fall, and when the decisions end
    where it was the last.
    """

    round: str
    phase: str
    to: str
    number: int
    laid: int
    next: list[NextCard]
    deadline: str | None
    position: int


class SettleAnswer(Answer):
    """A round that is settled."""

    round: str
    phase: str
    dealer: list[str]
    dealer_hand: str
    qualifies: bool
    seats: int
    position: int


class WagersAnswer(Answer):
    """What an action put on the spots; `total_bet` is all that stands for the player in this round (S0-35)."""

    round: str
    player: str
    seat: int | None
    wagers: list[WagerLine]
    raised: AnteUsed | None
    total_bet: int
    balance: Balance
    position: int


class WagersResult(Answer):
    """The answer of one item."""

    round: str
    player: str
    seat: int | None
    wagers: list[WagerLine]
    raised: AnteUsed | None
    total_bet: int
    balance: Balance
    position: int
    status: int
    key: str
    replayed: bool


class WagersBulkAnswer(Answer):
    """Each item's answer or problem, in order; `position` is the last of them, 0 when nothing was carried out."""

    position: int
    succeeded: int
    refused: int
    results: list[WagersResult | ItemProblem]
