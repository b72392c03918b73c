"""Proposals: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class ProposedAdjustment(Answer):
    """A signed amount for a player."""

    player: str
    amount: int
    reason: str


class ProposedCorrection(Answer):
    """A signed amount of micro-units, as a decimal string, for an account of a pool."""

    jackpot: str
    account: str
    amount_micro: str
    reason: str


class ProposedPrize(Answer):
    """A pending prize: `call` says whether it is to be paid (VERIFY) or not (REFUSE)."""

    jackpot: str
    award: str
    reason: str


class ProposedResettlement(Answer):
    """The full corrected cards of a round: `player` for all, or `seats`."""

    round: str
    player: list[str] | None
    seats: dict[str, list[str]] | None
    dealer: list[str]
    policy: str
    reason: str


class ProposedSignOff(Answer):
    """A gaming day, to be sealed as it was prepared."""

    day: str
    reason: str


class ProposedTransfer(Answer):
    """The same, from one pool to another."""

    jackpot: str
    to: str
    account: str
    amount_micro: str
    reason: str


class ProposedVoid(Answer):
    """The void of a round, or of some of its wagers."""

    round: str
    reason: str
    policy: str
    evidence: str | None
    wagers: list[str]
