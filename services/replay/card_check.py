"""The cards of a round: those opened are those dealt, committed to and scanned."""

from __future__ import annotations

from domain.cards import HAND_SIZE
from domain.dealing import check_commitment, dealer_cards, seat_cards
from domain.errors import Refusal
from domain.rounds.events import Dealt, OpenedCards, RoundOpened
from domain.rounds.scans import DEALER, PLAYER, ScansOpened
from domain.rules import HandMode, RuleSet
from services.ports import Recorded
from services.replay.sheet import Place, Sheet


class CardCheck:
    """Told in order what was dealt, scanned and opened."""

    def __init__(self, sheet: Sheet, opened: RoundOpened, rules: RuleSet) -> None:
        self._sheet = sheet
        self._commitment = opened.commitment
        self._up = rules.dealer_upcard_index
        self._hands = 1 if rules.hand_mode is HandMode.SHARED else rules.seats or 1
        self._dealt: Dealt | None = None
        self._scans: ScansOpened | None = None

    def dealt(self, _: Recorded, event: Dealt) -> None:
        """What was public from here on."""
        self._dealt = event

    def scans_opened(self, _: Recorded, event: ScansOpened) -> None:
        """What the studio had scanned card by card."""
        self._scans = event

    def opened(self, one: Recorded, cards: OpenedCards, *, is_dealt: bool) -> None:
        """All cards in clear; `is_dealt` where they are those on the table, not corrected ones."""
        at = Place(one.position)
        hands = [cards.shared, *(of.cards for of in cards.seats), cards.dealer]
        laid = [card for hand in hands for card in hand]
        self._sheet.compare(at, "CARDS", "different cards", len(laid), len(set(laid)))
        if not is_dealt:
            return
        if cards.deck:
            self._same_deck(at, cards)
        if self._dealt is not None and cards.dealer:
            up = cards.dealer[self._up if len(cards.dealer) == HAND_SIZE else 0]  # a studio may name the up-card alone
            self._sheet.compare(at, "CARDS", "the dealer's up-card", self._dealt.up_card, up)
            self._sheet.compare(at, "CARDS", "the hand for all", _text(self._dealt.shared_cards), _text(cards.shared))
        if self._scans is not None:
            self._same_scans(at, cards, self._scans)

    def _same_deck(self, at: Place, cards: OpenedCards) -> None:
        try:
            kept = self._commitment is not None and check_commitment(self._commitment, cards.deck, cards.salt)
        except Refusal:
            kept = False
        self._sheet.compare(at, "CARDS", "the deck is the one committed to", True, kept)
        if not kept:
            return
        compare = self._sheet.compare
        if cards.dealer:
            compare(at, "CARDS", "dealer", _text(dealer_cards(cards.deck, self._hands)), _text(cards.dealer))
        if cards.shared:
            compare(at, "CARDS", "the hand for all", _text(seat_cards(cards.deck, 1, 1)), _text(cards.shared))
        for of in cards.seats:
            expected = _text(seat_cards(cards.deck, of.seat, self._hands))
            compare(Place(at.position, None, of.seat), "CARDS", "cards of the seat", expected, _text(of.cards))

    def _same_scans(self, at: Place, cards: OpenedCards, scans: ScansOpened) -> None:
        hands = {str(of.seat): of.cards for of in cards.seats} | {PLAYER: cards.shared, DEALER: cards.dealer}
        for laid in scans.cards:
            hand = hands.get(laid.to, ())
            if len(hand) == HAND_SIZE:
                self._sheet.compare(at, "CARDS", f"scanned: {laid.place}", laid.card, hand[laid.number - 1])


def _text(cards: tuple[str, ...]) -> str:
    return " ".join(cards)
