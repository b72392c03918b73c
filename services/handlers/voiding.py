"""Pause, resume, cancel and void: the round stops, or is made of no effect (S0-22, S0-46, S0-47, C17 to C19)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from domain import tables
from domain.errors import Forbidden, WrongPhase
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import MirrorRound
from domain.jackpots.events import RoundMirrored
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rounds.events import Phase, RoundEvent
from domain.seats import decider as seats
from domain.seats.commands import VoidSeat
from domain.seats.decider import Seat, owed_minor
from domain.seats.events import SeatVoided, Stage
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import ReleaseReason, VoidPolicy
from services.answers import LIST_PAGE, PhaseAnswer, VoidAnswer, VoidedJackpot, VoidedPlayer
from services.commands import CancelAbandoned, Pause, Resume, Void
from services.desk import Desk, Facts, StillPaying
from services.opening import open_known


def pause(desk: Desk, command: Pause) -> PhaseAnswer:
    """Nothing moves until the round is resumed, cancelled or voided (S0-46)."""
    events = rounds.decide(round_commands.PauseRound(command.reason), desk.find_round(command.round))
    desk.post((desk.round_at(command.round), events))
    return PhaseAnswer(command.round, desk.round(command.round).phase.value)


def resume(desk: Desk, command: Resume) -> PhaseAnswer:
    """The round goes on where it stood (S0-47)."""
    events = rounds.decide(round_commands.ResumeRound(command.reason), desk.find_round(command.round))
    desk.post((desk.round_at(command.round), events))
    return PhaseAnswer(command.round, desk.round(command.round).phase.value)


def cancel_abandoned(desk: Desk, command: CancelAbandoned) -> VoidAnswer:
    """A round that nobody has touched for long is given up by the system: every stake comes back (C16, F29)."""
    round_ = desk.round(command.round)
    rounds.check_phase(round_, *rounds.PAUSABLE, Phase.PAUSED)
    idle_until = desk.last_touched(command.round) + timedelta(seconds=round_.terms.abandon_seconds)
    if desk.now < idle_until:
        raise WrongPhase("the round was touched a moment ago", field="round")
    cards = open_known(desk.seals, round_, ruleset(round_.terms.ruleset))
    reason = f"no command for {round_.terms.abandon_seconds} seconds"
    order = round_commands.CancelRound(reason, cards)
    return _undo_all(desk, round_, rounds.decide(order, round_), ReleaseReason.CANCELLED, None)


def void(desk: Desk, command: Void) -> VoidAnswer:
    """Turn the sign of all that the round's own events recorded, once; nothing is worked out anew (C19).

    While the round is being paid the void waits for the last seat.
    """
    round_ = desk.round(command.round)
    if command.approver is not None and command.approver == desk.meta.actor:
        raise Forbidden("the approver is another person than the caller", field="approver")
    rounds.void_stage(round_)
    if round_.phase is Phase.PAYING:
        raise StillPaying(command.round)
    order = round_commands.VoidRound(
        command.reason,
        None if command.policy is None else command.policy.value,
        command.approver,
        command.evidence,
        open_known(desk.seals, round_, ruleset(round_.terms.ruleset)),
    )
    events = rounds.decide(order, round_)
    answer = _undo_all(desk, round_, events, ReleaseReason.VOID, command.policy)
    return VoidAnswer(
        answer.round,
        answer.phase,
        answer.stage,
        order.policy,
        command.dry_run,
        answer.players,
        answer.players_count,
        answer.jackpots,
    )


def _undo_all(
    desk: Desk,
    round_: Round,
    round_events: Sequence[RoundEvent],
    reason: ReleaseReason,
    policy: VoidPolicy | None,
) -> VoidAnswer:
    """One entry: the round's own event, every seat with its wallet, and the pool's net mirror."""
    standing = [one for one in desk.seats_and_wallets(round_.round) if one.wagers and not one.voided]
    facts: list[Facts] = [(desk.round_at(round_.round), round_events)]
    voided: list[SeatVoided] = []
    for seat in standing:
        seat_facts, event = _undo_seat(desk, round_, seat, reason, policy)
        facts += seat_facts
        voided.append(event)
    mirrored = _mirror_pool(desk, round_)
    facts += mirrored
    facts.append(_end_at_table(desk, round_))
    desk.post(*facts)
    stage = Stage.AFTER_SETTLEMENT if any(one.stage is Stage.AFTER_SETTLEMENT for one in voided) else None
    after = desk.round(round_.round)
    return VoidAnswer(
        round_.round,
        after.phase.value,
        (stage or rounds.void_stage(round_)).value,
        None,
        False,
        tuple(_voided_player(desk, one) for one in voided[:LIST_PAGE]),
        len(voided),
        tuple(_voided_pool(event) for _, events in mirrored for event in events if isinstance(event, RoundMirrored)),
    )


def _undo_seat(
    desk: Desk, round_: Round, seat: Seat, reason: ReleaseReason, policy: VoidPolicy | None
) -> tuple[list[Facts], SeatVoided]:
    wallet = desk.wallet(seat.player)
    terms = round_.terms
    if seat.settled and policy is not None:
        owed = owed_minor(seat)
        taken = wallets.takeable_minor(wallet, policy, owed)
        money = wallets.decide(wallets.ReverseOutcome(round_.round, policy, owed), wallet)
    else:
        taken = 0
        money = wallets.decide(wallets.Release(round_.round, seat.held_minor, reason), wallet)
    events = seats.decide(VoidSeat(terms.ruleset, terms.currency, taken), seat)
    event = events[0]
    if not isinstance(event, SeatVoided):
        raise TypeError("a void voids")
    return [(desk.seat_at(round_.round, seat.player), events), (desk.wallet_at(seat.player), money)], event


def _mirror_pool(desk: Desk, round_: Round) -> list[Facts]:
    if round_.jackpot is None:
        return []
    order = MirrorRound(round_.round, round_.shares, round_.awards, round_.resets)
    events = jackpots.decide(order, desk.find_pool(round_.jackpot))
    return [(desk.pool_at(round_.jackpot), events)] if events else []


def _end_at_table(desk: Desk, round_: Round) -> Facts:
    table = round_.terms.table
    return desk.table_at(table), tables.decide(tables.EndRound(round_.round), desk.find_table(table))


def _voided_player(desk: Desk, event: SeatVoided) -> VoidedPlayer:
    return VoidedPlayer(
        event.player,
        event.refund_minor,
        max(event.owed_minor, 0),
        max(event.taken_minor, 0),
        event.loss_minor,
        desk.balance(event.player),
    )


def _voided_pool(event: RoundMirrored) -> VoidedJackpot:
    move = event.move
    return VoidedJackpot(
        event.jackpot,
        str(move.meter_micro),
        str(move.reserve_micro),
        str(move.overflow_micro),
        str(event.shortfall_meter_micro + event.shortfall_reserve_micro),
        str(move.meter_after_micro),
    )
