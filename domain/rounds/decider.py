"""What a round decides, and how its state follows from its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from domain.errors import AlreadyExists, AlreadyVoided, BettingClosed, Invalid, NotFound, Refusal, WrongPhase
from domain.jackpots.parameters import PoolFound
from domain.rounds.awards import parted
from domain.rounds.commands import (
    CancelRound,
    CloseRound,
    CorrectCards,
    DealRound,
    DecideAward,
    FinishRound,
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
    RoundVoided,
    Share,
    ShowdownHeld,
    WagersVoided,
)
from domain.rounds.events import (
    BettingClosed as BettingWasClosed,
)
from domain.seats.events import Stage
from domain.tables import TableTerms

BETTING = frozenset({Phase.BETTING_OPEN, Phase.CLOSING_SOON})
"""Phases in which wagers come and go (S0-28)."""

ENDED = frozenset({Phase.SETTLED, Phase.CANCELLED, Phase.VOIDED})
"""Phases after which the table may open its next round."""

PAUSABLE = BETTING | {Phase.BETTING_CLOSED, Phase.DECIDING}


@dataclass(frozen=True, slots=True)
class Round:
    """State: terms, phase, the cards as sealed and as public, and what this round did to its pool."""

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


def decide(command: RoundCommand, state: Round | None) -> tuple[RoundEvent, ...]:
    """The events that `command` causes in the round, or a Refusal."""
    if isinstance(command, OpenRound):
        return (_open(command, state),)
    known = existing(state)
    match command:
        case CloseRound(decided_by, seats, shares):
            check_betting(known)
            jackpot = known.terms.jackpot if shares else None
            return (BettingWasClosed(known.round, decided_by, seats, jackpot, shares),)
        case DealRound(up_card, shared, seats_dealt, sealed, deadline):
            check_phase(known, Phase.BETTING_CLOSED)
            return (Dealt(known.round, up_card, shared, seats_dealt, sealed, deadline),)
        case HoldShowdown(cards, dealer_hand, qualifies, order, awards, resets, found):
            check_phase(known, Phase.DECIDING)
            return (ShowdownHeld(known.round, cards, dealer_hand, qualifies, order, awards, resets, found),)
        case CorrectCards(cards, dealer_hand, qualifies, awards, resets, reason, policy, approver):
            check_correctable(known)
            corrected = (cards, dealer_hand, qualifies, awards, resets, reason, policy, approver)
            return (CardsCorrected(known.round, *corrected),)
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
        case CancelRound(reason, opened):
            check_phase(known, *PAUSABLE, Phase.PAUSED)
            return (RoundCancelled(known.round, reason, opened),)
        case VoidRound():
            return (_void(command, known),)
        case VoidWagers():
            return (_void_wagers(command, known),)
        case ResolveReviews(policy):
            return (ReviewsResolved(known.round, policy),)
        case _:
            assert_never(command)


def existing(state: Round | None) -> Round:
    """The round, or NotFound."""
    if state is None:
        raise NotFound("no such round", field="round")
    return state


def check_phase(state: Round, *phases: Phase) -> None:
    """Refuse with WrongPhase unless the round stands in one of `phases`."""
    if state.phase not in phases:
        raise WrongPhase(f"the round is in phase {state.phase.value}", field="round")


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


def check_correctable(state: Round) -> None:
    """Refuse a resettlement unless the round is settled and stands; a voided round is never settled again."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED}:
        raise AlreadyVoided("a voided round is not settled again", field="round")
    check_phase(state, Phase.SETTLED)


def pending_award(state: Round, award: str) -> AwardRecord:
    """The prize that waits for two persons; AlreadyVoided with its round, WrongPhase once it is decided."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED}:
        raise AlreadyVoided("the round of this award is voided", field="award")
    found = next((one for one in state.awards if one.award == award), None)
    if found is None:
        raise NotFound("no such award stands", field="award")
    if not found.pending:
        raise WrongPhase("the award is paid", field="award")
    return found


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


def void_stage(state: Round) -> Stage:
    """Whether a void of the round now would come before or after its settlement; refused when it is void already."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED}:
        raise AlreadyVoided("every stake of the round is back already", field="round")
    return Stage.AFTER_SETTLEMENT if state.phase in {Phase.SETTLED, Phase.PAYING} else Stage.BEFORE_SETTLEMENT


