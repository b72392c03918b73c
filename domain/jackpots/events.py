"""What can happen to a pool. Amounts are micro-units unless named `_minor`.

Each event that touches the pool carries the change of meter, reserve and overflow (`Move`) and the balances
after it, with the split at the ceiling done anew (docs/ledger.md, Postings).
"""

from __future__ import annotations

from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound, PoolTerms
from domain.pools import Balances
from domain.rounds.events import AwardRecord, Share
from domain.words import StrEnum


class FundKind(StrEnum):
    """What the house spent on a pool."""

    SEED = "SEED"
    RESET = "RESET"
    TOP_UP = "TOP_UP"
    FIXED_PRIZE = "FIXED_PRIZE"
    VOID_SHORTFALL = "VOID_SHORTFALL"


@dataclass(frozen=True, slots=True)
class Move:
    """Signed changes of the three accounts of a pool, and the balances after them, in micro-units."""

    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    meter_after_micro: int
    reserve_after_micro: int
    overflow_after_micro: int


def moved(before: Balances, after: Balances) -> Move:
    """The change between two states of the three accounts, as an event records it."""
    return Move(
        after.meter_micro - before.meter_micro,
        after.reserve_micro - before.reserve_micro,
        after.overflow_micro - before.overflow_micro,
        after.meter_micro,
        after.reserve_micro,
        after.overflow_micro,
    )


@dataclass(frozen=True, slots=True)
class FundLine:
    """What the house spends on the pool (above zero) or gets back, by kind."""

    kind: FundKind
    amount_micro: int


@dataclass(frozen=True, slots=True)
class PoolOpened:
    """A pool starts at its seed, paid by the house (S3-19)."""

    terms: PoolTerms
    move: Move


@dataclass(frozen=True, slots=True)
class Contributed:
    """What one round's progressive wagers gave, wager by wager (S3-10)."""

    jackpot: str
    round: str
    currency: str
    shares: tuple[Share, ...]
    increment_micro: int
    reserve_micro: int
    move: Move


@dataclass(frozen=True, slots=True)
class Awarded:
    """A prize, fixed at this place in the pool's stream (S4-09, C22).

    `meter_before_micro` is what the winner's turn found. With `pending` the prize waits for two persons; `shared`
    awards of one category cost the pool together (C23).
    """

    jackpot: str
    award: str
    round: str
    player: str
    seat: int | None
    wager: str
    currency: str
    category: str
    prize_minor: int
    pool_micro: int
    fund: FundKind
    meter_before_micro: int
    pending: bool
    shared: bool
    move: Move


@dataclass(frozen=True, slots=True)
class PoolReset:
    """After a 100 % award the pool restarts: reserve first, then the house. `terms` are in force from here on."""

    jackpot: str
    award: str
    round: str
    currency: str
    reset_micro: int
    from_reserve_micro: int
    terms: PoolTerms
    move: Move


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What the house put into an account (`m` or `res`) for a mirror; `version` of the pool's stream made it."""

    account: str
    amount_micro: int
    version: int


@dataclass(frozen=True, slots=True)
class RoundMirrored:
    """A void's net effect on the pool: contributions, awards and resets of the round with their signs turned.

    `contribution_micro` is what leaves CON (above zero: given back), `funds` what the house gets back (below
    zero) or pays, `awards` those that fall, `cancelled` the pending ones of them as (award, player, minor units).
    `awards_back_micro` is what the pool had paid of the awards, `resets_back_micro` what the house had of the resets.
    `shortfall_...` is what the house puts in, less what of older shortfalls it gets back (`given_back`).
    """

    jackpot: str
    round: str
    currency: str
    contribution_micro: int
    funds: tuple[FundLine, ...]
    awards: tuple[str, ...]
    cancelled: tuple[tuple[str, str, int], ...]
    awards_back_micro: int
    resets_back_micro: int
    shortfall_meter_micro: int
    shortfall_reserve_micro: int
    move: Move
    given_back: tuple[Shortfall, ...]


@dataclass(frozen=True, slots=True)
class RoundResettled:
    """A round's awards were worked out anew on what its first showdown found; the difference is today's pool's.

    `fallen` are the old awards, `cancelled` the pending ones of them as (award, player, minor units), `awards` the
    new ones. `awards_back_micro` and `resets_back_micro` are the old parts of pool and house, `awards_micro` and
    `resets_micro` the new ones. `terms` are in force from here on: those that waited, where a new reset used them.
    """

    jackpot: str
    round: str
    currency: str
    funds: tuple[FundLine, ...]
    fallen: tuple[str, ...]
    cancelled: tuple[tuple[str, str, int], ...]
    awards: tuple[AwardRecord, ...]
    awards_back_micro: int
    resets_back_micro: int
    awards_micro: int
    resets_micro: int
    shortfall_meter_micro: int
    shortfall_reserve_micro: int
    terms: PoolTerms
    move: Move
    given_back: tuple[Shortfall, ...]


@dataclass(frozen=True, slots=True)
class PoolCarried:
    """A closing entry: all that the events before it add up to, so that reading may begin here. No money moves.

    `version` is that of the event before it in the pool's stream.
    """

    terms: PoolTerms
    balances: Balances
    version: int
    shortfalls: tuple[Shortfall, ...]
    waiting: PoolTerms | None
    disabled: bool


PoolEvent = PoolOpened | Contributed | Awarded | PoolReset | RoundMirrored | RoundResettled | PoolCarried

__all__ = [
    "Awarded",
    "Contributed",
    "FundKind",
    "FundLine",
    "Move",
    "PoolCarried",
    "PoolEvent",
    "PoolFound",
    "PoolOpened",
    "PoolReset",
    "PoolTerms",
    "RoundMirrored",
    "RoundResettled",
    "Shortfall",
    "moved",
]
