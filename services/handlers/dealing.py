"""The deal, from a shoe or from a studio's scanner (S0-05, S2-09, S3-11, S4-02)."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.cards import HAND_SIZE, check_distinct, parse_cards
from domain.dealing import dealer_cards, seat_cards
from domain.errors import Invalid
from domain.rounds import decider as rounds
from domain.rounds.commands import DealRound
from domain.rounds.events import Phase
from domain.rules import HandMode, RuleSet
from domain.tables import CardSource
from domain.variants import ruleset
from services.answers import DealAnswer
from services.commands import Deal
from services.desk import Desk
from services.opening import STUDIO, open_deck, seat_count


def deal(desk: Desk, command: Deal) -> DealAnswer:
    """Lay the cards. The up-card becomes public, a shared hand too; all else stays sealed."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, Phase.BETTING_CLOSED)
    rules = ruleset(round_.terms.ruleset)
    seats = _standing_seats(desk, command.round)
    deadline = desk.now + timedelta(seconds=round_.terms.decision_seconds)
    if round_.terms.card_source is CardSource.SHOE:
        order = _from_shoe(desk, command, rules, seats, deadline)
    else:
        order = _from_studio(desk, command, rules, seats, deadline)
    events = rounds.decide(order, round_)
    desk.post((desk.round_at(command.round), events))
    dealer: list[str | None] = [None] * HAND_SIZE
    dealer[rules.dealer_upcard_index] = order.up_card
    at = deadline.isoformat().replace("+00:00", "Z")
    phase = desk.round(command.round).phase.value
    return DealAnswer(command.round, phase, tuple(dealer), order.shared_cards or None, at)


def _standing_seats(desk: Desk, round_id: str) -> tuple[int, ...]:
    """Numbers of the seats that are in the deal, a side wager by itself too; none where one hand serves all."""
    found = [one.seat for one in desk.seats(round_id) if one.seat is not None and one.wagers]
    return tuple(sorted(found))


def _from_shoe(desk: Desk, command: Deal, rules: RuleSet, seats: tuple[int, ...], deadline: datetime) -> DealRound:
    if command.shared is not None or command.seats is not None or command.dealer is not None:
        raise Invalid("the shoe deals: name no cards", field="dealer" if command.dealer is not None else "seats")
    deck, _ = open_deck(desk.seals, desk.round(command.round))
    count = seat_count(rules)
    shared = seat_cards(deck, 1, count) if rules.hand_mode is HandMode.SHARED else ()
    up_card = dealer_cards(deck, count)[rules.dealer_upcard_index]
    return DealRound(up_card, shared, seats, None, deadline)


def _from_studio(desk: Desk, command: Deal, rules: RuleSet, seats: tuple[int, ...], deadline: datetime) -> DealRound:
    dealer = _dealer(command)
    shared, hands = _players(command, rules, seats)
    every = [*shared, *(card for hand in hands for card in hand), *dealer]
    check_distinct(every, "seats" if hands else "player")
    up_card = dealer[0] if len(dealer) == 1 else dealer[rules.dealer_upcard_index]
    hidden = [*(card for hand in hands for card in hand), *dealer]
    sealed = desk.seals.vault.seal_cards(hidden, desk.seals.context(command.round, STUDIO))
    return DealRound(up_card, shared, seats, sealed, deadline)


def _dealer(command: Deal) -> tuple[str, ...]:
    if command.dealer is None or len(command.dealer) not in (1, HAND_SIZE):
        raise Invalid("the studio names the dealer's up-card, or all five", field="dealer")
    return parse_cards(command.dealer, "dealer", len(command.dealer))


def _players(command: Deal, rules: RuleSet, seats: tuple[int, ...]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The shared hand, or the hand of each seat in the deal, in the order of the seats."""
    if rules.hand_mode is HandMode.SHARED:
        if command.shared is None or command.seats is not None:
            raise Invalid("one hand for all: the studio names player, not seats", field="player")
        return parse_cards(command.shared, "player", HAND_SIZE), []
    if command.seats is None or command.shared is not None:
        raise Invalid("the studio names the cards of each seat in seats", field="seats")
    given = dict(command.seats)
    if tuple(sorted(given)) != seats or len(given) != len(command.seats):
        wanted = ", ".join(map(str, seats)) or "none"
        raise Invalid(f"cards are needed for the seats that bet, which are: {wanted}", field="seats")
    return (), [parse_cards(given[seat], f"seats.{seat}", HAND_SIZE) for seat in seats]
