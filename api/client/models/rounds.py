"""Rounds: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import Balance, ItemProblem, WagerLine


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


class VoidedJackpot(Answer):
    """What a void did to a pool, in micro-units as decimal strings."""

    jackpot: str
    meter_change_micro: str
    reserve_change_micro: str
    overflow_change_micro: str
    shortfall_micro: str
    meter_after_micro: str


class VoidedPlayer(Answer):
    """What a void did to one player: stakes that came back, what was owed and taken, what the house bears."""

    player: str
    refund: int
    owed: int
    taken: int
    loss: int
    balance: Balance


class DoneVoidAnswer(Answer):
    """A void, or with `dry_run` what it would do; the first 1,000 players."""

    round: str
    phase: str
    stage: str
    policy: str | None
    dry_run: bool
    players: list[VoidedPlayer]
    players_count: int
    jackpots: list[VoidedJackpot]
    position: int


class NextCard(Answer):
    """A place where the next scanned card may fall."""

    to: str
    number: int


class PhaseAnswer(Answer):
    """Where a round stands."""

    round: str
    phase: str
    position: int


class ResettledPlayer(Answer):
    """One player's new result, what the old one gave more (`owed`), and what of it could be taken."""

    player: str
    outcome: str
    returned: int
    net: int
    owed: int
    taken: int
    loss: int
    balance: Balance


class ResettleAnswer(Answer):
    """A round settled again; the first 1,000 players."""

    round: str
    dealer_hand: str
    qualifies: bool
    policy: str
    players: list[ResettledPlayer]
    players_count: int
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
