"""Incomplete rounds, for timers, for giving up what nobody touches any more, and for support (R20, I9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from domain.changing import replace
from domain.frozen import dataclass
from domain.rounds.events import (
    BettingClosed,
    Dealt,
    Phase,
    RoundCancelled,
    RoundOpened,
    RoundResumed,
    RoundSettled,
    RoundUndoing,
    RoundVoided,
)
from domain.views.histories import SEAT_EVENTS
from domain.views.model import Fact, Model, RowKey, optional_text, time_text
from domain.views.phases import ROUND_EVENTS, phases_after

_OF_SEATS: Final = frozenset(SEAT_EVENTS)
_OF_ROUNDS: Final = frozenset(ROUND_EVENTS)
_READ: Final = _OF_SEATS | _OF_ROUNDS
_ENDS: Final = (RoundSettled, RoundCancelled, RoundVoided)


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round that is not over. Times are UTC texts; `deadline` is that of the decisions, None before the deal."""

    operator: str
    round: str
    table: str
    game_number: str
    pace: str
    card_source: str
    phase: Phase
    paused_from: Phase | None
    opened_at: str
    closes_at: str | None
    closed_at: str | None
    deadline: str | None
    last_command_at: str
    betting_seconds: int
    closing_soon_seconds: int
    decision_seconds: int
    abandon_seconds: int
    position: int


def open_round_key(round_id: str) -> RowKey:
    """Where an incomplete round lies; the group holds all of an operator's."""
    return RowKey("round", round_id)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    event: Any = fact.event
    return (open_round_key(event.round),) if type(event) in _READ else ()


def _fold(rows: Mapping[RowKey, OpenRound | None], fact: Fact) -> Mapping[RowKey, OpenRound | None]:
    event: Any = fact.event
    cls = type(event)
    if cls not in _READ:
        return {}
    ((key, row),) = rows.items()
    if isinstance(event, RoundOpened):
        return {key: _opened(fact, event)}
    if row is None:  # a round that is over, such as one that is voided after its settlement
        return {key: _undoing(fact)} if isinstance(event, RoundUndoing) else {}
    if cls in _OF_SEATS:
        return {key: replace(row, last_command_at=fact.at, position=fact.position)}
    if isinstance(event, _ENDS):
        return {key: None}
    phase, paused_from = phases_after(event, row.phase, row.paused_from)
    touched = replace(
        row,
        phase=phase,
        paused_from=paused_from,
        closed_at=fact.at if isinstance(event, BettingClosed) else row.closed_at,
        deadline=time_text(event.deadline) if isinstance(event, Dealt) else row.deadline,
        last_command_at=fact.at,
        position=fact.position,
    )
    if isinstance(event, RoundResumed):
        closes, deadline = optional_text(event.closes_at), optional_text(event.deadline)
        touched = replace(touched, closes_at=closes, deadline=deadline)
    return {key: touched}


def _undoing(fact: Fact) -> OpenRound:
    """A settled round that is being undone is not over: timers carry it on when nobody else does."""
    opened = fact.round_opened
    return replace(_opened(fact, opened), phase=Phase.PAYING, opened_at=time_text(opened.opened_at), closes_at=None)


def _opened(fact: Fact, event: RoundOpened) -> OpenRound:
    terms = event.terms
    return OpenRound(
        operator=fact.operator,
        round=event.round,
        table=terms.table,
        game_number=event.game_number,
        pace=terms.pace.value,
        card_source=terms.card_source.value,
        phase=Phase.BETTING_OPEN,
        paused_from=None,
        opened_at=fact.at,
        closes_at=optional_text(event.closes_at),
        closed_at=None,
        deadline=None,
        last_command_at=fact.at,
        betting_seconds=terms.betting_seconds,
        closing_soon_seconds=terms.closing_soon_seconds,
        decision_seconds=terms.decision_seconds,
        abandon_seconds=terms.abandon_seconds,
        position=fact.position,
    )


OPEN_ROUNDS: Final[Model[OpenRound]] = Model(
    name="open_rounds",
    kinds={"round": OpenRound},
    reads=_READ,
    keys=_keys,
    fold=_fold,
)
