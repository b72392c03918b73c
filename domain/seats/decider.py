"""What a seat decides, and how its state follows from its events."""

from __future__ import annotations

from typing import Final, assert_never

from domain.changing import replace
from domain.errors import AlreadySeated, BelowMinimum, Invalid, NotFound, WrongPhase
from domain.frozen import dataclass
from domain.rules import BelowMinPolicy
from domain.seats.commands import (
    CloseSeat,
    DecidePrize,
    DecideSeat,
    LeaveSeat,
    PassSeat,
    PlaceWagers,
    ResettleSeat,
    ResolveReview,
    SeatCommand,
    SettleSeat,
    UndoAction,
    VoidSeat,
)
from domain.seats.events import (
    ActionUndone,
    PrizeDecided,
    RejectReason,
    ReviewResolved,
    SeatDecided,
    SeatEvent,
    SeatPassed,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    Wager,
    WagerKind,
    WagerPlaced,
    WagerResult,
    WagersRejected,
)
from domain.seats.voiding import resettle, resettled, resolve, void, voided
from domain.seats.wagering import Spots, accept, ante_units, hold_for, lines
from domain.settlement import DecidedBy, Decision
from domain.tables import CallReserve, TableTerms


@dataclass(frozen=True, slots=True)
class Seat:
    """State: standing wagers with the action that placed each, what is held, the decision and the end.

    `results` are the settled wagers, `prize_minor` the prizes that came in for them, `reviews` what voids hold for
    review as (owed, taken), `voided_bets` what voids took off the spots.
    """

    round: str
    player: str
    seat: int | None
    wagers: tuple[Wager, ...] = ()
    actions: tuple[tuple[str, int], ...] = ()
    held_minor: int = 0
    decision: Decision | None = None
    results: tuple[WagerResult, ...] = ()
    prize_minor: int = 0
    settled: bool = False
    voided: bool = False
    voided_wagers: tuple[str, ...] = ()
    voided_bets: tuple[Wager, ...] = ()
    doubled: bool = False
    passed: bool = False
    reviews: tuple[tuple[int, int], ...] = ()

    def stake_minor(self, *kinds: WagerKind) -> int:
        """The sum that stands on the spots of `kinds`, all where none is named."""
        if not kinds:
            return sum([one.stake_minor for one in self.wagers])
        return sum([one.stake_minor for one in self.wagers if one.kind in kinds])

    def bet_minor(self, kind: WagerKind) -> int:
        """The sum that the player bet on the spot of `kind`, whether or not a void gave it back since (S0-33)."""
        return sum(one.stake_minor for one in (*self.wagers, *self.voided_bets) if one.kind is kind)


def decide(command: SeatCommand, state: Seat | None) -> tuple[SeatEvent, ...]:
    """The events that `command` causes at the seat, or a Refusal."""
    if isinstance(command, PlaceWagers):
        return (_place(command, state),)
    if isinstance(command, PassSeat):
        return (_pass(command, state),)
    if state is None:
        raise NotFound("the player has no wager in this round", field="player")
    match command:
        case UndoAction(terms):
            return (_undo(state, terms),)
        case CloseSeat():
            return _close(state, command)
        case LeaveSeat():
            return _reject(state, RejectReason.LEFT, state.wagers, state.held_minor)
        case DecideSeat():
            return (_decide(command, state),)
        case SettleSeat():
            return (settle(command, state),)
        case DecidePrize(award, amount, verified):
            return (PrizeDecided(state.round, state.player, award, amount, verified),)
        case VoidSeat():
            return (void(command, state),)
        case ResettleSeat():
            return (resettle(command, state),)
        case ResolveReview():
            return resolve(command, state)
        case _:
            assert_never(command)


def spots(state: Seat | None) -> Spots:
    """What stands on the spots, as the wagering rules look at it."""
    if state is None:
        return _EMPTY
    ante = side = 0
    for one in state.wagers:
        if one.kind is WagerKind.ANTE:
            ante += one.stake_minor
        elif one.kind is not WagerKind.CALL:
            side += one.stake_minor
    return Spots(ante, side, state.held_minor)


_EMPTY: Final = Spots(0, 0, 0)


def _place(command: PlaceWagers, state: Seat | None) -> WagerPlaced:
    if state is not None and state.wagers and state.seat != command.seat:
        raise AlreadySeated(f"the player sits on seat {state.seat} in this round", field="seat")
    if state is not None and state.passed:
        raise WrongPhase("the player has passed this deal", field="player")
    if command.doubled and state is not None and state.doubled:
        raise WrongPhase("bets are doubled once in a round", field="player")
    accepted = accept(command.stakes, spots(state), command.terms, command.ruleset, command.available_minor)
    return WagerPlaced(
        command.round,
        command.player,
        command.seat,
        command.action,
        lines(command.action, accepted, command.ruleset),
        hold_for(accepted, command.terms),
        accepted.asked_ante_minor,
        command.doubled,
    )


def _pass(command: PassSeat, state: Seat | None) -> SeatPassed:
    """Skip the deal; whoever has passed already passes again without effect on money."""
    wagers, held = ((), 0) if state is None else (state.wagers, state.held_minor)
    return SeatPassed(command.round, command.player, tuple(one.wager for one in wagers), held)


