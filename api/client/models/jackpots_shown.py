"""Jackpots, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import JackpotTerms


class JackpotAward(Answer):
    """An award; `meter_before_micro` is the meter as its turn found it, before any reset. It was paid where it is
    neither `pending` nor `voided` nor `refused`.
    """

    award: str
    at: str
    position: int
    round: str
    player: str
    seat: int | None
    category: str
    amount: int
    pool_micro: int
    meter_before_micro: int
    pending: bool
    voided: bool
    refused: bool


class JackpotAnswer(Answer):
    """A pool: `meter` is whole minor units, `pending_micro` what open wagers would bring to it. A `disabled` one
    takes no new wagers (R14): show it as unavailable. `waiting` are changed parameters that take force with the
    next 100 % award (R7).
    """

    jackpot: str
    ruleset: str
    currency: str
    exponent: int
    meter: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    pending_micro: int
    seed: int
    reset: int
    increment_rate: str
    reserve_rate: str
    ceiling: int
    fixed_prize_funding: str
    multi_winner_policy: str
    handpay_threshold: int | None
    waiting: JackpotTerms | None
    disabled: bool
    awards: list[JackpotAward]
    position: int
