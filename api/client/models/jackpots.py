"""Jackpots: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import PoolBalances


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


class TermsAnswer(Answer):
    """Parameters in force, those that wait for the next 100 % award, and the pool."""

    jackpot: PoolBalances
    terms: JackpotTerms
    waiting: JackpotTerms | None
    position: int
