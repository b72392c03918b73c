"""What a round decides. Its state is `domain.rounds.state`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

from domain.errors import AlreadyExists, AlreadyVoided, BettingClosed, NotFound, Refusal, WrongPhase
from domain.rounds.commands import (
    BeginUndoing,
    CancelRound,
    CloseRound,
    CorrectCards,
    DealRound,
    DecideAward,
    FinishRound,
    FinishUndoing,
    HoldShowdown,
    OpenRound,
    PauseRound,
    ResolveReviews,
    ResumeRound,
    RoundCommand,
    VoidRound,
    VoidWagers,
)
from domain.rounds.events import (
    AwardDecided,
    AwardRecord,
    CardsCorrected,
    Dealt,
    Phase,
    ReviewsResolved,
    RoundEvent,
    RoundOpened,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    ShowdownHeld,
)
from domain.rounds.events import (
    BettingClosed as BettingWasClosed,
)
from domain.rounds.phases import BETTING, ENDED, PAUSABLE, check_phase, check_scanning
from domain.rounds.scans import CorrectScan, OpenScans, ScanCard, ScansOpened, corrected, scanned
from domain.rounds.state import Round, evolve
from domain.rounds.voiding import undone, void_stage


def decide(command: RoundCommand, state: Round | None) -> tuple[RoundEvent, ...]:
    """The events that `command` causes in the round, or a Refusal."""
    if isinstance(command, OpenRound):
        return (_open(command, state),)
    known = existing(state)
    match command:
        case CloseRound():
            return (_close(command, known),)
        case DealRound(up_card, shared, seats_dealt, sealed, deadline):
            check_phase(known, Phase.BETTING_CLOSED)
            return (Dealt(known.round, up_card, shared, seats_dealt, sealed, deadline),)
        case HoldShowdown(cards, dealer_hand, qualifies, order, awards, resets, found):
            check_phase(known, Phase.DECIDING)
            return (ShowdownHeld(known.round, cards, dealer_hand, qualifies, order, awards, resets, found),)
        case CorrectCards():
            return (_correct(command, known),)
        case FinishRound(seats):
            check_phase(known, Phase.PAYING)
            return (RoundSettled(known.round, seats),)
        case DecideAward(award, verified):
            pending_award(known, award)
            return (AwardDecided(known.round, award, verified),)
        case PauseRound(reason, at):
            check_phase(known, *PAUSABLE)
            return (RoundPaused(known.round, reason, at),)
        case ResumeRound(reason, at):
            return (_resume(known, reason, at),)
        case CancelRound() | VoidRound() | VoidWagers() | BeginUndoing() | FinishUndoing():
            return (undone(command, known),)
        case ScanCard() | CorrectScan() | OpenScans():
            return _scan(command, known)
        case ResolveReviews():
            return (ReviewsResolved(known.round, command.policy),)
        case _:
            assert_never(command)


def _close(command: CloseRound, state: Round) -> BettingWasClosed:
    check_betting(state)
    jackpot = state.terms.jackpot if command.shares else None
    return BettingWasClosed(state.round, command.decided_by, command.seats, jackpot, command.shares)


def _scan(command: ScanCard | CorrectScan | OpenScans, state: Round) -> tuple[RoundEvent, ...]:
    match command:
        case OpenScans(cards, misread):
            is_new = bool(cards) and not state.scans_opened
            return (ScansOpened(state.round, cards, misread),) if is_new else ()
        case ScanCard():
            check_scanning(state)
            return (scanned(command, state.round),)
        case CorrectScan():
            check_scanning(state)
            return (corrected(command, state.round, dict(state.scans).get(command.place)),)
        case _:
            assert_never(command)


def existing(state: Round | None) -> Round:
    """The round, or NotFound."""
    if state is None:
        raise NotFound("no such round", field="round")
    return state


def check_betting(state: Round, now: datetime | None = None) -> None:
    """Refuse unless wagers may come and go: BettingClosed after the close, else WrongPhase (S0-10).

    With `now` a window that timers close is over at its end, whether or not the timer has come round to it.
    """
    if state.phase in BETTING:
        if now is not None and state.closes_at is not None and now >= state.closes_at:
            raise BettingClosed("betting time is over", field="round")
        return
    refusal: type[Refusal] = WrongPhase
    if state.phase in {Phase.BETTING_CLOSED, Phase.DECIDING, Phase.SHOWDOWN, Phase.PAYING, Phase.SETTLED}:
        refusal = BettingClosed
    raise refusal(f"betting is over, the round is in phase {state.phase.value}", field="round")


def is_betting_open(state: Round, now: datetime) -> bool:
    """Whether bets may still come and go: neither the phase nor the clock has ended it (S0-10, S0-31)."""
    return state.phase in BETTING and (state.closes_at is None or now < state.closes_at)


def check_correctable(state: Round) -> None:
    """Refuse a resettlement unless the round is settled and stands; a voided round is never settled again."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED}:
        raise AlreadyVoided("a voided round is not settled again", field="round")
    check_phase(state, Phase.SETTLED)


def pending_award(state: Round, award: str) -> AwardRecord:
    """The prize that waits for two persons; AlreadyVoided with its round or its wager, WrongPhase once it is paid."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED} or award in state.fallen_awards:
        raise AlreadyVoided("the award is void, refused, or settled anew", field="award")
    found = next((one for one in state.awards if one.award == award), None)
    if found is None:
        raise NotFound("no such award stands", field="award")
    if not found.pending:
        raise WrongPhase("the award is paid", field="award")
    return found


def _correct(command: CorrectCards, state: Round) -> CardsCorrected:
    check_correctable(state)
    return CardsCorrected(
        state.round,
        command.cards,
        command.dealer_hand,
        command.qualifies,
        command.awards,
        command.resets,
        command.reason,
        command.policy,
        command.approver,
    )


def _open(command: OpenRound, state: Round | None) -> RoundOpened:
    if state is not None:
        raise AlreadyExists("a round of this id exists", field="round")
    return RoundOpened(
        command.round,
        command.game_number,
        command.terms,
        command.commitment,
        command.sealed_deck,
        command.software_version,
        command.build,
        command.opened_at,
        command.closes_at,
    )


def _resume(state: Round, reason: str, at: datetime) -> RoundResumed:
    """The window that was open when the round was paused goes on for what was left of it."""
    check_phase(state, Phase.PAUSED)
    lost = timedelta(0) if state.paused_at is None else at - state.paused_at
    closes, deadline = state.closes_at, state.deadline
    if closes is not None and state.paused_from in BETTING:
        closes += lost
    if deadline is not None and state.paused_from is Phase.DECIDING:
        deadline += lost
    return RoundResumed(state.round, reason, at, closes, deadline)


__all__ = [
    "BETTING",
    "ENDED",
    "PAUSABLE",
    "Round",
    "check_betting",
    "check_correctable",
    "check_phase",
    "check_scanning",
    "decide",
    "evolve",
    "existing",
    "is_betting_open",
    "pending_award",
    "void_stage",
]
