"""Pause, resume, and giving a round up: it stops, goes on, or every stake comes back (S0-46, S0-47)."""

from __future__ import annotations

from datetime import timedelta

from domain.errors import WrongPhase
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.events import Phase
from domain.variants import ruleset
from domain.wallets.events import ReleaseReason
from services.answers import PhaseAnswer, VoidAnswer
from services.commands import CancelAbandoned, Pause, Resume
from services.desk import Desk
from services.handlers.undoing import Terms, undo_round
from services.opening import open_for_the_end


def pause(desk: Desk, command: Pause) -> PhaseAnswer:
    """Nothing moves until the round is resumed, cancelled or voided (S0-46)."""
    events = rounds.decide(round_commands.PauseRound(command.reason, desk.now), desk.find_round(command.round))
    desk.post((desk.round_at(command.round), events))
    return PhaseAnswer(command.round, desk.round(command.round).phase.value)


def resume(desk: Desk, command: Resume) -> PhaseAnswer:
    """The round goes on where it stood (S0-47)."""
    events = rounds.decide(round_commands.ResumeRound(command.reason, desk.now), desk.find_round(command.round))
    desk.post((desk.round_at(command.round), events))
    return PhaseAnswer(command.round, desk.round(command.round).phase.value)


def cancel_abandoned(desk: Desk, command: CancelAbandoned) -> VoidAnswer:
    """A round that nobody has touched for long is given up by the system: every stake comes back (C16, F29)."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, *rounds.PAUSABLE, Phase.PAUSED)
    idle_until = desk.last_touched(command.round) + timedelta(seconds=round_.terms.abandon_seconds)
    if desk.now < idle_until:
        raise WrongPhase("the round was touched a moment ago", field="round")
    scans, cards = open_for_the_end(desk.seals, round_, ruleset(round_.terms.ruleset))
    reason = f"no command for {round_.terms.abandon_seconds} seconds"
    order = round_commands.CancelRound(reason, cards)
    return undo_round(desk, round_, order, scans, Terms(ReleaseReason.CANCELLED, None))