def _undo(state: Seat, terms: TableTerms) -> ActionUndone:
    """The last action goes whole (S0-34); a side wager that stood on its ante may not stay below the minimum."""
    if not state.actions:
        raise WrongPhase("there is no action to undo", field="player")
    action, held = state.actions[-1]
    gone = tuple(one.wager for one in state.wagers if one.wager.rpartition(":")[0] == action)
    left = [one for one in state.wagers if one.wager not in gone]
    ante = sum(one.stake_minor for one in left if one.kind is WagerKind.ANTE)
    if ante < terms.ante_min_minor and any(one.kind is WagerKind.SIDE for one in left):
        raise BelowMinimum("the side wager stands on this ante; undo it first", field="player")
    return ActionUndone(state.round, state.player, action, gone, held)


def _close(state: Seat, command: CloseSeat) -> tuple[SeatEvent, ...]:
    """A spot below the minimum is let go, and the side wager with its ante (S0-26, C9); a disabled pool gets none."""
    ante, terms = state.stake_minor(WagerKind.ANTE), command.terms
    if not state.wagers:
        return ()
    if ante == 0:
        return _reject(state, RejectReason.NO_ANTE, state.wagers, state.held_minor)
    if ante < terms.ante_min_minor and terms.below_min_policy == BelowMinPolicy.REJECT_AT_CLOSE.value:
        return _reject(state, RejectReason.BELOW_MINIMUM, state.wagers, state.held_minor)
    if command.pool_is_off:
        gone = tuple(one for one in state.wagers if one.kind is WagerKind.PROGRESSIVE)
        return _reject(state, RejectReason.JACKPOT_DISABLED, gone, sum(one.stake_minor for one in gone))
    return ()


def _reject(state: Seat, reason: RejectReason, wagers: tuple[Wager, ...], held: int) -> tuple[SeatEvent, ...]:
    if not wagers:
        return ()
    return (WagersRejected(state.round, state.player, reason, tuple(one.wager for one in wagers), held),)


def _decide(command: DecideSeat, state: Seat) -> SeatDecided:
    ante = state.stake_minor(WagerKind.ANTE)
    if not ante:
        raise NotFound("the player has no wager in this round", field="player")
    if state.decision is not None:
        raise WrongPhase(f"the player has decided: {state.decision.value}", field="decision")
    full = command.terms.call_reserve is CallReserve.FULL
    if command.decision is Decision.FOLD:
        release = ante * (ante_units(command.terms) - 1)
        return SeatDecided(state.round, state.player, command.decision, command.decided_by, None, 0, release)
    if not full and command.decided_by is not DecidedBy.PLAYER:
        raise Invalid("without a reserve nobody else may call for the player", field="decision")
    call = Wager(f"{command.action}:call", WagerKind.CALL, ante * command.call_multiple)
    hold = 0 if full else call.stake_minor
    return SeatDecided(state.round, state.player, command.decision, command.decided_by, call, hold, 0)


def settle(command: SettleSeat, state: Seat) -> SeatSettled:
    """The event of a settlement, as `decide` has it; WrongPhase where there was one."""
    if state.settled or state.voided:
        raise WrongPhase("the seat is settled", field="player")
    staked = sum([one.stake_minor for one in command.results])
    returned = sum([one.payout_minor for one in command.results]) + command.prize_minor
    return SeatSettled(
        state.round,
        state.player,
        command.ruleset,
        command.currency,
        command.player_hand,
        command.outcome,
        command.results,
        command.prize_minor,
        command.pending_minor,
        staked,
        returned,
        returned - staked,
    )


def evolve(state: Seat | None, event: SeatEvent) -> Seat:
    """The seat after `event`; no rule is looked at."""
    if isinstance(event, WagerPlaced):
        return _with_wagers(state, event)
    if isinstance(event, SeatPassed):
        known = state or Seat(event.round, event.player, None)
        return replace(_without(known, event.wagers, event.release_minor), actions=(), passed=True)
    if state is None:
        raise ValueError("a seat's first event places a wager")
    match event:
        case ActionUndone():
            return replace(_without(state, event.wagers, event.release_minor), actions=state.actions[:-1])
        case WagersRejected():
            return replace(_without(state, event.wagers, event.release_minor), actions=())
        case SeatDecided():
            return _decided(state, event)
        case SeatSettled():
            return replace(state, settled=True, held_minor=0, results=event.results, prize_minor=event.prize_minor)
        case PrizeDecided():
            return replace(state, prize_minor=state.prize_minor + (event.amount_minor if event.verified else 0))
        case SeatVoided():
            return voided(state, event)
        case SeatResettled():
            return resettled(state, event)
        case ReviewResolved():
            return replace(state, reviews=())
        case _:
            assert_never(event)


def _with_wagers(state: Seat | None, event: WagerPlaced) -> Seat:
    """A seat where all was undone begins anew; that it was doubled once is not forgotten with it."""
    doubled = event.doubled or (state is not None and state.doubled)
    action = (event.action, event.hold_minor)
    if state is None or not state.wagers:
        return Seat(event.round, event.player, event.seat, event.wagers, (action,), event.hold_minor, doubled=doubled)
    return replace(
        state,
        doubled=doubled,
        wagers=state.wagers + event.wagers,
        actions=(*state.actions, action),
        held_minor=state.held_minor + event.hold_minor,
    )


def _without(state: Seat, wagers: tuple[str, ...], release_minor: int) -> Seat:
    left = tuple(one for one in state.wagers if one.wager not in wagers)
    return replace(state, wagers=left, held_minor=state.held_minor - release_minor)


def _decided(state: Seat, event: SeatDecided) -> Seat:
    held = state.held_minor + event.hold_minor - event.release_minor
    wagers = state.wagers if event.call is None else (*state.wagers, event.call)
    return replace(state, decision=event.decision, wagers=wagers, held_minor=held)
