"""Jackpots: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import JackpotTerms, PoolBalances


class DoneJackpotAnswer(Answer):
    """A pool that was opened."""

    jackpot: str
    ruleset: str
    currency: str
    seed: int
    reset: int
    meter: int
    position: int


class TermsAnswer(Answer):
    """Parameters in force, those that wait for the next 100 % award, and the pool."""

    jackpot: PoolBalances
    terms: JackpotTerms
    waiting: JackpotTerms | None
    position: int
