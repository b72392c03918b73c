"""`land-progressive-v1`: the land casino's brochure, paid by turn from the meter (page 004)."""

from __future__ import annotations

from typing import Final

from domain.hands import Category
from domain.money import Rate
from domain.rules import (
    LOWEST_ACE_KING,
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

LAND_PROGRESSIVE: Final = RuleSet(
    name="land-progressive-v1",
    source="Caribbean Stud, land casino brochure with progressive jackpot (page 004)",
    hand_mode=HandMode.PER_SEAT,  # S4-02
    seats=7,  # the page does not say; our choice
    currency="USD",  # S4-06
    dealer_upcard_index=4,  # S4-02: one card, its place is not stated
    call_multiple=2,  # S4-03
    lowest_qualifier=LOWEST_ACE_KING,  # S4-04, C7
    wheel_is_straight=True,  # S4-10
    call_pays=(  # S4-05
        (Category.ROYAL_FLUSH, 100),
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
    call_pays_unqualified=(),  # S4-04: the bet pushes
    side_kind=SideKind.PROGRESSIVE,
    side_timing=SideTiming.WITH_ANTE,  # S4-06
    side_pays=(),
    side_bets_survive_fold=True,  # S4-07, C25
    progressive=ProgressiveRules(
        stake_minor=100,  # S4-06
        prizes=(  # S4-07
            (Category.ROYAL_FLUSH, MeterPrize(1_000_000)),
            (Category.STRAIGHT_FLUSH, MeterPrize(100_000)),
            (Category.FOUR_OF_A_KIND, FixedPrize(10_000)),
            (Category.FULL_HOUSE, FixedPrize(7_500)),
            (Category.FLUSH, FixedPrize(5_000)),
        ),
        preset_increment_rate=Rate(700_000),  # C20: our preset, the page states none
        handpay_threshold_required=True,  # S4-08, C24
    ),
    payment_order=PaymentOrder.ASCENDING,
    below_min_policy=BelowMinPolicy.REJECT_AT_CLOSE,  # C10
    timeout_policy=TimeoutPolicy.FOLD,  # C15
    chat=ChatPolicy.OFF,
)
