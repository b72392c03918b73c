"""What a pool decides, entry by entry; its arithmetic is tested in test_pools, its postings in the ledger's tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import AlreadyExists, Invalid, NotFound, Refusal
from domain.jackpots.commands import Accrue, AwardRound, Claim, MirrorRound, OpenPool, PoolCommand
from domain.jackpots.decider import Pool, decide, evolve
from domain.jackpots.events import Awarded, Contributed, FundKind, PoolOpened, PoolReset, PoolTerms, RoundMirrored
from domain.money import MICRO, POOL_MINOR_LIMIT
from domain.pools import Balances, MultiWinnerPolicy, PrizeFunding
from domain.rounds.events import AwardRecord, ResetRecord, Share
from domain.rules import FixedPrize, MeterPrize
from tests.domain.showdowns import LAND

TERMS = PoolTerms(
    "gold", LAND, "USD", 1_000, 500, 400_000, 100_000, 10**6, PrizeFunding.HOUSE, MultiWinnerPolicy.SEQUENTIAL, 5_000
)
SHARE = Share("w1", "ann", 100, 40 * MICRO, 10 * MICRO)
ROYAL = Claim("a1", "ann", 1, "w1", "ROYAL_FLUSH", MeterPrize(MICRO))
FLUSH = Claim("a2", "bob", 2, "w2", "FLUSH", FixedPrize(5_001))


def opened(**terms: object) -> Pool:
    return grown(None, OpenPool(replace(TERMS, **terms)))  # type: ignore[arg-type]  # terms by name


def grown(pool: Pool | None, *commands: PoolCommand) -> Pool:
    for command in commands:
        for event in decide(command, pool):
            pool = evolve(pool, event)
    assert pool is not None
    return pool


def test_S3_19_a_pool_opens_at_its_seed_and_once() -> None:
    (event,) = decide(OpenPool(TERMS), None)
    assert isinstance(event, PoolOpened)
    assert event.move.meter_after_micro == 1_000 * MICRO
    assert evolve(None, event) == Pool(TERMS, Balances(1_000 * MICRO), 1)
    with pytest.raises(AlreadyExists):
        decide(OpenPool(TERMS), opened())


@pytest.mark.parametrize("command", [Accrue("r", (SHARE,)), AwardRound("r", ()), MirrorRound("r", (SHARE,), (), ())])
def test_a_pool_that_is_not_there_is_not_found(command: PoolCommand) -> None:
    with pytest.raises(NotFound):
        decide(command, None)


def test_a_round_without_progressive_wagers_makes_no_event() -> None:
    assert decide(Accrue("r", ()), opened()) == ()
    assert decide(AwardRound("r", ()), opened()) == ()
    assert decide(MirrorRound("r", (), (), ()), opened()) == ()


def test_R9_contributions_accrue_exactly_and_list_each_wagers_share() -> None:
    (event,) = decide(Accrue("r", (SHARE, replace(SHARE, wager="w2"))), opened())
    assert isinstance(event, Contributed)
    assert (event.increment_micro, event.reserve_micro) == (80 * MICRO, 20 * MICRO)
    assert [one.wager for one in event.shares] == ["w1", "w2"]
    assert evolve(opened(), event).balances == Balances(1_080 * MICRO, 20 * MICRO)


@pytest.mark.parametrize("field", ["reserve", "overflow"])
def test_what_would_pass_the_limit_of_a_pool_is_refused(field: str) -> None:
    full = replace(opened(), balances=replace(Balances(10**6 * MICRO), **{f"{field}_micro": POOL_MINOR_LIMIT * MICRO}))
    with pytest.raises(Invalid) as refusal:
        decide(Accrue("r", (SHARE,)), full)
    assert refusal.value.field == field


def test_C22_an_award_records_the_meter_that_its_turn_found_and_the_reset_comes_after_it() -> None:
    pool = grown(opened(), Accrue("r", (SHARE,)))
    award, reset, second = decide(AwardRound("r", (ROYAL, FLUSH)), pool)
    assert isinstance(award, Awarded)
    assert (award.prize_minor, award.pool_micro, award.meter_before_micro) == (1_040, 1_040 * MICRO, 1_040 * MICRO)
    assert (award.fund, award.pending) == (FundKind.TOP_UP, False)
    assert isinstance(reset, PoolReset)
    assert (reset.reset_micro, reset.from_reserve_micro, reset.terms) == (500 * MICRO, 10 * MICRO, TERMS)
    assert isinstance(second, Awarded)
    assert (second.fund, second.pool_micro, second.meter_before_micro) == (FundKind.FIXED_PRIZE, 0, 500 * MICRO)
    assert second.pending, "5,001 lies above the threshold of 5,000"


@pytest.mark.parametrize(("threshold", "pending"), [(None, False), (5_001, False), (5_000, True), (0, True)])
def test_C24_an_award_above_the_threshold_waits(threshold: int | None, pending: bool) -> None:
    (event,) = decide(AwardRound("r", (FLUSH,)), opened(handpay_threshold_minor=threshold))
    assert isinstance(event, Awarded)
    assert event.pending is pending


def test_a_mirror_is_one_event_with_the_net_of_all_that_the_round_did() -> None:
    pool = grown(opened(), Accrue("r", (SHARE,)))
    after = grown(pool, AwardRound("r", (ROYAL, FLUSH)))
    awards = (
        AwardRecord("a1", "ann", 1, "ROYAL_FLUSH", "TOP_UP", 1_040, 1_040 * MICRO, False, 3, "w1", False, 0),
        AwardRecord("a2", "bob", 2, "FLUSH", "FIXED_PRIZE", 5_001, 0, True, 5, "w2", False, 0),
    )
    resets = (ResetRecord("a1", 500 * MICRO, 10 * MICRO, 4),)
    (event,) = decide(MirrorRound("r", (SHARE,), awards, resets), after)
    assert isinstance(event, RoundMirrored)
    assert event.contribution_micro == 50 * MICRO
    assert {one.kind: one.amount_micro for one in event.funds} == {
        FundKind.FIXED_PRIZE: -5_001 * MICRO, FundKind.RESET: -490 * MICRO,
    }  # fmt: skip
    assert event.cancelled == (("a2", "bob", 5_001),)
    assert evolve(after, event).balances == opened().balances


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"seed_minor": 10**6 + 1}, "seed"),
        ({"reset_minor": -1}, "reset"),
        ({"ceiling_minor": 0}, "ceiling"),
        ({"increment_ppm": 900_001}, "reserve_rate"),
        ({"handpay_threshold_minor": -1}, "handpay_threshold"),
        ({"ruleset": "live-5plus1-v1"}, "ruleset"),
        ({"currency": "EUR"}, "currency"),
    ],
)
def test_terms_that_a_pool_cannot_live_by_are_refused_by_field(terms: dict[str, object], field: str) -> None:
    with pytest.raises(Refusal) as refusal:
        opened(**terms)
    assert refusal.value.field == field


def test_no_event_comes_before_the_opening() -> None:
    with pytest.raises(ValueError, match="opens it"):
        evolve(None, decide(Accrue("r", (SHARE,)), opened())[0])
