"""What a pool decides, and how its state follows from its events. The arithmetic is `domain.pools`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from domain.errors import AlreadyExists, NotFound
from domain.jackpots.awarding import award_events
from domain.jackpots.commands import Accrue, AwardRound, MirrorRound, OpenPool, PoolCommand
from domain.jackpots.events import (
    Awarded,
    Contributed,
    PoolEvent,
    PoolOpened,
    PoolReset,
    PoolTerms,
    RoundMirrored,
    Shortfall,
    moved,
)
from domain.jackpots.mirror import mirror, settle_shortfalls
from domain.jackpots.terms import checked_terms
from domain.money import MICRO
from domain.pools import Balances, contribute, refuse_oversized
from domain.rounds.events import Share


@dataclass(frozen=True, slots=True)
class Pool:
    """State: terms in force, the three balances, how many events made it, and shortfalls the house still bears."""

    terms: PoolTerms
    balances: Balances
    version: int
    shortfalls: tuple[Shortfall, ...] = ()

    @property
    def ceiling_micro(self) -> int:
        """The meter never passes this."""
        return self.terms.ceiling_minor * MICRO


def decide(command: PoolCommand, state: Pool | None) -> tuple[PoolEvent, ...]:
    """The events that `command` causes in the pool, or a Refusal."""
    if isinstance(command, OpenPool):
        return (_open(command, state),)
    if state is None:
        raise NotFound("no such jackpot", field="jackpot")
    match command:
        case Accrue(round_id, shares):
            return (_accrue(state, round_id, shares),) if shares else ()
        case AwardRound(round_id, claims):
            return award_events(state.terms, state.balances, round_id, claims)
        case MirrorRound():
            return _mirror(command, state)
        case _:
            assert_never(command)


def _open(command: OpenPool, state: Pool | None) -> PoolOpened:
    if state is not None:
        raise AlreadyExists("a jackpot of this id exists", field="jackpot")
    terms = checked_terms(command.terms)
    return PoolOpened(terms, moved(Balances(0), Balances(terms.seed_minor * MICRO)))


def _accrue(state: Pool, round_id: str, shares: tuple[Share, ...]) -> Contributed:
    increment = sum(one.increment_micro for one in shares)
    reserve = sum(one.reserve_micro for one in shares)
    after = contribute(state.balances, increment, reserve, state.ceiling_micro)
    refuse_oversized(after)
    terms = state.terms
    move = moved(state.balances, after)
    return Contributed(terms.jackpot, round_id, terms.currency, shares, increment, reserve, move)


def _mirror(command: MirrorRound, state: Pool) -> tuple[PoolEvent, ...]:
    if not (command.shares or command.awards):
        return ()
    event = mirror(command, state.terms, state.balances, state.shortfalls)
    after = Balances(event.move.meter_after_micro, event.move.reserve_after_micro, event.move.overflow_after_micro)
    refuse_oversized(after)
    return (event,)


def evolve(state: Pool | None, event: PoolEvent) -> Pool:
    """The pool after `event`; no rule is looked at."""
    move = event.move
    after = Balances(move.meter_after_micro, move.reserve_after_micro, move.overflow_after_micro)
    if isinstance(event, PoolOpened):
        return Pool(event.terms, after, 1)
    if state is None:
        raise ValueError("a pool's first event opens it")
    version = state.version + 1
    match event:
        case Contributed() | Awarded():
            return replace(state, balances=after, version=version)
        case PoolReset():
            return replace(state, balances=after, version=version, terms=event.terms)
        case RoundMirrored():
            shortfalls = settle_shortfalls(state.shortfalls, event, version)
            return replace(state, balances=after, version=version, shortfalls=shortfalls)
        case _:
            assert_never(event)
