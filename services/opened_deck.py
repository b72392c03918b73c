"""Is an opened deck the one that was promised, and was it dealt by the published map? No database, no key (S0-03).

Two forms are read: that of the auditors' page (`commitment`, `table_seats`, `salt`, `deck`, `dealer`, `shared`,
`seats`), and a round as the API shows it after its end (`commitment`, `ruleset`, `cards`, `seats`).
"""

from __future__ import annotations

import json
from typing import Final

from domain.cards import DECK, HAND_SIZE, shown
from domain.dealing import MAX_SEATS, check_commitment, published_map
from domain.errors import Invalid
from domain.frozen import dataclass
from domain.rules import HandMode
from domain.variants import ruleset

_CARD_LENGTH: Final = 2


@dataclass(frozen=True, slots=True)
class Hand:
    """Five cards that were shown to somebody, and the index of the deck's first one that goes to him."""

    name: str
    place: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What a round promised and what it published in the end."""

    commitment: str
    salt: str
    deck: tuple[str, ...]
    seats: int
    """Seats of the map; 1 where all share a hand."""
    hands: tuple[Hand, ...]


def findings(opened: Opened) -> tuple[str, ...]:
    """What does not fit, in words; empty when all does. Invalid when salt or commitment are none."""
    found = []
    whole = sorted(opened.deck) == sorted(DECK)
    if not whole:
        check_commitment(opened.commitment, DECK, opened.salt)
        found.append("the deck is not the 52 cards")
    elif not check_commitment(opened.commitment, opened.deck, opened.salt):
        found.append("the commitment is not that of this deck and salt")
    turn = opened.seats + 1
    for hand in opened.hands:
        dealt = opened.deck[hand.place : HAND_SIZE * turn : turn]
        if hand.cards != dealt:
            found.append(f"{hand.name} had {' '.join(hand.cards)}, the deck says {' '.join(dealt)}")
    return tuple(found)


def read_opening(text: bytes, commitment: str | None = None) -> Opened:
    """The opening in a JSON object of either form; `commitment` is the one that somebody noted himself at the opening
    of the round. Invalid names the field that is wrong.
    """
    body = _object(text)
    cards = body.get("cards")
    if cards is None:
        seats = _seat_count(body)
        source, shared = body, _cards(body, "shared")
    elif isinstance(cards, dict):
        rules = ruleset(_text(body, "ruleset"))
        seats = 1 if rules.hand_mode is HandMode.SHARED else rules.seats or 1
        source, shared = cards, _cards(cards, "player") if seats == 1 else ()
    else:
        raise Invalid("cards: an object is needed", field="cards")
    hands = [Hand("the dealer", seats, _hand(_cards(source, "dealer"), "dealer"))]
    if shared:
        hands.append(Hand("the shared hand", 0, _hand(shared, "shared")))
    hands += _seats(body, seats)
    promised = _text(body, "commitment") if commitment is None else commitment
    return Opened(promised, _text(source, "salt"), _deck(source), seats, tuple(hands))


def _object(text: bytes) -> dict[str, object]:
    try:
        body: object = json.loads(text.decode("utf-8"), object_pairs_hook=_once)
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise Invalid("opening: not JSON in UTF-8", field="opening") from None
    if not isinstance(body, dict):
        raise Invalid("opening: a JSON object is needed", field="opening")
    return body


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise Invalid(f"{shown(name)}: the name stands twice", field=name)
        found[name] = value
    return found


def _seat_count(body: dict[str, object]) -> int:
    found = body.get("table_seats")
    if type(found) is not int or not 1 <= found <= MAX_SEATS:
        raise Invalid(f"table_seats: a number from 1 to {MAX_SEATS} is needed", field="table_seats")
    return found


def _seats(body: dict[str, object], seats: int) -> list[Hand]:
    """The hands that seats had; a shared one is nobody's own, and a seat that saw no card shows none."""
    listed = body.get("seats")
    if not isinstance(listed, list):
        raise Invalid("seats: a list is needed", field="seats")
    hands: list[Hand] = []
    for nth, one in enumerate(listed):
        where = f"seats[{nth}]"
        if not isinstance(one, dict):
            raise Invalid(f"{where}: an object is needed", field=where)
        number, shown_to_all = one.get("seat"), one.get("cards")
        if (isinstance(shown_to_all, list) and None in shown_to_all) or (seats == 1 and number is None):
            continue
        cards = _cards(one, "cards", f"{where}.")
        if not cards:
            continue
        if type(number) is not int or not 1 <= number <= seats:
            raise Invalid(f"{where}.seat: a number from 1 to {seats} is needed", field=f"{where}.seat")
        place = published_map(seats).seat(number)[0]
        hands.append(Hand(f"seat {number}", place, _hand(cards, f"{where}.cards")))
    return hands


def _hand(cards: tuple[str, ...], where: str) -> tuple[str, ...]:
    if len(cards) != HAND_SIZE:
        raise Invalid(f"{where}: {HAND_SIZE} cards are needed, {len(cards)} given", field=where)
    return cards


def _deck(body: dict[str, object]) -> tuple[str, ...]:
    cards = _cards(body, "deck")
    if len(cards) != len(DECK):
        raise Invalid(f"deck: {len(DECK)} cards are needed, {len(cards)} given", field="deck")
    return cards


def _cards(body: dict[str, object], name: str, where: str = "") -> tuple[str, ...]:
    found = body.get(name)
    if not isinstance(found, list) or any(not isinstance(one, str) or len(one) != _CARD_LENGTH for one in found):
        raise Invalid(f"{where}{name}: a list of cards is needed", field=where + name)
    return tuple(found)


def _text(body: dict[str, object], name: str) -> str:
    found = body.get(name)
    if not isinstance(found, str):
        raise Invalid(f"{name}: a text is needed", field=name)
    return found
