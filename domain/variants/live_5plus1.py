"""`live-5plus1-v1`: the live-dealer table with the 5+1 BONUS (page 000)."""

from __future__ import annotations

from typing import Final

from domain.hands import Category
from domain.rules import (
    LOWEST_ACE_KING,
    BelowMinPolicy,
    ChatPolicy,
    HandMode,
    PaymentOrder,
    PublishedReturn,
    RuleSet,
    SideKind,
    SideTiming,
    TimeoutPolicy,
)

LIVE_5PLUS1: Final = RuleSet(
    name="live-5plus1-v1",
    source="Live-dealer Caribbean Stud Poker with 5+1 BONUS, game rules (page 000)",
    hand_mode=HandMode.SHARED,  # S0-02, S0-05
    seats=None,  # S0-02: unlimited
    currency=None,
    dealer_upcard_index=0,  # S0-05: the dealer's first card
    call_multiple=2,  # S0-06
    lowest_qualifier=LOWEST_ACE_KING,  # S0-15
    wheel_is_straight=True,  # S0-13
    call_pays=(  # S0-20; a high card that wins is paid too (C4)
        (Category.ROYAL_FLUSH, 100),
        (Category.STRAIGHT_FLUSH, 50),
        (Category.FOUR_OF_A_KIND, 25),
        (Category.FULL_HOUSE, 10),
        (Category.FLUSH, 7),
        (Category.STRAIGHT, 5),
        (Category.THREE_OF_A_KIND, 3),
        (Category.TWO_PAIR, 2),
        (Category.PAIR, 1),
        (Category.HIGH_CARD, 1),
    ),
    call_pays_unqualified=(),  # S0-16: the call pushes
    side_kind=SideKind.FIVE_PLUS_ONE,  # S0-08
    side_timing=SideTiming.WITH_OR_AFTER_ANTE,  # S0-09
    side_pays=(  # S0-21
        (Category.ROYAL_FLUSH, 1000),
        (Category.STRAIGHT_FLUSH, 200),
        (Category.FOUR_OF_A_KIND, 100),
        (Category.FULL_HOUSE, 20),
        (Category.FLUSH, 15),
        (Category.STRAIGHT, 10),
        (Category.THREE_OF_A_KIND, 7),
    ),
    side_bets_survive_fold=True,  # S0-11, C3
    progressive=None,
    payment_order=PaymentOrder.ASCENDING,
    below_min_policy=BelowMinPolicy.REJECT_AT_CLOSE,  # S0-26
    timeout_policy=TimeoutPolicy.FOLD,  # S0-38
    chat=ChatPolicy.ON,  # S0-39
    returns=(  # S0-23, C31
        PublishedReturn(9630, "ante"),
        PublishedReturn(9819, "total wager"),
        PublishedReturn(9144, "5+1 bonus"),
    ),
)
