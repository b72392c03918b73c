"""Cards laid on the table: what of them is public stands in clear, all else sealed (S0-05, S2-09, S3-11, S4-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from domain.cards import HAND_SIZE, check_distinct
from domain.rounds import decider as rounds
from domain.rounds.commands import DealRound
from domain.rounds.state import Round
from domain.variants import ruleset
from services.answers import DealAnswer
from services.desk import Desk
from services.opening import STUDIO


def standing_seats(desk: Desk, round_id: str) -> tuple[int, ...]:
    """Numbers of the seats that are in the deal, a side wager by itself too; none where one hand serves all."""
    found = [one.seat for one in desk.seats(round_id) if one.seat is not None and one.wagers]
    return tuple(sorted(found))


def lay_from_studio(
    desk: Desk, round_: Round, shared: tuple[str, ...], hands: Mapping[int, Sequence[str]], dealer: Sequence[str]
) -> DealAnswer:
    """Lay what a studio named: the hand for all or those of the seats in the deal; the dealer's up-card or five."""
    seats = tuple(sorted(hands))
    of_seats = [card for seat in seats for card in hands[seat]]
    check_distinct([*shared, *of_seats, *dealer], "seats" if hands else "player")
    up_card = dealer[0] if len(dealer) == 1 else dealer[ruleset(round_.terms.ruleset).dealer_upcard_index]
    context = desk.seals.context(round_.round, STUDIO)
    sealed = desk.seals.vault.seal_cards([*of_seats, *dealer], context)
    return lay(desk, round_, up_card, shared, seats=seats, sealed=sealed)


def lay(
    desk: Desk, round_: Round, up_card: str, shared: tuple[str, ...], *, seats: tuple[int, ...], sealed: str | None
) -> DealAnswer:
    """The deal is over; the time to decide begins."""
    deadline = desk.now + timedelta(seconds=round_.terms.decision_seconds)
    events = rounds.decide(DealRound(up_card, shared, seats, sealed, deadline), desk.find_round(round_.round))
    desk.post((desk.round_at(round_.round), events))
    dealer: list[str | None] = [None] * HAND_SIZE
    dealer[ruleset(round_.terms.ruleset).dealer_upcard_index] = up_card
    at = deadline.isoformat().replace("+00:00", "Z")
    phase = desk.round(round_.round).phase.value
    return DealAnswer(round_.round, phase, tuple(dealer), shared or None, at)
