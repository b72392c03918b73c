"""A gaming day's reconciliation: prepared by one person, its breaks resolved one by one, signed off by another, sealed.

One stream for each operator and day. No money moves here: what a break costs is put right by the commands that there
are (corrections, adjustments), and named as `reference` (R16 to R18; docs/for-finance-reconcile.md).
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from domain.changing import replace
from domain.errors import Forbidden, Invalid, NotFound, WrongPhase
from domain.frozen import dataclass


class Resolution(StrEnum):
    """How a break ended: something was put right, or it is taken as it is."""

    CORRECTED = "CORRECTED"
    ACCEPTED = "ACCEPTED"


@dataclass(frozen=True, slots=True)
class PoolTotals:
    """Control totals of a pool's day: opening, terms net of their mirrors, closing by account. Micro-units."""

    jackpot: str
    currency: str
    opening_micro: int
    seed_micro: int
    resets_micro: int
    contributions_micro: int
    corrections_micro: int
    transfers_micro: int
    shortfall_micro: int
    awards_micro: int
    meter_micro: int
    reserve_micro: int
    overflow_micro: int
    pay_micro: int
    con_micro: int
    fund_micro: int


@dataclass(frozen=True, slots=True)
class FoundBreak:
    """Two figures that should be one, at `log_position` where an event is to blame. `owner` looks after it."""

    id: str
    kind: str
    about: str
    log_position: int | None
    expected: str
    found: str
    reason: str
    owner: str


@dataclass(frozen=True, slots=True)
class ReconciliationPrepared:
    """What a run of `studbook reconcile` found: the day's last event, its hash, the totals, their hash, the breaks."""

    day: str
    log_position: int
    chain_head: str
    state_hash: str
    totals: tuple[PoolTotals, ...]
    breaks: tuple[FoundBreak, ...]
    prepared_by: str


@dataclass(frozen=True, slots=True)
class BreakResolved:
    """A break is over. `reference` is the event or transaction that put it right; who accepts it says why in `note`."""

    day: str
    break_id: str
    resolution: Resolution
    reference: str | None
    note: str
    by: str


@dataclass(frozen=True, slots=True)
class ReconciliationSealed:
    """A second person signed the prepared figures off: every later run is held against them."""

    day: str
    log_position: int
    chain_head: str
    state_hash: str
    totals: tuple[PoolTotals, ...]
    prepared_by: str
    approver: str
    reason: str


ReconciliationEvent = ReconciliationPrepared | BreakResolved | ReconciliationSealed


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """State: the figures prepared last, every break ever recorded, those resolved, and who sealed it."""

    prepared: ReconciliationPrepared
    breaks: tuple[FoundBreak, ...]
    resolved: tuple[BreakResolved, ...] = ()
    sealed: ReconciliationSealed | None = None

    @property
    def open(self) -> tuple[FoundBreak, ...]:
        """The breaks that nobody has resolved."""
        over = {one.break_id for one in self.resolved}
        return tuple(one for one in self.breaks if one.id not in over)


@dataclass(frozen=True, slots=True)
class Prepare:
    """Record what a run found; may be done again until the day is sealed."""

    found: ReconciliationPrepared


@dataclass(frozen=True, slots=True)
class ResolveBreak:
    """End a break."""

    break_id: str
    resolution: Resolution
    reference: str | None
    note: str
    by: str


@dataclass(frozen=True, slots=True)
class Seal:
    """Sign the day off, as `approver`."""

    approver: str
    reason: str


ReconciliationCommand = Prepare | ResolveBreak | Seal


def decide(command: ReconciliationCommand, state: Reconciliation | None) -> tuple[ReconciliationEvent, ...]:
    """The events that `command` causes, or a Refusal: a sealed day stays, an open break keeps it from being sealed, and
    who prepared it does not sign it off.
    """
    if state is not None and state.sealed is not None:
        raise WrongPhase("the day is sealed", field="day")
    if isinstance(command, Prepare):
        return (command.found,)
    if state is None:
        raise NotFound("nobody has prepared this day", field="day")
    day = state.prepared.day
    match command:
        case ResolveBreak(break_id, resolution, reference, note, by):
            if break_id not in {one.id for one in state.breaks}:
                raise NotFound("no such break", field="break_id")
            if break_id not in {one.id for one in state.open}:
                raise WrongPhase("the break is resolved", field="break_id")
            if resolution is Resolution.CORRECTED and reference is None:
                raise Invalid("name the event or transaction that put it right", field="reference")
            return (BreakResolved(day, break_id, resolution, reference, note, by),)
        case Seal(approver, reason):
            if state.open:
                names = ", ".join(one.id for one in state.open[:5])
                raise WrongPhase(f"{len(state.open)} breaks are open: {names}", field="day")
            if approver == state.prepared.prepared_by:
                raise Forbidden("who prepared the day does not sign it off: another person does", field="approver")
            of = state.prepared
            return (
                ReconciliationSealed(
                    day, of.log_position, of.chain_head, of.state_hash, of.totals, of.prepared_by, approver, reason
                ),
            )
        case _:
            assert_never(command)


def evolve(state: Reconciliation | None, event: ReconciliationEvent) -> Reconciliation:
    """The reconciliation after `event`; no rule is looked at. A resolved break with other figures is open anew."""
    if isinstance(event, ReconciliationPrepared):
        if state is None:
            return Reconciliation(event, event.breaks)
        known = {one.id: one for one in state.breaks} | {one.id: one for one in event.breaks}
        before = {one.id: (one.expected, one.found) for one in state.breaks}
        again = {one.id for one in event.breaks if before.get(one.id) != (one.expected, one.found)}
        left = tuple(one for one in state.resolved if one.break_id not in again)
        return replace(state, prepared=event, breaks=tuple(known.values()), resolved=left)
    if state is None:
        raise ValueError("a day is prepared first")
    match event:
        case BreakResolved():
            return replace(state, resolved=(*state.resolved, event))
        case ReconciliationSealed():
            return replace(state, sealed=event)
        case _:
            assert_never(event)
