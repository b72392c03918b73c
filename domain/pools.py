"""Arithmetic of progressive pools in micro-units: pure, exact, and free of refusals.

A pool has a meter, a reserve and an overflow. Each function is one entry of the ledger: it takes what the entry
asks for and then splits meter and overflow anew at the ceiling, because those two are one sum. Prizes are whole
minor units, the fraction stays on the meter (R9). Nothing here raises, so that a replay can use it; a command
that could outgrow a pool asks `refuse_oversized` about the result before it is written.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, assert_never

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.money import MICRO, POOL_MINOR_LIMIT, whole_minor
from domain.rules import MeterPrize


class PrizeFunding(StrEnum):
    """Who pays fixed prizes: the house beside the pool, or the pool as far as its meter goes (C20)."""

    HOUSE = "HOUSE"
    POOL = "POOL"


class MultiWinnerPolicy(StrEnum):
    """What several winners of one round get (C23, R11): each in turn, each the full prize, or equal parts."""

    SEQUENTIAL = "SEQUENTIAL"
    FULL_TO_EACH = "FULL_TO_EACH"
    EQUAL_SPLIT = "EQUAL_SPLIT"


SharedPolicy = Literal[MultiWinnerPolicy.FULL_TO_EACH, MultiWinnerPolicy.EQUAL_SPLIT]
"""The two policies under which winners of one category share; SEQUENTIAL pays each by itself."""


@dataclass(frozen=True, slots=True)
class Balances:
    """What a pool holds, in micro-units."""

    meter_micro: int
    reserve_micro: int = 0
    overflow_micro: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """A prize, the part of it that the pool pays (the house pays the rest), and the pool afterwards."""

    prize_minor: int
    pool_minor: int
    after: Balances

    @property
    def house_minor(self) -> int:
        """What the house pays of the prize."""
        return self.prize_minor - self.pool_minor


@dataclass(frozen=True, slots=True)
class Reset:
    """A restart of the meter: what the reserve and what the house put in, in minor units, and the pool afterwards."""

    reserve_minor: int
    house_minor: int
    after: Balances


def split(balances: Balances, ceiling_micro: int) -> Balances:
    """Meter and overflow as one sum split at the ceiling: meter = min(sum, ceiling), overflow the rest (R13)."""
    both = balances.meter_micro + balances.overflow_micro
    meter = min(both, ceiling_micro)
    return Balances(meter, balances.reserve_micro, both - meter)


def contribute(balances: Balances, meter_share_micro: int, reserve_share_micro: int, ceiling_micro: int) -> Balances:
    """The pool after contributions have accrued; what passes the ceiling waits in the overflow."""
    return split(
        Balances(
            balances.meter_micro + meter_share_micro,
            balances.reserve_micro + reserve_share_micro,
            balances.overflow_micro,
        ),
        ceiling_micro,
    )


def fixed_prize(balances: Balances, prize_minor: int, funding: PrizeFunding, ceiling_micro: int) -> Award:
    """A fixed prize: the house's affair alone, or out of the pool p = min(Z, M) and the house pays Z - p."""
    match funding:
        case PrizeFunding.HOUSE:
            paid = 0
        case PrizeFunding.POOL:
            paid = min(prize_minor, whole_minor(balances.meter_micro))
        case _:
            assert_never(funding)
    return _award(balances, prize_minor, paid, ceiling_micro)


def meter_share_minor(meter_micro: int, share_ppm: int) -> int:
    """g: the whole minor units in a share of the meter; with the whole meter as the share it is M."""
    return meter_micro * share_ppm // (MICRO * MICRO)


def percentage_prize(balances: Balances, prize: MeterPrize, ceiling_micro: int) -> Award:
    """A share of the meter: g from the pool, and where g lies below the floor the house tops up to it (C21)."""
    share = meter_share_minor(balances.meter_micro, prize.share_ppm)
    return _award(balances, max(prize.floor_minor, share), share, ceiling_micro)


def reset(balances: Balances, reset_minor: int, ceiling_micro: int) -> Reset:
    """Restart the meter after a 100 % award: whole units of the reserve first, the house the rest."""
    from_reserve = min(whole_minor(balances.reserve_micro), reset_minor)
    after = split(
        Balances(
            balances.meter_micro + reset_minor * MICRO,
            balances.reserve_micro - from_reserve * MICRO,
            balances.overflow_micro,
        ),
        ceiling_micro,
    )
    return Reset(from_reserve, reset_minor - from_reserve, after)


def shared_prize_minor(policy: SharedPolicy, prize: MeterPrize, share_minor: int, winners: int) -> int:
    """Z of each of `winners` that share a prize whose part of the meter (g) is `share_minor`."""
    full = max(prize.floor_minor, share_minor)
    match policy:
        case MultiWinnerPolicy.EQUAL_SPLIT:
            return full // winners
        case MultiWinnerPolicy.FULL_TO_EACH:
            return full
        case _:
            assert_never(policy)


def shared_pool_part_minor(
    policy: SharedPolicy, standing: int, prize_minor: int, share_minor: int, meter_minor: int
) -> int:
    """G(k): what the pool pays in all while `standing` of the shared awards stand.

    `share_minor` (g) and `meter_minor` (M) are those read before the category's first winner. The k-th award
    costs the pool G(k) - G(k - 1), and gives that back when it is voided or refused.
    """
    match policy:
        case MultiWinnerPolicy.EQUAL_SPLIT:
            return min(standing * prize_minor, share_minor)
        case MultiWinnerPolicy.FULL_TO_EACH:
            return min(standing * share_minor, meter_minor)
        case _:
            assert_never(policy)


def shared_awards(
    balances: Balances, prize: MeterPrize, policy: SharedPolicy, winners: int, ceiling_micro: int
) -> tuple[Award, ...]:
    """The awards of `winners` of one category in one round, in order, all paid at the first one's turn.

    For FULL_TO_EACH and EQUAL_SPLIT; under SEQUENTIAL each winner has a `percentage_prize` of its own. The reset
    of a 100 % prize comes once, after the last.
    """
    share = meter_share_minor(balances.meter_micro, prize.share_ppm)
    meter = whole_minor(balances.meter_micro)
    each = shared_prize_minor(policy, prize, share, winners)
    awards: list[Award] = []
    paid_before = 0
    for standing in range(1, winners + 1):
        paid = shared_pool_part_minor(policy, standing, each, share, meter)
        award = _award(balances, each, paid - paid_before, ceiling_micro)
        awards.append(award)
        balances, paid_before = award.after, paid
    return tuple(awards)


def refuse_oversized(balances: Balances) -> None:
    """Raise Invalid, naming the account, when one would pass 9 x 10^9 minor units."""
    limit = POOL_MINOR_LIMIT * MICRO
    for field, amount in (
        ("meter", balances.meter_micro),
        ("reserve", balances.reserve_micro),
        ("overflow", balances.overflow_micro),
    ):
        if amount > limit:
            raise Invalid(f"{field}: a pool holds at most {POOL_MINOR_LIMIT} minor units there", field=field)


def _award(balances: Balances, prize_minor: int, pool_minor: int, ceiling_micro: int) -> Award:
    taken = Balances(balances.meter_micro - pool_minor * MICRO, balances.reserve_micro, balances.overflow_micro)
    return Award(prize_minor, pool_minor, split(taken, ceiling_micro))
