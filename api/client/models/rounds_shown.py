"""Rounds, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import CloudEvent, Limits, WagerAnswer, WagerLine


class AwardAnswer(Answer):
    """A progressive prize of the round."""

    award: str
    player: str
    seat: int | None
    category: str
    amount: int
    pending: bool


class CardsAnswer(Answer):
    """Cards, None where they are not public yet. `deck` and `salt` open the commitment after the end."""

    dealer: list[str | None]
    player: list[str]
    deck: list[str] | None
    salt: str | None


class MisreadAnswer(Answer):
    """A scanned card that was put right before the deal was over; both cards None until they are public."""

    at: str
    to: str
    number: int
    read: str | None
    card: str | None
    reason: str


class RoundMessage(Answer):
    """What the player is told of the round: that an error is investigated, and what came of it (S0-46)."""

    at: str
    notice: str
    text: str
    position: int


class OwnView(Answer):
    """What the player sees: the own cards and hand from the deal on, the dealer's card that is up, the deadline."""

    round: str
    player: str
    seat: int | None
    phase: str
    cards: list[str] | None
    hand: str | None
    dealer: list[str | None]
    wagers: list[WagerLine]
    total_bet: int
    decision: str | None
    decided_by: str | None
    deadline: str | None
    messages: list[RoundMessage]
    position: int


class RoundLine(Answer):
    """A round in a list."""

    round: str
    game_number: str
    table: str
    ruleset: str
    phase: str
    opened_at: str
    ended_at: str | None


class RoundLinePage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[RoundLine]
    next: str | None
    position: int


class SeatAnswer(Answer):
    """A player's part. `payout` has the keys of `studbook settle` and is None before the settlement. When the part
    is voided it is of no effect: `net` is 0, `payout` is zero, `refund` is what was given back (below zero:
    taken), and each wager still tells what it had paid. `pending` is a prize that waits for verification.
    """

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


class VoidAnswer(Answer):
    """Why the round fell; `stage` is None for a cancelled one."""

    at: str
    stage: str | None
    reason: str
    policy: str | None
    approver: str | None
    evidence: str | None


class RoundAnswer(Answer):
    """A round; `seats` is one page of its players, `next` the cursor of the next. `scanned` counts single cards of
    a live feed, `misread` lists those that were put right.
    """

    round: str
    game_number: str
    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    exponent: int
    phase: str
    pause_reason: str | None
    ante_min: int
    ante_max: int
    limits: Limits
    jackpot: str | None
    commitment: str | None
    opened_at: str
    closes_at: str | None
    deadline: str | None
    ended_at: str | None
    cards: CardsAnswer
    scanned: int
    misread: list[MisreadAnswer]
    dealer_hand: str | None
    qualifies: bool | None
    awards: list[AwardAnswer]
    void: VoidAnswer | None
    seats: list[SeatAnswer]
    next: str | None
    position: int


class RoundEvents(Answer):
    """Events of a round, its seats and its awards, in order."""

    items: list[CloudEvent]
    next: str | None
