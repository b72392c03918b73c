"""Answers about the upkeep of pools, and about what is in service."""

from __future__ import annotations

from domain.frozen import dataclass
from services.answers.accounts import Balance


@dataclass(frozen=True, slots=True)
class PoolBalances:
    """A pool's three accounts in micro-units, and what it shows in whole minor units."""

    jackpot: str
    meter: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int


@dataclass(frozen=True, slots=True)
class UpkeepAnswer:
    """What a correction or transfer leaves; of a transfer both pools, the giving one first."""

    jackpots: tuple[PoolBalances, ...]
    position: int = 0


@dataclass(frozen=True, slots=True)
class JackpotTerms:
    """Parameters that may change; amounts in minor units, rates as decimal strings."""

    reset: int
    increment_rate: str
    reserve_rate: str
    ceiling: int
    fixed_prize_funding: str
    multi_winner_policy: str
    handpay_threshold: int | None


@dataclass(frozen=True, slots=True)
class TermsAnswer:
    """Parameters in force, those that wait for the next 100 % award, and the pool."""

    jackpot: PoolBalances
    terms: JackpotTerms
    waiting: JackpotTerms | None
    position: int = 0


@dataclass(frozen=True, slots=True)
class PrizeAnswer:
    """A pending prize that was paid (VERIFIED) or not (REFUSED)."""

    jackpot: str
    award: str
    status: str
    round: str
    player: str
    amount: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """What is out of service now, or back in it."""

    scope: str
    id: str
    disabled: bool
    position: int = 0


@dataclass(frozen=True, slots=True)
class OneDeviceAnswer:
    """Whether a player is at tables by one device alone now (C29)."""

    one_device: bool
    position: int = 0
