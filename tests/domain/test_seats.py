"""A seat by itself: what only the decider can be asked, because the house never would."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import Invalid, NotFound, WrongPhase
from domain.seats import decider as s
from domain.seats.commands import (
    CloseSeat,
    DecidePrize,
    DecideSeat,
    LeaveSeat,
    ResolveReview,
    SettleSeat,
    UndoAction,
    VoidSeat,
)
from domain.seats.events import LossKind, SeatDecided, SeatVoided, Stage, Wager, WagerKind
from domain.settlement import DecidedBy, Decision
from domain.tables import CallReserve
from domain.wallets.events import VoidPolicy
from tests.domain.test_round_phases import TERMS

SEAT = s.Seat("r", "ann", None, (Wager("a1:ante", WagerKind.ANTE, 200),), (("a1", 600),), 600)
NO_RESERVE = replace(TERMS, call_reserve=CallReserve.NONE)


@pytest.mark.parametrize(
    "command",
    [
        UndoAction(TERMS),
        CloseSeat(TERMS),
        LeaveSeat(),
        DecideSeat(Decision.CALL, DecidedBy.PLAYER, "d", TERMS, 2),
        SettleSeat("", "EUR", "", "", (), 0, 0),
        VoidSeat("", "EUR", (), 0, 0, review=False),
        DecidePrize("x:1", 5, verified=True),
        ResolveReview("EUR", VoidPolicy.CLAW_BACK),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_seat_that_was_never_taken_is_not_found(command: s.SeatCommand) -> None:
    with pytest.raises(NotFound) as refused:
        s.decide(command, None)
    assert refused.value.field == "player"


@pytest.mark.parametrize("decided_by", DecidedBy)
def test_C15_without_a_reserve_nobody_else_calls_for_the_player_but_may_fold(decided_by: DecidedBy) -> None:
    call = DecideSeat(Decision.CALL, decided_by, "d", NO_RESERVE, 2)
    if decided_by is DecidedBy.PLAYER:
        (event,) = s.decide(call, SEAT)
        assert isinstance(event, SeatDecided)
        assert (event.hold_minor, event.release_minor) == (400, 0)
    else:
        with pytest.raises(Invalid) as refused:
            s.decide(call, SEAT)
        assert refused.value.field == "decision"
    (fold,) = s.decide(replace(call, decision=Decision.FOLD), SEAT)
    assert isinstance(fold, SeatDecided)
    assert (fold.hold_minor, fold.release_minor, fold.call) == (0, 0, None)


def test_a_call_with_a_reserve_holds_nothing_more_and_stands_as_a_wager() -> None:
    (event,) = s.decide(DecideSeat(Decision.CALL, DecidedBy.STAFF, "d", TERMS, 2), SEAT)
    after = s.evolve(SEAT, event)
    assert (after.held_minor, after.decision) == (600, Decision.CALL)
    assert after.wagers[-1] == Wager("d:call", WagerKind.CALL, 400)


def test_a_void_before_settlement_gives_back_what_is_held() -> None:
    (event,) = s.decide(VoidSeat("rules", "EUR", ("a1:ante",), 0, 0, review=False), SEAT)
    assert event == SeatVoided(
        "r", "ann", "rules", "EUR", Stage.BEFORE_SETTLEMENT, (), 600, 0, 0, 0, ("a1:ante",), 0, LossKind.FINAL
    )
    after = s.evolve(SEAT, event)
    assert (after.held_minor, after.wagers, after.voided, after.voided_wagers) == (0, (), True, ("a1:ante",))


def test_a_seat_without_wagers_is_closed_and_left_without_an_event() -> None:
    empty = replace(SEAT, wagers=(), actions=(), held_minor=0)
    assert s.decide(CloseSeat(TERMS), empty) == ()
    assert s.decide(LeaveSeat(), empty) == ()
    with pytest.raises(WrongPhase):
        s.decide(UndoAction(TERMS), empty)


def test_a_seat_begins_with_a_wager() -> None:
    (event,) = s.decide(VoidSeat("", "EUR", (), 0, 0, review=False), SEAT)
    with pytest.raises(ValueError, match="places a wager"):
        s.evolve(None, event)
