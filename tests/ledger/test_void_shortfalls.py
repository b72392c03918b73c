"""Histories in which voids once did not commute: a shortfall that is put in anew is younger than the one given back."""

from __future__ import annotations

from itertools import permutations

from domain.jackpots.commands import Accrue, AwardRound, Claim, MirrorRound, OpenPool
from domain.jackpots.decider import Pool, decide, evolve
from domain.jackpots.events import Awarded, PoolReset, PoolTerms
from domain.money import MICRO
from domain.pools import MultiWinnerPolicy, PrizeFunding
from domain.rounds.events import AwardRecord, ResetRecord, Share
from domain.rules import MeterPrize
from tests.domain.showdowns import EURO

WHOLE = MeterPrize(MICRO)


def opened(**terms: int) -> Pool:
    """A pool of nothing that gets 40 % of each stake, a wager being 0.50."""
    usual = {"seed_minor": 0, "reset_minor": 0, "increment_ppm": 400_000, "reserve_ppm": 300_000}
    found = PoolTerms(
        jackpot="gold", ruleset=EURO, currency="EUR", **{"ceiling_minor": 10**6, **usual, **terms},
        fixed_prize_funding=PrizeFunding.HOUSE, multi_winner_policy=MultiWinnerPolicy.SEQUENTIAL,
        handpay_threshold_minor=None,
    )  # fmt: skip
    return evolve(None, decide(OpenPool(found), None)[0])


def after(pool: Pool, command: Accrue | AwardRound | MirrorRound) -> Pool:
    for event in decide(command, pool):
        pool = evolve(pool, event)
    return pool


def round_of(pool: Pool, name: str, wagers: int, *, wins: bool = False) -> tuple[Pool, MirrorRound]:
    """The pool after a round of so many wagers, the first of which may win all; and what would void the round."""
    terms = pool.terms
    shares = tuple(
        Share(f"{name}{nth}", "p", 50, 50 * terms.increment_ppm, 50 * terms.reserve_ppm) for nth in range(wagers)
    )
    pool = after(pool, Accrue(name, shares))
    if not wins:
        return pool, MirrorRound(name, shares, (), ())
    turn = pool.version + 1
    award, reset = decide(AwardRound(name, (Claim(name, "p", 1, f"{name}0", "ROYAL_FLUSH", WHOLE),)), pool)
    assert isinstance(award, Awarded)
    assert isinstance(reset, PoolReset)
    paid = (award.prize_minor, award.pool_micro, False, turn, f"{name}0", False, award.meter_before_micro)
    awards = (AwardRecord(name, "p", 1, "ROYAL_FLUSH", "TOP_UP", *paid),)
    resets = (ResetRecord(name, reset.reset_micro, reset.from_reserve_micro, turn + 1),)
    return evolve(evolve(pool, award), reset), MirrorRound(name, shares, awards, resets)


def ends(pool: Pool, voids: list[MirrorRound]) -> set[tuple[int, int, int, int]]:
    """Meter, reserve, overflow and shortfall, in minor units, after these voids in every order."""
    found = set()
    for order in permutations(voids):
        state = pool
        for command in order:
            state = after(state, command)
        held = state.balances
        shortfall = sum(one.amount_micro for one in state.shortfalls)
        amounts = (held.meter_micro, held.reserve_micro, held.overflow_micro, shortfall)
        found.add((amounts[0] // MICRO, amounts[1] // MICRO, amounts[2] // MICRO, amounts[3] // MICRO))
    return found


def test_voids_commute_where_a_meter_shortfall_is_given_back_and_needed_anew_at_once() -> None:
    pool, first = round_of(opened(), "r0", 1)
    pool, _ = round_of(pool, "r1", 1, wins=True)
    pool, second = round_of(pool, "r2", 2, wins=True)
    pool = after(pool, first)
    pool, _ = round_of(pool, "r3", 2)
    pool, third = round_of(pool, "r4", 1)
    pool, fourth = round_of(pool, "r5", 2, wins=True)
    pool, fifth = round_of(pool, "r6", 1, wins=True)
    pool, _ = round_of(pool, "r7", 1, wins=True)
    assert len(ends(pool, [second, third, fourth, fifth])) == 1


def test_voids_commute_where_a_reserve_shortfall_is_given_back_and_needed_anew_at_once() -> None:
    pool, first = round_of(opened(reset_minor=35, ceiling_minor=40), "r0", 2)
    pool, second = round_of(pool, "r1", 1, wins=True)
    pool, _ = round_of(pool, "r2", 1, wins=True)
    pool, third = round_of(pool, "r3", 1, wins=True)
    pool = after(pool, first)
    pool, _ = round_of(pool, "r4", 1)
    pool, fourth = round_of(pool, "r5", 1, wins=True)
    assert len(ends(pool, [second, third, fourth])) == 1
