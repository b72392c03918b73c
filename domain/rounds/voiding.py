"""What ends a round without effect: a void, a cancellation, at once or seat by seat."""

from __future__ import annotations

from typing import assert_never

from domain.errors import AlreadyVoided, Invalid, WrongPhase
from domain.rounds.commands import BeginUndoing, CancelRound, FinishUndoing, VoidRound, VoidWagers
from domain.rounds.events import Phase, RoundCancelled, RoundEvent, RoundUndoing, RoundVoided, WagersVoided
from domain.rounds.phases import BETTING, PAUSABLE, check_phase
from domain.rounds.state import Round
from domain.seats.events import Stage


def undone(command: CancelRound | VoidRound | VoidWagers | BeginUndoing | FinishUndoing, state: Round) -> RoundEvent:
    """What makes the round, or some of its wagers, of no effect."""
    match command:
        case CancelRound():
            return _cancelled(command, state)
        case VoidRound():
            return _voided(command, state)
        case VoidWagers():
            return _wagers_voided(command, state)
        case BeginUndoing():
            return _begun(command, state)
        case FinishUndoing():
            return _finished(command, state)
        case _:
            assert_never(command)


def void_stage(state: Round) -> Stage:
    """Whether a void of the round now would come before or after its settlement; refused when it is void already."""
    if state.phase in {Phase.VOIDED, Phase.CANCELLED}:
        raise AlreadyVoided("every stake of the round is back already", field="round")
    return Stage.AFTER_SETTLEMENT if state.phase in {Phase.SETTLED, Phase.PAYING} else Stage.BEFORE_SETTLEMENT


def _voided(command: VoidRound, state: Round) -> RoundVoided:
    """After settlement a void names reason, policy and a second person (docs/ledger.md, Void and resettle)."""
    stage = _checked_void(command, state)
    return RoundVoided(
        state.round, stage, command.reason, command.policy, command.approver, command.evidence, command.cards
    )


def _wagers_voided(command: VoidWagers, state: Round) -> WagersVoided:
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


def _cancelled(command: CancelRound, state: Round) -> RoundCancelled:
    """The house gives the round up, which it may before the showdown only (S0-47)."""
    check_phase(state, *PAUSABLE, Phase.PAUSED)
    return RoundCancelled(state.round, command.reason, command.cards)


def _begun(command: BeginUndoing, state: Round) -> RoundUndoing:
    """What the order asks for is checked now, and carried out slice by slice."""
    match command.order:
        case VoidRound() as order:
            end = _voided(order, state)
            return RoundUndoing(
                state.round, Phase.VOIDED, command.seats, end.stage, end.reason, end.policy, end.approver, end.evidence
            )
        case CancelRound() as order:
            reason = _cancelled(order, state).reason
            before = Stage.BEFORE_SETTLEMENT
            return RoundUndoing(state.round, Phase.CANCELLED, command.seats, before, reason, None, None, None)
        case _:
            assert_never(command.order)


def _finished(command: FinishUndoing, state: Round) -> RoundVoided | RoundCancelled:
    """The round ends as its undoing began."""
    begun = state.undoing
    if begun is None:
        raise WrongPhase("the round is not being undone", field="round")
    if begun.ends_as is Phase.CANCELLED:
        return RoundCancelled(state.round, begun.reason, command.cards)
    return RoundVoided(
        state.round, begun.stage, begun.reason, begun.policy, begun.approver, begun.evidence, command.cards
    )
