"""What a void, a resettlement, and the end of a review do to a seat (docs/ledger.md, Void and resettle)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from domain.changing import replace
from domain.errors import AlreadyVoided, WrongPhase
from domain.seats.commands import ResettleSeat, ResolveReview, VoidSeat
from domain.seats.events import (
    LossKind,
    ReviewResolved,
    SeatEvent,
    SeatResettled,
    SeatVoided,
    Stage,
    WagerKind,
    WagerResult,
)

if TYPE_CHECKING:
    from domain.seats.decider import Seat


def owed_minor(results: Iterable[WagerResult], prize_minor: int) -> int:
    """N of the ledger: payouts and prizes less stakes, what a player owes when these results are voided."""
    return sum(one.payout_minor - one.stake_minor for one in results) + prize_minor


def void(command: VoidSeat, state: Seat) -> SeatVoided:
    """The wagers named are of no effect: held stakes come back, or their results turn their sign."""
    if state.voided:
        raise AlreadyVoided("the seat is voided", field="player")
    results = tuple(one for one in state.results if one.wager in command.wagers)
    owed = owed_minor(results, command.prize_minor)
    held = 0 if state.settled else held_minor(state, command.wagers)
    return SeatVoided(
        round=state.round,
        player=state.player,
        ruleset=command.ruleset,
        currency=command.currency,
        stage=Stage.AFTER_SETTLEMENT if state.settled else Stage.BEFORE_SETTLEMENT,
        results=results,
        refund_minor=max(-owed, 0) if state.settled else held,
        owed_minor=owed,
        taken_minor=command.taken_minor,
        loss_minor=owed if command.review else owed - command.taken_minor,
        wagers=command.wagers,
        prize_minor=command.prize_minor,
        loss_kind=LossKind.REVIEW if command.review else LossKind.FINAL,
    )


def whole_spots(state: Seat, named: Collection[str]) -> tuple[str, ...]:
    """The wagers of every spot that a named one lies on; ante and call are one (docs/ledger.md, Void and resettle)."""
    main = {WagerKind.ANTE, WagerKind.CALL}
    kinds = {one.kind for one in state.wagers if one.wager in named}
    if kinds & main:
        kinds |= main
    return tuple(one.wager for one in state.wagers if one.kind in kinds)


def held_minor(state: Seat, wagers: Collection[str]) -> int:
    """What is on game for these wagers; the reserve of a call that may follow goes with the ante."""
    side = {WagerKind.SIDE, WagerKind.PROGRESSIVE}
    sides = [one for one in state.wagers if one.kind in side]
    main = state.held_minor - sum(one.stake_minor for one in sides)
    has_main = any(one.wager in wagers and one.kind not in side for one in state.wagers)
    return (main if has_main else 0) + sum(one.stake_minor for one in sides if one.wager in wagers)


def resolve(command: ResolveReview, state: Seat) -> tuple[SeatEvent, ...]:
    """End all reviews of the seat at once; nothing when there is none."""
    if not state.reviews:
        return ()
    owed, taken = (sum(amounts) for amounts in zip(*state.reviews, strict=True))
    return (ReviewResolved(state.round, state.player, command.currency, command.policy, owed, taken),)


def voided(state: Seat, event: SeatVoided) -> Seat:
    """The seat without the voided wagers."""
    left = tuple(one for one in state.wagers if one.wager not in event.wagers)
    gone = tuple(one for one in state.wagers if one.wager in event.wagers)
    under_review = event.loss_kind is LossKind.REVIEW and event.owed_minor > 0
    return replace(
        state,
        wagers=left,
        voided=not left,
        voided_wagers=(*state.voided_wagers, *event.wagers),
        voided_bets=(*state.voided_bets, *gone),
        results=tuple(one for one in state.results if one.wager not in event.wagers),
        prize_minor=state.prize_minor - event.prize_minor,
        held_minor=0 if state.settled else state.held_minor - event.refund_minor,
        reviews=(*state.reviews, (event.owed_minor, event.taken_minor)) if under_review else state.reviews,
    )


def resettle(command: ResettleSeat, state: Seat) -> SeatResettled:
    """Another result in the place of the one before; the difference is owed, or comes in at once."""
    if not state.settled or state.voided:
        raise WrongPhase("the seat is not settled", field="player")
    new = command.result
    returned = sum(one.payout_minor for one in new.results) + new.prize_minor
    staked = sum(one.stake_minor for one in new.results)
    owed = sum(one.payout_minor for one in state.results) + state.prize_minor - returned
    return SeatResettled(
        round=state.round,
        player=state.player,
        ruleset=new.ruleset,
        currency=new.currency,
        player_hand=new.player_hand,
        outcome=new.outcome,
        before=state.results,
        results=new.results,
        prize_minor=new.prize_minor,
        pending_minor=new.pending_minor,
        returned_minor=returned,
        net_minor=returned - staked,
        owed_minor=owed,
        taken_minor=command.taken_minor,
        loss_minor=owed if command.review else owed - command.taken_minor,
        loss_kind=LossKind.REVIEW if command.review else LossKind.FINAL,
    )


def resettled(state: Seat, event: SeatResettled) -> Seat:
    """The seat after a resettlement."""
    under_review = event.loss_kind is LossKind.REVIEW and event.owed_minor > 0
    return replace(
        state,
        results=event.results,
        prize_minor=event.prize_minor,
        reviews=(*state.reviews, (event.owed_minor, event.taken_minor)) if under_review else state.reviews,
    )
