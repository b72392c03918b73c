"""Sealed cards are opened here, and handed to deciders in clear: `decide` never decrypts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.cards import HAND_SIZE, check_distinct, parse_cards
from domain.dealing import card_context, check_commitment, dealer_cards, seat_cards
from domain.errors import Invalid, Unavailable, WrongPhase
from domain.frozen import dataclass
from domain.rounds.decider import Round
from domain.rounds.events import OpenedCards, SeatCards
from domain.rounds.scans import LaidCard, MisreadCard, OpenScans, Place
from domain.rules import HandMode, RuleSet
from domain.tables import CardSource
from services.ports import Vault

DECK: Final = "deck"
"""What a sealed deck is sealed for."""

STUDIO: Final = "studio"
"""What a studio's cards are sealed for."""

_SCAN: Final = "scan"
"""What a single scanned card is sealed for, with its place."""


@dataclass(frozen=True, slots=True)
class Seals:
    """One operator's sealed cards, and the vault that opens them."""

    vault: Vault
    operator: str

    def context(self, round_id: str, purpose: str) -> str:
        """What the cards of a round are bound to."""
        return card_context(self.operator, round_id, purpose)


def seat_count(rules: RuleSet) -> int:
    """Hands dealt to players: one for all, or one for each seat of the rule set."""
    return 1 if rules.hand_mode is HandMode.SHARED else rules.seats or 1


def open_deck(seals: Seals, round_: Round) -> tuple[tuple[str, ...], str]:
    """The shuffled deck and its salt; Unavailable when it is not the one that was committed to."""
    if round_.sealed_deck is None or round_.commitment is None:
        raise WrongPhase("the round has no deck of its own", field="round")
    deck = seals.vault.open_deck(round_.sealed_deck, seals.context(round_.round, DECK))
    if not check_commitment(round_.commitment, deck.cards, deck.salt):
        raise Unavailable("the deck does not match its commitment; the round must be voided")
    return deck.cards, deck.salt.hex()


def open_all(seals: Seals, round_: Round, rules: RuleSet, studio_dealer: Sequence[str] | None) -> OpenedCards:
    """Every card of the round in clear. `studio_dealer` is what a live feed shows of the dealer at the end."""
    if round_.terms.card_source is CardSource.SHOE:
        if studio_dealer is not None:
            raise Invalid("the shoe knows the dealer's cards: leave dealer out", field="dealer")
        return _of_deck(seals, round_, rules)
    hidden = known_of_studio(seals, round_)
    dealer = _studio_dealer(rules, hidden.dealer, studio_dealer)
    every = [*hidden.shared, *(card for seat in hidden.seats for card in seat.cards), *dealer]
    check_distinct([*every, *_out_of_play(seals, round_, hidden.seats)], "dealer")
    return OpenedCards((), "", dealer, hidden.shared, hidden.seats)


def open_known(seals: Seals, round_: Round, rules: RuleSet) -> OpenedCards | None:
    """What there is to open before a showdown, for a void or a cancellation."""
    if round_.cards is not None:
        return round_.cards
    if round_.terms.card_source is CardSource.SHOE:
        return _of_deck(seals, round_, rules)
    return None if round_.dealt is None else known_of_studio(seals, round_)


def scan_purpose(place: Place) -> str:
    """What a single scanned card is sealed for: it opens at its own place only."""
    return f"{_SCAN}-{place.to}-{place.number}"


def laid_cards(seals: Seals, round_: Round) -> tuple[LaidCard, ...]:
    """The cards that a studio has scanned one by one, as they stand after corrections, in the order scanned."""
    return tuple(
        LaidCard(place.to, place.number, _open_scan(seals, round_, place, sealed)) for place, sealed in round_.scans
    )


def open_scans(seals: Seals, round_: Round) -> OpenScans:
    """All that was scanned one by one, for the moment in which cards become public."""
    if round_.scans_opened:
        return OpenScans((), ())
    misread = []
    for one in round_.misread:
        place = Place(one.to, one.number)
        read, card = (_open_scan(seals, round_, place, sealed) for sealed in (one.sealed_read, one.sealed_card))
        misread.append(MisreadCard(one.to, one.number, read, card, one.reason))
    return OpenScans(laid_cards(seals, round_), tuple(misread))


def open_for_the_end(seals: Seals, round_: Round, rules: RuleSet) -> tuple[OpenScans, OpenedCards | None]:
    """What a void or a cancellation shows of the cards. Money does not wait for cards that cannot be opened, for want
    of their key or because they are not those that were promised: they stay sealed, and the round shows none (S0-22).
    """
    try:
        return open_scans(seals, round_), open_known(seals, round_, rules)
    except Unavailable:
        return OpenScans((), ()), round_.cards


def _open_scan(seals: Seals, round_: Round, place: Place, sealed: str) -> str:
    (card,) = seals.vault.open_cards(sealed, seals.context(round_.round, scan_purpose(place)))
    return card


def _out_of_play(seals: Seals, round_: Round, playing: Sequence[SeatCards]) -> list[str]:
    """Single cards that lie at a seat whose bets were voided during the deal: nobody else can have them (S0-03)."""
    dealt = {str(one.seat) for one in playing}
    return [one.card for one in laid_cards(seals, round_) if one.to.isdigit() and one.to not in dealt]


def _of_deck(seals: Seals, round_: Round, rules: RuleSet) -> OpenedCards:
    deck, salt = open_deck(seals, round_)
    count = seat_count(rules)
    dealer = dealer_cards(deck, count)
    if rules.hand_mode is HandMode.SHARED:
        return OpenedCards(deck, salt, dealer, seat_cards(deck, 1, count), ())
    dealt = () if round_.dealt is None else round_.dealt.seats
    seats = tuple(SeatCards(seat, seat_cards(deck, seat, count)) for seat in dealt)
    return OpenedCards(deck, salt, dealer, (), seats)


def known_of_studio(seals: Seals, round_: Round) -> OpenedCards:
    """What a live feed has sent so far; of the dealer the up-card, or all five."""
    dealt = round_.dealt
    if dealt is None or dealt.sealed_cards is None:
        raise WrongPhase("no cards were dealt yet", field="round")
    cards = seals.vault.open_cards(dealt.sealed_cards, seals.context(round_.round, STUDIO))
    seats = tuple(
        SeatCards(seat, cards[HAND_SIZE * nth : HAND_SIZE * (nth + 1)]) for nth, seat in enumerate(dealt.seats)
    )
    return OpenedCards((), "", cards[HAND_SIZE * len(dealt.seats) :], dealt.shared_cards, seats)


def _studio_dealer(rules: RuleSet, known: tuple[str, ...], told: Sequence[str] | None) -> tuple[str, ...]:
    """The dealer's five cards in the order dealt: known since the deal, or told now (all five, or the other four)."""
    if len(known) == HAND_SIZE:
        if told is not None:
            raise Invalid("the dealer's cards were given with the deal: leave dealer out", field="dealer")
        return known
    if told is None:
        raise Invalid("the studio names the dealer's other cards", field="dealer")
    up, index = known[0], rules.dealer_upcard_index
    if len(told) == HAND_SIZE - 1:
        told = (*told[:index], up, *told[index:])
    five = parse_cards(told, "dealer", HAND_SIZE)
    if five[index] != up:
        raise Invalid(f"the up-card {up} is the dealer's card number {index + 1}", field="dealer")
    return five
