"""What a pool decides, and how its state follows from its events. The arithmetic is `domain.pools`."""

from __future__ import annotations

from typing import assert_never

from domain.changing import replace
from domain.errors import AlreadyExists, NotFound
from domain.frozen import dataclass
from domain.jackpots.awarding import award_events
from domain.jackpots.commands import Accrue, AwardRound, MirrorRound, OpenPool, PoolCommand, RefuseAward, ResettleRound
from domain.jackpots.events import (
    Awarded,
    Contributed,
    PoolCarried,
    PoolEvent,
    PoolOpened,
    PoolReset,
    PoolTerms,
    RoundMirrored,
    RoundResettled,
    Shortfall,
    moved,
)
from domain.jackpots.keeping import after_move, keep
from domain.jackpots.mirror import mirror, netted, resettled, settle_shortfalls
from domain.jackpots.terms import checked_terms
from domain.jackpots.upkeep import (
    AwardRefused,
    AwardVerified,
    Corrected,
    PoolDisabled,
    PoolEnabled,
    TermsChanged,
    TransferredIn,
    TransferredOut,
    UpkeepEvent,
)
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
    waiting: PoolTerms | None = None
    disabled: bool = False

    @property
    def ceiling_micro(self) -> int:
        """The meter never passes this."""
        return self.terms.ceiling_minor * MICRO


def decide(command: PoolCommand, state: Pool | None) -> tuple[PoolEvent | UpkeepEvent, ...]:
    """The events that `command` causes in the pool, or a Refusal."""
    if isinstance(command, OpenPool):
        return (_open(command, state),)
    if state is None:
        raise NotFound("no such jackpot", field="jackpot")
    match command:
        case Accrue(round_id, shares):
            return (_accrue(state, round_id, shares),) if shares else ()
        case AwardRound(round_id, claims):
            return award_events(state.terms, state.balances, round_id, claims, state.waiting)
        case MirrorRound():
            return _mirror(command, state)
        case ResettleRound():
            return (_resettle(command, state),)
        case RefuseAward():
            return (_refuse(command, state),)
        case _:
            return (keep(command, state),)


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


def _resettle(command: ResettleRound, state: Pool) -> RoundResettled:
    event = resettled(command, state.terms, state.waiting, state.balances, state.shortfalls)
    refuse_oversized(after_move(event.move))
    return event


def _refuse(command: RefuseAward, state: Pool) -> AwardRefused:
    award = command.award
    order = MirrorRound(command.round, (), (award,), command.resets)
    net = netted(order, state.terms, state.balances, state.shortfalls)
    refuse_oversized(after_move(net.move))
    return AwardRefused(
        jackpot=state.terms.jackpot,
        award=award.award,
        round=command.round,
        player=award.player,
        currency=state.terms.currency,
        prize_minor=award.prize_minor,
        funds=net.funds,
        awards_back_micro=award.pool_micro,
        resets_back_micro=sum(one.reset_micro - one.reserve_micro for one in command.resets),
        shortfall_meter_micro=net.shortfall_meter_micro,
        shortfall_reserve_micro=net.shortfall_reserve_micro,
        reason=command.reason,
        approver=command.approver,
        move=net.move,
        given_back=net.given_back,
    )


def evolve(state: Pool | None, event: PoolEvent | UpkeepEvent) -> Pool:
    """The pool after `event`; no rule is looked at."""
    if isinstance(event, PoolOpened):
        return Pool(event.terms, after_move(event.move), 1)
    if isinstance(event, PoolCarried):
        now = event.shortfalls, event.waiting, event.disabled
        return Pool(event.terms, event.balances, event.version + 1, *now)
    if state is None:
        raise ValueError("a pool's first event opens it")
    before = replace(state, version=state.version + 1)
    match event:
        case AwardVerified():
            return before
        case PoolDisabled():
            return replace(before, disabled=True)
        case PoolEnabled():
            return replace(before, disabled=False)
        case _:
            return _moved(replace(before, balances=after_move(event.move)), event)


Moving = (
    Contributed
    | Awarded
    | PoolReset
    | RoundMirrored
    | RoundResettled
    | AwardRefused
    | Corrected
    | TransferredOut
    | TransferredIn
    | TermsChanged
)


def _moved(state: Pool, event: Moving) -> Pool:
    match event:
        case Contributed() | Awarded() | Corrected() | TransferredOut() | TransferredIn():
            return state
        case PoolReset():
            return replace(state, terms=event.terms, waiting=None)
        case RoundMirrored() | AwardRefused():
            return replace(state, shortfalls=settle_shortfalls(state.shortfalls, event, state.version))
        case RoundResettled():
            left = settle_shortfalls(state.shortfalls, event, state.version)
            waiting = None if event.terms == state.waiting else state.waiting
            return replace(state, shortfalls=left, terms=event.terms, waiting=waiting)
        case TermsChanged():
            return replace(state, terms=event.terms, waiting=event.waiting)
        case _:
            assert_never(event)
