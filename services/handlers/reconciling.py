"""A gaming day's reconciliation: what a run found is recorded, its breaks are ended, a second person seals the day."""

from __future__ import annotations

from datetime import date
from typing import assert_never

from domain import ids, reconciliations
from domain.changing import replace
from domain.errors import Invalid, NotFound, WrongPhase
from domain.reconciliations import Prepare, Reconciliation, ReconciliationCommand, ReconciliationPrepared, Seal
from services import commands as c
from services.answers import ReconciliationAnswer
from services.calendar import day_bounds
from services.desk import Desk
from services.handlers.second import second_person
from services.reconcile.totals import state_hash
from services.reconciliation_shown import shown


def carry_out(desk: Desk, command: c.ReconciliationCommand) -> ReconciliationAnswer:
    """One of the three."""
    match command:
        case c.PrepareDay():
            return _post(desk, command.day, _prepare(desk, command))
        case c.ResolveBreak(day, break_id, resolution, reference, note):
            order = reconciliations.ResolveBreak(break_id, resolution, reference, note, desk.meta.actor)
            return _post(desk, day, order)
        case c.SignOff(day, reason, approver):
            return _post(desk, day, Seal(second_person(desk, approver), reason))
        case _:
            assert_never(command)


def _prepare(desk: Desk, command: c.PrepareDay) -> Prepare:
    """The day has ended, and the figures are those that the hash was made of; whether they are right every later run
    of `studbook reconcile` says.
    """
    try:
        end = day_bounds(date.fromisoformat(command.day), desk.tools.zone)[1]
    except (ValueError, OverflowError):
        raise Invalid("a gaming day, such as 2026-11-29", field="day") from None
    if desk.now < end:
        raise WrongPhase("the gaming day has not ended", field="day")
    if state_hash(command.day, command.log_position, command.totals) != command.state_hash:
        raise Invalid("is not the hash of day, log_position and pools", field="state_hash")
    if len({one.jackpot for one in command.totals}) != len(command.totals):
        raise Invalid("a pool is there once", field="pools")
    if len({one.id for one in command.breaks}) != len(command.breaks):
        raise Invalid("a break is there once", field="breaks")
    actor = desk.meta.actor
    breaks = tuple(replace(one, owner=one.owner or actor) for one in command.breaks)
    return Prepare(
        ReconciliationPrepared(
            command.day, command.log_position, command.chain_head, command.state_hash, command.totals, breaks, actor
        )
    )


def _post(desk: Desk, day: str, order: ReconciliationCommand) -> ReconciliationAnswer:
    stream = ids.reconciliation_stream(desk.meta.operator, day)
    desk.post((stream, reconciliations.decide(order, desk.find_reconciliation(day))))
    return shown(_found(desk, day))


def _found(desk: Desk, day: str) -> Reconciliation:
    known = desk.find_reconciliation(day)
    if known is None:
        raise NotFound("nobody has prepared this day", field="day")
    return known
