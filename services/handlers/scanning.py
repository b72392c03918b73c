"""Cards of a live table as a studio scans them, one by one; the last of them deals (S2-09)."""

from __future__ import annotations

from domain.errors import Invalid, WrongPhase
from domain.rounds import decider as rounds
from domain.rounds import scans
from domain.rounds.scans import DEALER, PLAYER, LaidCard, Place
from domain.rounds.state import Round
from domain.rules import HandMode
from domain.tables import CardSource
from domain.variants import ruleset
from services.answers import DealAnswer, NextCard, ScanAnswer
from services.commands import CorrectScan, Deal, ScanCard
from services.desk import Desk
from services.handlers.laying import lay_from_studio, standing_seats
from services.opening import laid_cards, open_scans, scan_purpose

Orders = tuple[tuple[Place, ...], ...]


def scan(desk: Desk, command: ScanCard) -> ScanAnswer:
    """Take the next card. With the last one the round is dealt, unless the studio holds the deal back."""
    round_ = _live_round(desk, command.round)
    rounds.check_scanning(round_)
    place, orders = _place(round_, command.to, command.number), orders_of(desk, round_)
    sealed = _sealed(desk, round_.round, place, command.card)
    order = scans.ScanCard(place, command.card, sealed, laid_cards(desk.seals, round_), orders)
    desk.post((desk.round_at(round_.round), rounds.decide(order, round_)))
    laid = (*order.laid, LaidCard(place.to, place.number, command.card))
    is_over = scans.is_whole(laid, orders) and not command.hold
    deadline = _deal(desk, round_, laid).deadline if is_over else None
    return _answer(desk, round_.round, place, scans.next_places(laid, orders), laid=len(laid), deadline=deadline)


def correct(desk: Desk, command: CorrectScan) -> ScanAnswer:
    """Put a misread card right while the deal is not over; what was read stays on record."""
    round_ = _live_round(desk, command.round)
    rounds.check_scanning(round_)
    place, opened = _place(round_, command.to, command.number), open_scans(desk.seals, round_)
    sealed, laid = _sealed(desk, round_.round, place, command.card), opened.cards
    order = scans.CorrectScan(place, command.card, sealed, laid, opened.misread, command.reason)
    desk.post((desk.round_at(round_.round), rounds.decide(order, round_)))
    wanted = scans.next_places(laid, orders_of(desk, round_))
    return _answer(desk, round_.round, place, wanted, laid=len(laid), deadline=None)


def confirm(desk: Desk, command: Deal) -> DealAnswer:
    """Deal what was scanned card by card and held back; WrongPhase while cards are missing."""
    if command.shared is not None or command.seats is not None or command.dealer is not None:
        raise Invalid("the cards were scanned one by one: name none to confirm them", field="dealer")
    round_ = desk.round(command.round)
    laid, orders = laid_cards(desk.seals, round_), orders_of(desk, round_)
    if not scans.is_whole(laid, orders):
        wanted = " or ".join(map(str, scans.next_places(laid, orders)))
        raise WrongPhase(f"cards are missing, the next is {wanted}", field="round")
    return _deal(desk, round_, laid)


def orders_of(desk: Desk, round_: Round) -> Orders:
    """In which orders the cards of this round may come. A seat that a void emptied goes on if it has a card."""
    rules = ruleset(round_.terms.ruleset)
    begun = {int(place.to) for place, _ in round_.scans if place.to.isdigit()}
    seats = begun.union(standing_seats(desk, round_.round))
    shared = rules.hand_mode is HandMode.SHARED
    return scans.deal_orders(seats, shared=shared, upcard_index=rules.dealer_upcard_index)


def _live_round(desk: Desk, round_id: str) -> Round:
    round_ = desk.round(round_id)
    if round_.terms.card_source is CardSource.SHOE:
        raise Invalid("the shoe deals: no card is scanned", field="card")
    return round_


def _place(round_: Round, to: str, number: int) -> Place:
    rules = ruleset(round_.terms.ruleset)
    seats = {str(seat) for seat in range(1, (rules.seats or 0) + 1)}
    known = {DEALER, PLAYER} if rules.hand_mode is HandMode.SHARED else {DEALER, *seats}
    if to not in known:
        raise Invalid(f"a card of {rules.name} goes to one of: {', '.join(sorted(known))}", field="to")
    return Place(to, number)


def _sealed(desk: Desk, round_id: str, place: Place, card: str) -> str:
    return desk.seals.vault.seal_cards((card,), desk.seals.context(round_id, scan_purpose(place)))


def _deal(desk: Desk, round_: Round, laid: tuple[LaidCard, ...]) -> DealAnswer:
    """The same deal as of whole hands: of the seats that stand; a seat that a void emptied has no part in it."""
    hands = {seat: _hand(laid, str(seat)) for seat in standing_seats(desk, round_.round)}
    return lay_from_studio(desk, round_, _hand(laid, PLAYER), hands, _hand(laid, DEALER))


def _hand(laid: tuple[LaidCard, ...], to: str) -> tuple[str, ...]:
    return tuple(one.card for one in laid if one.to == to)


def _answer(
    desk: Desk, round_id: str, place: Place, wanted: tuple[Place, ...], *, laid: int, deadline: str | None
) -> ScanAnswer:
    """Nothing in it says which card it was: the answer is kept for whoever sends the request again (F32)."""
    phase = desk.round(round_id).phase.value
    following = tuple(NextCard(one.to, one.number) for one in wanted)
    return ScanAnswer(round_id, phase, place.to, place.number, laid, following, deadline)
