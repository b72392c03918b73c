"""`euro-progressive-v1`: four seats, euro, a second pay column when the dealer does not qualify (page 002)."""

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

EURO_PROGRESSIVE: Final = RuleSet(
    name="euro-progressive-v1",
    source="CARIBBEAN STUD POKER rules, four players, euro, progressive (page 002)",
    hand_mode=HandMode.PER_SEAT,  # S2-01
    seats=4,  # S2-01, S2-03
    currency="EUR",  # S2-03
    dealer_upcard_index=4,  # S2-09: the dealer's last card
    call_multiple=2,  # S2-04
    lowest_qualifier=LOWEST_ACE_KING,  # S2-12
    wheel_is_straight=True,  # C6: the page does not say
    call_pays=(  # S2-14
        (Category.ROYAL_FLUSH, 200),
        (Category.STRAIGHT_FLUSH, 50),
        (Category.FOUR_OF_A_KIND, 20),
        (Category.FULL_HOUSE, 10),
        (Category.FLUSH, 6),
        (Category.STRAIGHT, 4),
        (Category.THREE_OF_A_KIND, 3),
        (Category.TWO_PAIR, 2),
        (Category.PAIR, 1),
        (Category.HIGH_CARD, 1),
    ),
    call_pays_unqualified=(  # S2-13: the second column; below a full house the call pushes
        (Category.ROYAL_FLUSH, 100),
        (Category.STRAIGHT_FLUSH, 25),
        (Category.FOUR_OF_A_KIND, 5),
        (Category.FULL_HOUSE, 3),
    ),
    side_kind=SideKind.PROGRESSIVE,
    side_timing=SideTiming.WITH_ANTE,  # S2-05, S2-06
    side_pays=(),
    side_bets_survive_fold=True,  # S2-07, S2-16, C25
    progressive=ProgressiveRules(
        stake_minor=50,  # S2-05
        prizes=(  # S2-21
            (Category.ROYAL_FLUSH, MeterPrize(1_000_000)),
            (Category.STRAIGHT_FLUSH, FixedPrize(125_000)),
            (Category.FOUR_OF_A_KIND, FixedPrize(25_000)),
            (Category.FULL_HOUSE, FixedPrize(2_500)),
            (Category.FLUSH, FixedPrize(1_500)),
            (Category.STRAIGHT, FixedPrize(300)),
            (Category.THREE_OF_A_KIND, FixedPrize(200)),
        ),
        preset_increment_rate=Rate(400_000),  # C20: our preset, the page states none
    ),
    payment_order=PaymentOrder.DESCENDING,  # S2-20: from the dealer's right to left
    below_min_policy=BelowMinPolicy.REJECT_AT_CLOSE,  # C10
    timeout_policy=TimeoutPolicy.BET_IF_PAIR_OR_BETTER,  # S2-10, S2-11
    chat=ChatPolicy.SYSTEM_ONLY,  # S2-02, C30
    ante_ranges=(AnteRange(50, 1_000), AnteRange(1_000, 10_000)),  # S2-03
)
