"""Parameters of a pool, and a pool as a showdown found it."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.pools import MultiWinnerPolicy, PrizeFunding


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """Parameters of a pool. Money in minor units, rates in parts per million (six decimals)."""

    jackpot: str
    ruleset: str
    currency: str
    seed_minor: int
    reset_minor: int
    increment_ppm: int
    reserve_ppm: int
    ceiling_minor: int
    fixed_prize_funding: PrizeFunding
    multi_winner_policy: MultiWinnerPolicy
    handpay_threshold_minor: int | None


@dataclass(frozen=True, slots=True)
class PoolFound:
    """A pool as the showdown of a round found it: a resettlement works its awards out on this (docs/ledger.md)."""

    terms: PoolTerms
    waiting: PoolTerms | None
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
