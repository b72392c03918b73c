"""Helpers of the rule tests: hands as people write them."""

from __future__ import annotations

from domain.cards import parse_cards
from domain.hands import Category, Hand, rank_five
from domain.settlement import Decision, SeatResult, Stakes, settle_seat
from domain.variants import ruleset

LIVE = "live-5plus1-v1"
EURO = "euro-progressive-v1"
DOLLAR = "dollar-jackpot-v1"
LAND = "land-progressive-v1"

HANDS: dict[Category, str] = {
    Category.ROYAL_FLUSH: "Ah Kh Qh Jh Th",
    Category.STRAIGHT_FLUSH: "9c 8c 7c 6c 5c",
    Category.FOUR_OF_A_KIND: "8c 8d 8h 8s 3d",
    Category.FULL_HOUSE: "Tc Td Th 6s 6d",
    Category.FLUSH: "Qd Td 8d 7d 3d",
    Category.STRAIGHT: "9c 8d 7h 6s 5d",
    Category.THREE_OF_A_KIND: "Jc Jd Jh 8s 3d",
    Category.TWO_PAIR: "Jc Jd 8h 8s 3d",
    Category.PAIR: "3h 3d Js 8c 5d",
    Category.HIGH_CARD: "Ah Kh Qc 9s 5d",
}
"""One hand of each category, none of which holds a card of the two dealers below."""

DEALER_ACE_KING = "As Kc 4c 3s 2h"
"""The lowest dealer's hand that plays."""

DEALER_ACE_QUEEN = "Ac Qs Js 9d 2s"
"""A dealer's hand that does not play."""


def cards(text: str) -> tuple[str, ...]:
    """The cards of a text such as `"As Kd"`."""
    return parse_cards(text.split(), "cards")


def hand(text: str) -> Hand:
    """The ranked hand of five cards."""
    return rank_five(cards(text))


def called(name: str, player: str, dealer: str, ante: int = 100) -> SeatResult:
    """The result of a seat that called under the rule set of that name, without a side wager."""
    return settle_seat(ruleset(name), cards(player), cards(dealer), Stakes(ante), Decision.CALL)
