"""What staff does to a pool: corrections, transfers, parameters, disabling, and pending prizes verified or refused.

Each needs a reason; money that moves needs a second person (R8, R14, R15, R17, R23; docs/ledger.md, Pools).
"""

from __future__ import annotations

from enum import StrEnum

from domain.frozen import dataclass
from domain.jackpots.events import FundLine, Move, PoolTerms, Shortfall


class PoolAccount(StrEnum):
    """A pool's own accounts."""

    METER = "m"
    RESERVE = "res"
    OVERFLOW = "ovf"


@dataclass(frozen=True, slots=True)
class Corrected:
    """An account was corrected by a signed amount (R8)."""

    jackpot: str
    currency: str
    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str
    move: Move


@dataclass(frozen=True, slots=True)
class TransferredOut:
    """Money left for another pool, as when a pool is given up (R8)."""

    jackpot: str
    currency: str
    to: str
    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str
    move: Move


@dataclass(frozen=True, slots=True)
class TransferredIn:
    """Money came from another pool, onto the meter, from whichever account it left (docs/ledger.md, Postings)."""

    jackpot: str
    currency: str
    source: str
    amount_micro: int
    reason: str
    approver: str
    move: Move


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """New parameters: `terms` are in force now, `waiting` takes force with the next 100 % award (R7)."""

    jackpot: str
    currency: str
    terms: PoolTerms
    waiting: PoolTerms | None
    reason: str
    move: Move


@dataclass(frozen=True, slots=True)
class PoolDisabled:
    """The pool neither increments nor pays for rounds whose betting is still open (R14, R22)."""

    jackpot: str
    reason: str


@dataclass(frozen=True, slots=True)
class PoolEnabled:
    """The pool goes on as it stood."""

    jackpot: str
    reason: str


@dataclass(frozen=True, slots=True)
class AwardVerified:
    """A pending prize is paid: two persons have seen the hand (S4-08, C24)."""

    jackpot: str
    award: str
    round: str
    player: str
    currency: str
    prize_minor: int
    reason: str
    approver: str


@dataclass(frozen=True, slots=True)
class AwardRefused:
    """A pending prize will not be paid: what the pool and the house gave for it is mirrored, its reset too."""

    jackpot: str
    award: str
    round: str
    player: str
    currency: str
    prize_minor: int
    funds: tuple[FundLine, ...]
    awards_back_micro: int
    resets_back_micro: int
    shortfall_meter_micro: int
    shortfall_reserve_micro: int
    reason: str
    approver: str
    move: Move
    given_back: tuple[Shortfall, ...] = ()


UpkeepEvent = (
    Corrected
    | TransferredOut
    | TransferredIn
    | TermsChanged
    | PoolDisabled
    | PoolEnabled
    | AwardVerified
    | AwardRefused
)


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct an account by a signed amount of micro-units."""

    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str


@dataclass(frozen=True, slots=True)
class TransferOut:
    """Give money to another pool of the same currency."""

    to: str
    to_currency: str
    account: PoolAccount
    amount_micro: int
    reason: str
    approver: str


@dataclass(frozen=True, slots=True)
class TransferIn:
    """Take money from another pool onto the meter."""

    source: str
    amount_micro: int
    reason: str
    approver: str


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """Ask for these parameters; which of them wait is decided here."""

    terms: PoolTerms
    reason: str


@dataclass(frozen=True, slots=True)
class Disable:
    """Take the pool out of service."""

    reason: str


@dataclass(frozen=True, slots=True)
class Enable:
    """Put the pool back into service."""

    reason: str


@dataclass(frozen=True, slots=True)
class VerifyAward:
    """Pay a pending prize."""

    award: str
    round: str
    player: str
    prize_minor: int
    reason: str
    approver: str


UpkeepCommand = Correct | TransferOut | TransferIn | ChangeTerms | Disable | Enable | VerifyAward
