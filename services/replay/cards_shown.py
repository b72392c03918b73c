"""Cards as they became visible, step by step, and to whom; those that are not public yet stay None (F32).

A card that is public today is told in the steps of its past as well: a replay of a round after its showdown tells what
each player saw at the deal, a replay before it shows what everybody may see now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.cards import HAND_SIZE
from domain.frozen import dataclass
from domain.rounds.events import (
    CardsCorrected,
    Dealt,
    OpenedCards,
    RoundCancelled,
    RoundVoided,
    ShowdownHeld,
)
from domain.rounds.scans import DEALER, PLAYER, CardScanned, ScanCorrected, ScansOpened
from domain.variants import ruleset
from services.replay.story import RoundStory

ALL: Final = "ALL"
"""Everybody at the table."""

STUDIO: Final = "STUDIO"
"""The studio's scanner, and nobody else."""

_HIDDEN: Final = (None,) * HAND_SIZE

Card = str | None


@dataclass(frozen=True, slots=True)
class ShownCards:
    """Cards that became visible with a step. `to` is ALL, STUDIO or a player; `hand` is `dealer`, `player` (the one
    for all) or `seat 3`.
    """

    to: str
    hand: str
    cards: tuple[Card, ...]


class Table:
    """The cards of one round: which are public now, and who sits where."""

    def __init__(self, story: RoundStory) -> None:
        self._up = ruleset(story.opened.terms.ruleset).dealer_upcard_index
        self._dealt_cards = _first_opened(story)
        self._scans = story.last_of(ScansOpened)
        self._corrections = 0
        self._players: Mapping[int, str] = {}

    def sit(self, players: Mapping[int, str]) -> None:
        """Who holds which seat from here on."""
        self._players = players

    def shown(self, event: object) -> tuple[ShownCards, ...]:
        """What becomes visible with an event of the round."""
        match event:
            case Dealt():
                return self._dealt(event)
            case ShowdownHeld() | CardsCorrected():
                return _all_of(event.cards)
            case RoundVoided() | RoundCancelled() if event.cards is not None:
                return _all_of(event.cards)
            case CardScanned():
                return (ShownCards(STUDIO, _hand(event.to), (self._scanned(event.to, event.number),)),)
            case ScanCorrected():
                read, card = self._misread()
                return (ShownCards(STUDIO, _hand(event.to), (read, card)),)
            case _:
                return ()

    def _dealt(self, event: Dealt) -> tuple[ShownCards, ...]:
        dealer: list[Card] = [None] * HAND_SIZE
        dealer[self._up] = event.up_card
        shown = [ShownCards(ALL, DEALER, tuple(dealer))]
        if event.shared_cards:
            shown.append(ShownCards(ALL, PLAYER, event.shared_cards))
        known = {} if self._dealt_cards is None else {of.seat: of.cards for of in self._dealt_cards.seats}
        for seat in event.seats:
            if seat in self._players:
                shown.append(ShownCards(self._players[seat], _hand(str(seat)), known.get(seat, _HIDDEN)))
        return tuple(shown)

    def _scanned(self, to: str, number: int) -> Card:
        """What the scanner read there first; a card that was put right later was another."""
        if self._scans is None:
            return None
        for misread in self._scans.misread:
            if (misread.to, misread.number) == (to, number):
                return misread.read
        return next((one.card for one in self._scans.cards if (one.to, one.number) == (to, number)), None)

    def _misread(self) -> tuple[Card, Card]:
        """The next correction: the card that was read, and the one that lay there."""
        nth, self._corrections = self._corrections, self._corrections + 1
        if self._scans is None or nth >= len(self._scans.misread):
            return None, None
        return self._scans.misread[nth].read, self._scans.misread[nth].card


def _first_opened(story: RoundStory) -> OpenedCards | None:
    """The cards that were dealt, where they are public by now."""
    for one in story.recorded:
        match one.event:
            case ShowdownHeld(cards=cards):
                return cards
            case RoundVoided(cards=cards) | RoundCancelled(cards=cards) if cards is not None:
                return cards
    return None


def _all_of(cards: OpenedCards) -> tuple[ShownCards, ...]:
    shown = [ShownCards(ALL, _hand(str(of.seat)), of.cards) for of in cards.seats]
    if cards.shared:
        shown.insert(0, ShownCards(ALL, PLAYER, cards.shared))
    return (ShownCards(ALL, DEALER, cards.dealer), *shown) if cards.dealer else tuple(shown)


def _hand(to: str) -> str:
    return f"seat {to}" if to.isdigit() else to