def _void(command: VoidRound, state: Round) -> RoundVoided:
    """After settlement a void names reason, policy and a second person (spec ledger, Void and resettle)."""
    stage = _checked_void(command, state)
    return RoundVoided(
        state.round, stage, command.reason, command.policy, command.approver, command.evidence, command.cards
    )


def _void_wagers(command: VoidWagers, state: Round) -> WagersVoided:
    """Single wagers are voided once betting is closed; before that they are undone."""
    stage = _checked_void(command, state)
    if (state.paused_from or state.phase) in BETTING:
        raise WrongPhase("wagers are voided one by one once betting is closed", field="wagers")
    return WagersVoided(
        state.round,
        command.wagers,
        command.awards,
        stage,
        command.reason,
        command.policy,
        command.approver,
        command.evidence,
    )


def _checked_void(command: VoidRound | VoidWagers, state: Round) -> Stage:
    stage = void_stage(state)
    if stage is Stage.AFTER_SETTLEMENT:
        check_phase(state, Phase.SETTLED)
        for field, value in (("reason", command.reason), ("policy", command.policy), ("approver", command.approver)):
            if not value:
                raise Invalid(f"a void after settlement needs {field}", field=field)
    return stage


def evolve(state: Round | None, event: RoundEvent) -> Round:
    """The round after `event`; no rule is looked at."""
    if isinstance(event, RoundOpened):
        return Round(
            event.round,
            event.game_number,
            event.terms,
            Phase.BETTING_OPEN,
            event.commitment,
            event.sealed_deck,
            closes_at=event.closes_at,
        )
    if state is None:
        raise ValueError("a round's first event opens it")
    match event:
        case BettingWasClosed():
            return replace(
                state, phase=Phase.BETTING_CLOSED, seats=event.seats, jackpot=event.jackpot, shares=event.shares
            )
        case Dealt():
            return replace(state, phase=Phase.DECIDING, dealt=event, deadline=event.deadline)
        case ShowdownHeld():
            return _shown(state, event)
        case CardsCorrected():
            after = replace(state, cards=event.cards, awards=event.awards, resets=event.resets)
            return replace(after, corrections=state.corrections + 1)
        case RoundSettled():
            return replace(state, phase=Phase.SETTLED)
        case AwardDecided():
            return _with_award(state, event)
        case RoundPaused():
            return replace(state, phase=Phase.PAUSED, paused_from=state.phase, paused_at=event.at)
        case RoundResumed():
            back = replace(state, phase=state.paused_from or state.phase, paused_from=None, paused_at=None)
            return replace(back, closes_at=event.closes_at, deadline=event.deadline)
        case RoundCancelled():
            return replace(state, phase=Phase.CANCELLED, cards=event.cards)
        case WagersVoided():
            left = parted(state.awards, state.resets, event.awards)
            shares = tuple(one for one in state.shares if one.wager not in event.wagers)
            return replace(state, shares=shares, awards=left.left, resets=left.left_resets)
        case ReviewsResolved():
            return state
        case RoundVoided():
            return replace(state, phase=Phase.VOIDED, cards=event.cards or state.cards)
        case _:
            assert_never(event)


def _with_award(state: Round, event: AwardDecided) -> Round:
    """A verified prize is pending no more; a refused one is gone, its resets with it."""
    if event.verified:
        awards = tuple(replace(one, pending=False) if one.award == event.award else one for one in state.awards)
        return replace(state, awards=awards)
    left = parted(state.awards, state.resets, {event.award})
    return replace(state, awards=left.left, resets=left.left_resets)


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
