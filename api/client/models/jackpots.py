"""Jackpots: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import Balance


class DoneJackpotAnswer(Answer):
    """A pool that was opened."""

    jackpot: str
    ruleset: str
    currency: str
    seed: int
    reset: int
    meter: int
    position: int


class JackpotTerms(Answer):
    """Parameters that may change; amounts in minor units, rates as decimal strings."""

    reset: int
    increment_rate: str
    reserve_rate: str
    ceiling: int
    fixed_prize_funding: str
    multi_winner_policy: str
    handpay_threshold: int | None


class PoolBalances(Answer):
    """A pool's three accounts in micro-units, and what it shows in whole minor units."""

    jackpot: str
    meter: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int


class PrizeAnswer(Answer):
    """A pending prize that was paid (VERIFIED) or not (REFUSED)."""

    jackpot: str
    award: str
    status: str
    round: str
    player: str
    amount: int
    balance: Balance
    position: int


class TermsAnswer(Answer):
    """Parameters in force, those that wait for the next 100 % award, and the pool."""

    jackpot: PoolBalances
    terms: JackpotTerms
    waiting: JackpotTerms | None
    position: int


class UpkeepAnswer(Answer):
    """What a correction or transfer leaves; of a transfer both pools, the giving one first."""

    jackpots: list[PoolBalances]
    position: int
