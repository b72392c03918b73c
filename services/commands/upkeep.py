"""Commands of staff about pools, and about what is in service."""

from __future__ import annotations

from enum import StrEnum

from domain.frozen import dataclass
from domain.jackpots.upkeep import PoolAccount
from domain.money import Rate
from domain.pools import MultiWinnerPolicy, PrizeFunding


class Scope(StrEnum):
    """What a disable is about (R22)."""

    ALL = "ALL"
    RULESET = "RULESET"
    TABLE = "TABLE"
    PLAYER = "PLAYER"
    JACKPOT = "JACKPOT"


@dataclass(frozen=True, slots=True)
class CorrectJackpot:
    """Correct an account of a pool by a signed amount of micro-units."""

    jackpot: str
    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class TransferJackpot:
    """Move money from one pool to another of the same currency."""

    jackpot: str
    to: str
    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeJackpot:
    """New parameters; None leaves one as it is. `handpay_stated`: whether the threshold was named, null included."""

    jackpot: str
    reset_minor: int | None
    increment: Rate | None
    reserve: Rate | None
    ceiling_minor: int | None
    fixed_prize_funding: PrizeFunding | None
    multi_winner_policy: MultiWinnerPolicy | None
    handpay_stated: bool
    handpay_threshold_minor: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class VerifyPrize:
    """Pay a pending prize: two persons have seen the hand."""

    jackpot: str
    award: str
    reason: str
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class RefusePrize:
    """Do not pay a pending prize."""

    jackpot: str
    award: str
    reason: str
    approver: str | None = None


@dataclass(frozen=True, slots=True)
class SetService:
    """Take something out of service, or put it back; `id` is empty for ALL."""

    scope: Scope
    id: str
    disable: bool
    reason: str


@dataclass(frozen=True, slots=True)
class SetOneDevice:
    """Say whether a player is at tables by one device alone, or by one at each table (C29)."""

    one_device: bool
    reason: str
