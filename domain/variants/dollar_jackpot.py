"""`dollar-jackpot-v1`: the five-seat multiplayer table with the dollar jackpot (page 003)."""

from __future__ import annotations

from typing import Final

from domain.hands import Category
from domain.money import Rate
from domain.rules import (
    LOWEST_ACE_KING,
    AnteRange,
    BelowMinPolicy,
    ChatPolicy,
    FixedPrize,
    HandMode,
    MeterPrize,
    PaymentOrder,
    ProgressiveRules,
    RuleSet,
    SideKind,
    SideTiming,
    TimeoutPolicy,
)

DOLLAR_JACKPOT: Final = RuleSet(
    name="dollar-jackpot-v1",
    source="Caribbean Stud Poker (multi-player) with Bonus Jackpot, game rules (page 003)",
    hand_mode=HandMode.PER_SEAT,
    seats=5,  # S3-02
    currency="USD",  # S3-04
    dealer_upcard_index=4,  # S3-11: the fifth card
    call_multiple=2,  # S3-12
    lowest_qualifier=LOWEST_ACE_KING,  # S3-14
    wheel_is_straight=True,  # C6: the page's list of straights leaves it out, our choice
    call_pays=(  # S3-15, S3-01; an ace-king high that wins is paid too (C5)
        (Category.ROYAL_FLUSH, 200),
        (Category.STRAIGHT_FLUSH, 50),
        (Category.FOUR_OF_A_KIND, 20),
        (Category.FULL_HOUSE, 7),
        (Category.FLUSH, 5),
        (Category.STRAIGHT, 4),
        (Category.THREE_OF_A_KIND, 3),
        (Category.TWO_PAIR, 2),
        (Category.PAIR, 1),
        (Category.HIGH_CARD, 1),
    ),
    call_pays_unqualified=(),  # S3-14: the bet is returned
    side_kind=SideKind.PROGRESSIVE,
    side_timing=SideTiming.BEFORE_OR_AFTER_ANTE,  # S3-09
    side_pays=(),
    side_bets_survive_fold=True,  # C3, C25
    progressive=ProgressiveRules(
        stake_minor=100,  # S3-09
        prizes=(  # S3-18
            (Category.ROYAL_FLUSH, MeterPrize(1_000_000, floor_minor=10_000_000)),
            (Category.STRAIGHT_FLUSH, MeterPrize(100_000, floor_minor=1_000_000)),
            (Category.FOUR_OF_A_KIND, FixedPrize(50_000)),
            (Category.FULL_HOUSE, FixedPrize(10_000)),
            (Category.FLUSH, FixedPrize(5_000)),
        ),
        preset_increment_rate=Rate(300_000),  # C20: our preset, the page states none
        start_minor=10_000_000,  # S3-19
    ),
    payment_order=PaymentOrder.ASCENDING,
    below_min_policy=BelowMinPolicy.RAISE_TO_MIN,  # S3-04
    timeout_policy=TimeoutPolicy.FOLD,  # C15
    chat=ChatPolicy.ON,  # S3-22
    ante_ranges=(AnteRange(500, 30_000),),  # S3-03, S3-04, C11
    ante_most_third_of_balance=True,  # S3-03
    deal_or_pass_seconds=15,  # S3-06
)
