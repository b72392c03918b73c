"""Hands made to order, none of which share a card: seat n plays in its own suit, from the five upward.

seat      1 clubs   2 diamonds   3 hearts   (spades of 6, 7 and 8 where a hand is not suited)
dealer    the other spades, and low cards
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.cards import DECK
from domain.dealing import published_map

SUITS = "cdh"

ROYAL = "ROYAL_FLUSH"
STRAIGHT_FLUSH = "STRAIGHT_FLUSH"
FLUSH = "FLUSH"
STRAIGHT = "STRAIGHT"
PAIR = "PAIR"
HIGH = "HIGH_CARD"
KINDS = (ROYAL, STRAIGHT_FLUSH, FLUSH, STRAIGHT, PAIR, HIGH)

ACE_KING = "As Ks 4c 3d 2h"
"""Plays, and beats a high card that is no ace-king."""
QUEEN_HIGH = "Qs Js 4c 3d 2h"
"""Does not play."""
FOURS = "4c 4d 4h 4s 2s"
"""Plays, and beats all but the two best hands."""
DEALERS = (ACE_KING, QUEEN_HIGH, FOURS)


def hand(kind: str, seat: int = 1) -> str:
    """A hand of the kind for seat 1, 2 or 3."""
    own, spade = SUITS[seat - 1], f"{5 + seat}s"
    suited = {ROYAL: "AKQJT", STRAIGHT_FLUSH: "98765", FLUSH: "AQ975"}
    if kind in suited:
        return " ".join(rank + own for rank in suited[kind])
    if kind == STRAIGHT:
        ranks = [rank for rank in "98765" if rank != spade[0]]
    else:
        ranks = [*"AQ9", spade[0] if kind == PAIR else "J"]
    return " ".join([*(rank + own for rank in ranks), spade])


def cards(text: str) -> tuple[str, ...]:
    """ "As Kd" as two cards."""
    return tuple(text.split())


def deck(seats: int, hands: Mapping[int, str], dealer: str) -> tuple[str, ...]:
    """A deck that deals these hands at a table of so many seats; a table with one hand for all has seat 1."""
    places = published_map(seats)
    found: dict[int, str] = dict(zip(places.dealer, cards(dealer), strict=True))
    for seat, text in hands.items():
        found.update(zip(places.seat(seat), cards(text), strict=True))
    rest = iter([card for card in DECK if card not in found.values()])
    return tuple(found.get(index) or next(rest) for index in range(len(DECK)))


def feed(hands: Mapping[int, str]) -> Sequence[tuple[int, tuple[str, ...]]]:
    """The hands as a studio's scanner sends them."""
    return tuple((seat, cards(text)) for seat, text in sorted(hands.items()))
