"""A round's state, and how it follows from its events."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from domain.changing import replace
from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound
from domain.rounds.awards import parted
from domain.rounds.events import (
    AwardDecided,
    AwardRecord,
    BettingClosed,
    CardsCorrected,
    Dealt,
    OpenedCards,
    Phase,
    ResetRecord,
    ReviewsResolved,
    RoundCancelled,
    RoundEvent,
    RoundOpened,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    RoundUndoing,
    RoundVoided,
    Share,
    ShowdownHeld,
    WagersVoided,
)
from domain.rounds.scans import CardScanned, Place, ScanCorrected, ScansOpened
from domain.tables import TableTerms


@dataclass(frozen=True, slots=True)
class Round:
    """State: terms, phase, the cards as sealed and as public, and what this round did to its pool.

    `fallen_awards` are those that a partial void, a refusal or a resettlement took away; `scans` the sealed cards that
    a studio scanned one by one, by place in the order scanned, `misread` what was put right in them. `undoing` stands
    while a round of many seats is undone slice by slice.
    """

    round: str
    game_number: str
    terms: TableTerms
    phase: Phase
    commitment: str | None = None
    sealed_deck: str | None = None
    dealt: Dealt | None = None
    paused_from: Phase | None = None
    seats: int = 0
    jackpot: str | None = None
    shares: tuple[Share, ...] = ()
    cards: OpenedCards | None = None
    order: tuple[str, ...] = ()
    awards: tuple[AwardRecord, ...] = ()
    resets: tuple[ResetRecord, ...] = ()
    found: PoolFound | None = None
    closes_at: datetime | None = None
    deadline: datetime | None = None
    paused_at: datetime | None = None
    corrections: int = 0
    fallen_awards: tuple[str, ...] = ()
    scans: tuple[tuple[Place, str], ...] = ()
    misread: tuple[ScanCorrected, ...] = ()
    scans_opened: bool = False
    undoing: RoundUndoing | None = None


def evolve(state: Round | None, event: RoundEvent) -> Round:
    """The round after `event`; no rule is looked at."""
    if isinstance(event, RoundOpened):
        return _opened(event)
    if state is None:
        raise ValueError("a round's first event opens it")
    match event:
        case BettingClosed():
            return replace(
                state, phase=Phase.BETTING_CLOSED, seats=event.seats, jackpot=event.jackpot, shares=event.shares
            )
        case Dealt():
            return replace(state, phase=Phase.DECIDING, dealt=event, deadline=event.deadline)
        case ShowdownHeld():
            return _shown(state, event)
        case CardsCorrected():
            return _corrected(state, event)
        case RoundSettled():
            return replace(state, phase=Phase.SETTLED)
        case AwardDecided():
            return _with_award(state, event)
        case RoundPaused():
            return replace(state, phase=Phase.PAUSED, paused_from=state.phase, paused_at=event.at)
        case RoundResumed():
            back = replace(state, phase=state.paused_from or state.phase, paused_from=None, paused_at=None)
            return replace(back, closes_at=event.closes_at, deadline=event.deadline)
        case RoundCancelled() | RoundVoided() | RoundUndoing():
            return _undone(state, event)
        case WagersVoided():
            return _partly_voided(state, event)
        case CardScanned() | ScanCorrected() | ScansOpened():
            return _scanned(state, event)
        case ReviewsResolved():
            return state
        case _:
            assert_never(event)


def _undone(state: Round, event: RoundCancelled | RoundVoided | RoundUndoing) -> Round:
    match event:
        case RoundUndoing():
            return replace(state, phase=Phase.PAYING, undoing=event)
        case RoundCancelled():
            return replace(state, phase=Phase.CANCELLED, cards=event.cards, undoing=None)
        case RoundVoided():
            return replace(state, phase=Phase.VOIDED, cards=event.cards or state.cards, undoing=None)
        case _:
            assert_never(event)


def _opened(event: RoundOpened) -> Round:
    return Round(
        event.round,
        event.game_number,
        event.terms,
        Phase.BETTING_OPEN,
        event.commitment,
        event.sealed_deck,
        closes_at=event.closes_at,
    )


def _scanned(state: Round, event: CardScanned | ScanCorrected | ScansOpened) -> Round:
    if isinstance(event, ScansOpened):
        return replace(state, scans_opened=True)
    at = Place(event.to, event.number)
    if isinstance(event, CardScanned):
        return replace(state, scans=(*state.scans, (at, event.sealed_card)))
    scans = tuple((place, event.sealed_card if place == at else sealed) for place, sealed in state.scans)
    return replace(state, scans=scans, misread=(*state.misread, event))


def _corrected(state: Round, event: CardsCorrected) -> Round:
    after = _fallen(state, *(one.award for one in state.awards))
    after = replace(after, cards=event.cards, awards=event.awards, resets=event.resets)
    return replace(after, corrections=state.corrections + 1)


def _partly_voided(state: Round, event: WagersVoided) -> Round:
    left = parted(state.awards, state.resets, event.awards)
    shares = tuple(one for one in state.shares if one.wager not in event.wagers)
    return replace(_fallen(state, *event.awards), shares=shares, awards=left.left, resets=left.left_resets)


def _with_award(state: Round, event: AwardDecided) -> Round:
    """A verified prize is pending no more; a refused one is gone, its resets with it."""
    if event.verified:
        awards = tuple(replace(one, pending=False) if one.award == event.award else one for one in state.awards)
        return replace(state, awards=awards)
    left = parted(state.awards, state.resets, {event.award})
    return replace(_fallen(state, event.award), awards=left.left, resets=left.left_resets)


def _fallen(state: Round, *awards: str) -> Round:
    return replace(state, fallen_awards=(*state.fallen_awards, *awards))


def _shown(state: Round, event: ShowdownHeld) -> Round:
    return replace(
        state,
        phase=Phase.PAYING,
        cards=event.cards,
        order=event.order,
        awards=event.awards,
        resets=event.resets,
        found=event.found,
    )
