"""A void's mirror at a pool by itself: which shortfalls it gives back, and what then stands with the house."""

from __future__ import annotations

import pytest

from domain.errors import Invalid
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import Accrue, MirrorRound
from domain.jackpots.events import PoolTerms, RoundMirrored, Shortfall
from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.pools import Balances, MultiWinnerPolicy, PrizeFunding
from domain.rounds.events import AwardRecord, ResetRecord, Share
from tests.domain.showdowns import EURO

TERMS = PoolTerms(
    "gold", EURO, "EUR", 0, 0, 400_000, 100_000, 1_000, PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, None
)
POOL = jackpots.Pool(TERMS, Balances(100, 50), version=40)


def award(turn: int, pool_micro: int) -> AwardRecord:
    """A prize that the pool paid whole."""
    return AwardRecord(f"a{turn}", "ann", 1, "ROYAL_FLUSH", "TOP_UP", 0, pool_micro, False, turn, "w", False, 0)


def mirrored(
    pool: jackpots.Pool,
    *,
    shares: tuple[Share, ...] = (),
    awards: tuple[AwardRecord, ...] = (),
    resets: tuple[ResetRecord, ...] = (),
) -> tuple[RoundMirrored, jackpots.Pool]:
    (event,) = jackpots.decide(MirrorRound("r", shares, awards, resets), pool)
    assert isinstance(event, RoundMirrored)
    return event, jackpots.evolve(pool, event)


def owing(*shortfalls: Shortfall) -> jackpots.Pool:
    return jackpots.Pool(TERMS, Balances(100, 50), version=40, shortfalls=shortfalls)


def test_a_round_that_gave_the_pool_nothing_and_took_nothing_has_no_mirror() -> None:
    assert jackpots.decide(MirrorRound("r", (), (), ()), POOL) == ()


def test_an_award_gives_back_the_shortfalls_that_are_younger_oldest_first_and_no_more_than_it_was() -> None:
    pool = owing(*(Shortfall("m", 20, version) for version in (5, 11, 12, 13)), Shortfall("res", 20, 14))
    event, after = mirrored(pool, awards=(award(10, 30),))
    assert event.given_back == (Shortfall("m", 20, 11), Shortfall("m", 10, 12))
    assert (event.shortfall_meter_micro, event.shortfall_reserve_micro, event.move.meter_micro) == (-30, 0, 0)
    assert after.shortfalls == (
        Shortfall("m", 20, 5), Shortfall("m", 10, 12), Shortfall("m", 20, 13), Shortfall("res", 20, 14),
    )  # fmt: skip


def test_several_awards_of_a_round_give_back_together() -> None:
    event, after = mirrored(owing(Shortfall("m", 50, 20)), awards=(award(10, 30), award(11, 30), award(12, 30)))
    assert event.given_back == (Shortfall("m", 50, 20),)
    assert (event.move.meter_micro, after.balances.meter_micro, after.shortfalls) == (40, 140, ())


def test_a_reset_gives_back_what_the_house_put_into_the_reserve() -> None:
    reset = ResetRecord("a", 30, 30, 10)
    event, after = mirrored(
        owing(Shortfall("res", 20, 20), Shortfall("m", 20, 21)), resets=(reset,), awards=(award(9, 0),)
    )
    assert event.given_back == (Shortfall("res", 20, 20),)
    assert (event.move.meter_micro, event.move.reserve_micro, event.shortfall_reserve_micro) == (-30, 10, -20)
    assert after.shortfalls == (Shortfall("m", 20, 21),)


@pytest.mark.parametrize(
    ("increment", "reserve", "meter_short", "reserve_short"), [(100, 50, 0, 0), (101, 50, 1, 0), (100, 51, 0, 1)]
)
def test_what_the_pool_cannot_bear_is_put_in_by_the_house_to_the_last_micro_unit(
    increment: int, reserve: int, meter_short: int, reserve_short: int
) -> None:
    share = Share("w", "ann", 50, increment, reserve)
    event, after = mirrored(POOL, shares=(share,))
    assert (event.shortfall_meter_micro, event.shortfall_reserve_micro) == (meter_short, reserve_short)
    assert after.balances == Balances(0, 0)
    assert after.shortfalls == tuple(
        Shortfall(account, amount, 41) for account, amount in (("m", meter_short), ("res", reserve_short)) if amount
    )
    assert event.contribution_micro == increment + reserve


@pytest.mark.parametrize("over", [0, 1])
def test_what_would_grow_a_pool_out_of_its_bounds_is_refused(over: int) -> None:
    full = POOL_MINOR_LIMIT * MICRO
    pool = jackpots.Pool(TERMS, Balances(100, full - 7), version=40)
    accrue = Accrue("r", (Share("w", "ann", 50, 0, 7 + over),))
    back = MirrorRound("r", (), (award(9, 0),), (ResetRecord("a", 7 + over, 7 + over, 10),))
    for command in (accrue, back):
        if over:
            with pytest.raises(Invalid) as refused:
                jackpots.decide(command, pool)
            assert refused.value.field == "reserve"
        else:
            (event,) = jackpots.decide(command, pool)
            assert event.move.reserve_after_micro == full


def test_the_meter_that_comes_back_above_the_ceiling_waits_in_the_overflow() -> None:
    event, _ = mirrored(POOL, awards=(award(10, 1_000 * MICRO),))
    assert (event.move.meter_after_micro, event.move.overflow_after_micro) == (1_000 * MICRO, 100)
