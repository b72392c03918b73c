"""A player's own view of a round: the one answer that shows a seat's cards before showdown (S0-36, S2-02)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from domain.changing import replace
from domain.errors import NotFound
from domain.frozen import dataclass
from domain.hands import rank_five
from domain.ids import round_stream, seat_stream
from domain.rounds.decider import Round
from domain.rounds.events import Phase
from domain.rounds.notices import TEXTS, notice_of
from domain.rules import HandMode, RuleSet
from domain.seats.decider import Seat
from domain.seats.events import SeatDecided
from domain.streams import State, evolve
from domain.variants import ruleset
from domain.views.model import time_text
from domain.views.rounds import ROUNDS
from services.answers import WagerLine
from services.opening import Seals, open_known
from services.ports import Recorded, Vault
from services.queries.reads import Reads
from services.queries.shown import shown_phase


@dataclass(frozen=True, slots=True)
class RoundMessage:
    """What the player is told of the round: that an error is investigated, and what came of it (S0-46)."""

    at: str
    notice: str
    text: str
    position: int


@dataclass(frozen=True, slots=True)
class OwnView:
    """What the player sees: the own cards and hand from the deal on, the dealer's card that is up, the deadline."""

    round: str
    player: str
    seat: int | None
    phase: str
    cards: tuple[str, ...] | None
    hand: str | None
    dealer: tuple[str | None, ...]
    wagers: tuple[WagerLine, ...]
    total_bet: int
    decision: str | None
    decided_by: str | None
    deadline: str | None
    messages: tuple[RoundMessage, ...]
    position: int


async def own_view(
    reads: Reads, vault: Vault, operator: str, round_id: str, player: str, *, min_position: int | None = None
) -> OwnView:
    """Read from the events themselves, so it is never behind. Raises NotFound, Unavailable."""
    at_round, at_seat = round_stream(operator, round_id), seat_stream(operator, round_id, player)
    states: dict[str, State | None] = {at_round: None, at_seat: None}
    position = 0
    models = () if min_position is None else {ROUNDS.name}
    async with reads.views.reading(operator, models, min_position) as snapshot:
        found = await snapshot.events_of([at_round], at_seat, ())
    decided_by: str | None = None
    for _, one in found:
        if one.stream in states:
            states[one.stream] = evolve(one.stream, states[one.stream], one.event)
            if isinstance(one.event, SeatDecided):
                decided_by = one.event.decided_by.value
            position = one.position
    round_, seat = cast("Round | None", states[at_round]), cast("Seat | None", states[at_seat])
    if round_ is None:
        raise NotFound("no such round", field="round")
    if seat is None:
        raise NotFound("the player has no wager in this round", field="player")
    shown = _view(round_, seat, Seals(vault, operator), decided_by, position)
    closes_at = None if round_.closes_at is None else time_text(round_.closes_at)
    messages = _messages(one for _, one in found)
    return replace(shown, phase=shown_phase(reads, round_.terms, round_.phase, closes_at), messages=messages)


def _messages(found: Iterable[Recorded]) -> tuple[RoundMessage, ...]:
    """The notices among the round's events, oldest first."""
    noticed = ((one, notice_of(one.event)) for one in found)
    return tuple(
        RoundMessage(time_text(one.recorded_at), notice.value, TEXTS[notice], one.position)
        for one, notice in noticed
        if notice is not None
    )


def _view(round_: Round, seat: Seat, seals: Seals, decided_by: str | None, position: int) -> OwnView:
    rules = ruleset(round_.terms.ruleset)
    cards = _own_cards(round_, seat, rules, seals)
    return OwnView(
        round=round_.round,
        player=seat.player,
        seat=seat.seat,
        phase=round_.phase.value,
        cards=cards,
        hand=None if cards is None else rank_five(cards, rules.wheel_is_straight).category.value,
        dealer=_dealer(round_, rules),
        wagers=tuple(WagerLine(one.wager, one.kind.value, one.stake_minor) for one in seat.wagers),
        total_bet=seat.stake_minor(),
        decision=None if seat.decision is None else seat.decision.value,
        decided_by=decided_by,
        deadline=None if round_.deadline is None else time_text(round_.deadline),
        messages=(),
        position=position,
    )


def _own_cards(round_: Round, seat: Seat, rules: RuleSet, seals: Seals) -> tuple[str, ...] | None:
    """The cards that the seat plays with; None before the deal, for a seat that was not dealt in, and where a void or
    a cancellation could not open them.
    """
    if round_.dealt is None:
        return None
    if rules.hand_mode is HandMode.SHARED:
        return round_.dealt.shared_cards
    if round_.phase in {Phase.VOIDED, Phase.CANCELLED} and round_.cards is None:
        return None  # an end that could not open them; they stay sealed
    opened = open_known(seals, round_, rules)
    dealt = () if opened is None else opened.seats
    return next((one.cards for one in dealt if one.seat == seat.seat and seat.wagers), None)


def _dealer(round_: Round, rules: RuleSet) -> tuple[str | None, ...]:
    """The dealer's five places: all cards once they are public, else the up-card alone."""
    shown = round_.phase in {Phase.SHOWDOWN, Phase.PAYING, Phase.SETTLED, Phase.VOIDED, Phase.CANCELLED}
    if shown and round_.cards is not None and len(round_.cards.dealer) > 1:
        return round_.cards.dealer
    places: list[str | None] = [None] * 5
    if round_.dealt is not None:
        places[rules.dealer_upcard_index] = round_.dealt.up_card
    return tuple(places)
