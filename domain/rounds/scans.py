"""Cards that a studio scans one by one: what happened, in which order they fall, and what is refused (S2-09).

A card goes to a `to`: a seat's number as text, `player` for the hand of all, or `dealer`; `number` counts its cards
from 1 to 5 as they are dealt. Until the showdown or a void opens them all scanned cards stand sealed, the public ones
too: they become public with the deal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from domain.cards import HAND_SIZE, parse_cards
from domain.errors import CardOutOfPlace, DuplicateCard, Invalid, NotFound
from domain.frozen import dataclass

DEALER: Final = "dealer"
"""Where the dealer's cards go."""

PLAYER: Final = "player"
"""Where the cards of the one hand for all go."""


@dataclass(frozen=True, slots=True)
class Place:
    """One card's place on the table."""

    to: str
    number: int

    def __str__(self) -> str:
        hand = f"seat {self.to}" if self.to.isdigit() else self.to
        return f"{hand} card {self.number}"


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card in clear and its place."""

    to: str
    number: int
    card: str

    @property
    def place(self) -> Place:
        """Where it lies."""
        return Place(self.to, self.number)


@dataclass(frozen=True, slots=True)
class MisreadCard:
    """What the scanner had read at a place, and the card that lay there."""

    to: str
    number: int
    read: str
    card: str
    reason: str


@dataclass(frozen=True, slots=True)
class CardScanned:
    """A studio's scanner read the next card of the deal; it stands sealed (S2-09, F32)."""

    round: str
    to: str
    number: int
    sealed_card: str


@dataclass(frozen=True, slots=True)
class ScanCorrected:
    """A card was misread, and put right before the deal was over: the card that lies there counts, not the scan.

    Who did it is the event's actor; the card read and the right one stand sealed until all cards are opened.
    """

    round: str
    to: str
    number: int
    sealed_read: str
    sealed_card: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScansOpened:
    """All cards that were scanned one by one, in the order of the deal, and the misread ones, in clear."""

    round: str
    cards: tuple[LaidCard, ...]
    misread: tuple[MisreadCard, ...]


@dataclass(frozen=True, slots=True)
class ScanCard:
    """Take the next card. `laid` are the cards scanned before it, `orders` those in which the deal may go."""

    place: Place
    card: str
    sealed_card: str
    laid: tuple[LaidCard, ...]
    orders: tuple[tuple[Place, ...], ...]


@dataclass(frozen=True, slots=True)
class CorrectScan:
    """Put a misread card right. `laid` are all cards scanned until now, `misread` those put right before."""

    place: Place
    card: str
    sealed_card: str
    laid: tuple[LaidCard, ...]
    misread: tuple[MisreadCard, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class OpenScans:
    """Show what was scanned; nothing where no card was, or where it was done before."""

    cards: tuple[LaidCard, ...]
    misread: tuple[MisreadCard, ...]


def deal_orders(seats: Collection[int], *, shared: bool, upcard_index: int) -> tuple[tuple[Place, ...], ...]:
    """The orders in which a deal may be scanned: with all of the dealer's cards, or with the up-card alone.

    One card at a time from the dealer's left to the right, the dealer last in each turn (S2-09). A studio that does
    not scan what lies face down leaves out all four of the dealer's down cards, and names them at the settlement.
    """
    hands = [PLAYER] if shared else [str(seat) for seat in sorted(seats)]
    turns = range(1, HAND_SIZE + 1)
    every = tuple(Place(to, number) for number in turns for to in (*hands, DEALER))
    up = Place(DEALER, upcard_index + 1)
    return every, tuple(one for one in every if one.to != DEALER or one == up)


def next_places(laid: Sequence[LaidCard], orders: Sequence[Sequence[Place]]) -> tuple[Place, ...]:
    """Where the next card may fall; none when all lie."""
    until_now = [one.place for one in laid]
    if is_whole(laid, orders):
        return ()
    count = len(until_now)
    found = [one[count] for one in orders if list(one[:count]) == until_now and len(one) > count]
    return tuple(dict.fromkeys(found))


def is_whole(laid: Sequence[LaidCard], orders: Sequence[Sequence[Place]]) -> bool:
    """Whether the deal is complete."""
    return any([one.place for one in laid] == list(order) for order in orders)


def scanned(command: ScanCard, round_id: str) -> CardScanned:
    """The card at its place. Raises CardOutOfPlace, Invalid for what is no card, DuplicateCard."""
    wanted = next_places(command.laid, command.orders)
    if command.place not in wanted:
        then = " or ".join(map(str, wanted)) or "none: all cards lie, confirm the deal"
        raise CardOutOfPlace(f"{command.place} is not the next card, that is {then}", field="number")
    _check_card(command.card, [one.card for one in command.laid])
    return CardScanned(round_id, command.place.to, command.place.number, command.sealed_card)


def corrected(command: CorrectScan, round_id: str, sealed_read: str | None) -> ScanCorrected:
    """The right card in the place of the one that was read. Raises NotFound, Invalid, DuplicateCard."""
    read = next((one.card for one in command.laid if one.place == command.place), None)
    if read is None or sealed_read is None:
        raise NotFound(f"{command.place} is not scanned yet", field="number")
    if read == command.card:
        raise Invalid("this is the card that was read", field="card")
    _check_card(command.card, [one.card for one in command.laid if one.place != command.place])
    hidden = {command.card, *(one.card for one in command.laid), *(one.read for one in command.misread)}
    if any(_is_named(card, command.reason) for card in hidden):
        raise Invalid("the reason is read before the cards are: name none in it", field="reason")
    place = command.place
    return ScanCorrected(round_id, place.to, place.number, sealed_read, command.sealed_card, command.reason)


def _is_named(card: str, reason: str) -> bool:
    """Whether `reason` holds the card, but for the start of a longer word or the end of a number ("Assured", "25s")."""
    return re.search(rf"(?<!\d){card}(?![a-z])", reason) is not None


def _check_card(card: str, others: Collection[str]) -> None:
    parse_cards((card,), "card", 1)
    if card in others:
        raise DuplicateCard(f"{card} lies twice, one deck has it once", field="card")
