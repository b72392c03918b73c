"""The deal, from a shoe or from a studio's scanner (S0-05, S2-09, S3-11, S4-02)."""

from __future__ import annotations

from domain.cards import HAND_SIZE, parse_cards
from domain.dealing import dealer_cards, seat_cards
from domain.errors import Invalid
from domain.rounds import decider as rounds
from domain.rounds.events import Phase
from domain.rounds.state import Round
from domain.rules import HandMode, RuleSet
from domain.tables import CardSource
from domain.variants import ruleset
from services.answers import DealAnswer
from services.commands import Deal
from services.desk import Desk
from services.handlers.laying import lay, lay_from_studio, standing_seats
from services.handlers.scanning import confirm
from services.opening import open_deck, seat_count


def deal(desk: Desk, command: Deal) -> DealAnswer:
    """Lay the cards. The up-card becomes public, a shared hand too; all else stays sealed."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.BETTING_CLOSED)
    rules = ruleset(round_.terms.ruleset)
    if round_.terms.card_source is CardSource.SHOE:
        return _from_shoe(desk, command, round_, rules)
    if round_.scans:
        return confirm(desk, command)
    dealer = _dealer(command)
    shared, hands = _players(command, rules, standing_seats(desk, command.round))
    return lay_from_studio(desk, round_, shared, hands, dealer)


def _from_shoe(desk: Desk, command: Deal, round_: Round, rules: RuleSet) -> DealAnswer:
    if command.shared is not None or command.seats is not None or command.dealer is not None:
        raise Invalid("the shoe deals: name no cards", field="dealer" if command.dealer is not None else "seats")
    deck, _ = open_deck(desk.seals, round_)
    count = seat_count(rules)
    shared = seat_cards(deck, 1, count) if rules.hand_mode is HandMode.SHARED else ()
    up_card = dealer_cards(deck, count)[rules.dealer_upcard_index]
    return lay(desk, round_, up_card, shared, seats=standing_seats(desk, command.round), sealed=None)


def _dealer(command: Deal) -> tuple[str, ...]:
    if command.dealer is None or len(command.dealer) not in (1, HAND_SIZE):
        raise Invalid("the studio names the dealer's up-card, or all five", field="dealer")
    return parse_cards(command.dealer, "dealer", len(command.dealer))


def _players(
    command: Deal, rules: RuleSet, seats: tuple[int, ...]
) -> tuple[tuple[str, ...], dict[int, tuple[str, ...]]]:
    """The shared hand, or the hand of each seat in the deal."""
    if rules.hand_mode is HandMode.SHARED:
        if command.shared is None or command.seats is not None:
            raise Invalid("one hand for all: the studio names player, not seats", field="player")
        return parse_cards(command.shared, "player", HAND_SIZE), {}
    if command.seats is None or command.shared is not None:
        raise Invalid("the studio names the cards of each seat in seats", field="seats")
    given = dict(command.seats)
    if tuple(sorted(given)) != seats or len(given) != len(command.seats):
        wanted = ", ".join(map(str, seats)) or "none"
        raise Invalid(f"cards are needed for the seats that bet, which are: {wanted}", field="seats")
    return (), {seat: parse_cards(given[seat], f"seats.{seat}", HAND_SIZE) for seat in seats}
