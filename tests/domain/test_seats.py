"""What a seat decides, by what stands on it. Amounts are minor units."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import AlreadySeated, AlreadyVoided, Invalid, NotFound, Refusal, WrongPhase
from domain.seats import commands as c
from domain.seats.decider import Seat, decide, evolve, owed_minor
from domain.seats.events import (
    RejectReason,
    SeatDecided,
    SeatEvent,
    SeatVoided,
    Stage,
    WagerKind,
    WagerResult,
    WagersRejected,
)
from domain.seats.wagering import Stakes
from domain.settlement import DecidedBy, Decision
from domain.tables import CallReserve, CardSource, Pace, TableTerms
from domain.variants import ruleset
from tests.domain.showdowns import DOLLAR, EURO, LIVE

TERMS = TableTerms(
    "t", LIVE, "hash", "EUR", 100, 1_000, 1, 1_000, None, "gold", CardSource.FEED, Pace.MANUAL, CallReserve.FULL,
    "REJECT_AT_CLOSE", "FOLD", 15, 5, 0, 5, 3600,
)  # fmt: skip
NO_RESERVE = replace(TERMS, call_reserve=CallReserve.NONE)
PLAYER, SYSTEM = DecidedBy.PLAYER, DecidedBy.SYSTEM
ANTE_LOST = (WagerResult("a1:ante", WagerKind.ANTE, 200, 0),)
ANTE_WON = (WagerResult("a1:ante", WagerKind.ANTE, 200, 400),)


def place(
    action: str = "a1", ante: int = 200, side: int = 0, *, seat: int | None = None, rules: str = LIVE
) -> c.PlaceWagers:
    stakes = Stakes(ante, side if rules == LIVE else 0, 0 if rules == LIVE else side)
    return c.PlaceWagers("r", "ann", seat, action, stakes, TERMS, ruleset(rules), 10_000)


def choose(decision: Decision, terms: TableTerms = TERMS, by: DecidedBy = PLAYER) -> c.DecideSeat:
    return c.DecideSeat(decision, by, "d1", terms, 2)


def settle(results: tuple[WagerResult, ...] = ANTE_LOST, prize: int = 0) -> c.SettleSeat:
    return c.SettleSeat(LIVE, "EUR", "PAIR", "LOSE", results, prize, 0)


def void(taken: int = 0) -> c.VoidSeat:
    return c.VoidSeat(LIVE, "EUR", taken)


def seat(*commands: c.SeatCommand) -> Seat | None:
    """The seat after these commands."""
    state: Seat | None = None
    for command in commands:
        for event in decide(command, state):
            state = evolve(state, event)
    return state


UNDO, CLOSE, LEAVE = c.UndoAction(TERMS), c.CloseSeat(TERMS), c.LeaveSeat()
CALL, FOLD = choose(Decision.CALL), choose(Decision.FOLD)
STATES = {
    "nobody": seat(),
    "undone": seat(place(), UNDO),
    "wagered": seat(place()),
    "called": seat(place(), CALL),
    "folded": seat(place(), FOLD),
    "settled": seat(place(), FOLD, settle()),
    "voided": seat(place(), FOLD, settle(), void()),
}
MATRIX = """
    command   nobody      undone        wagered   called        folded        settled        voided
    place     ok          ok            ok        ok            ok            ok             ok
    undo      NOT_FOUND   WRONG_PHASE   ok        ok            ok            ok             ok
    close     NOT_FOUND   -             -         -             -             -              -
    leave     NOT_FOUND   -             ok        ok            ok            ok             ok
    call      NOT_FOUND   NOT_FOUND     ok        WRONG_PHASE   WRONG_PHASE   WRONG_PHASE    WRONG_PHASE
    fold      NOT_FOUND   NOT_FOUND     ok        WRONG_PHASE   WRONG_PHASE   WRONG_PHASE    WRONG_PHASE
    settle    NOT_FOUND   ok            ok        ok            ok            WRONG_PHASE    WRONG_PHASE
    void      NOT_FOUND   ok            ok        ok            ok            ok             ALREADY_VOIDED
"""
"""The round's phase is asked first (test_phase_matrix): a seat alone guards what must happen once."""
COMMANDS: dict[str, c.SeatCommand] = {
    "place": place("a2"), "undo": UNDO, "close": CLOSE, "leave": LEAVE,
    "call": CALL, "fold": FOLD, "settle": settle(), "void": void(),
}  # fmt: skip
_HEAD, *_ROWS = [line.split() for line in MATRIX.strip().splitlines()]


@pytest.mark.parametrize(
    ("command", "state", "expected"),
    [(row[0], name, cell) for row in _ROWS for name, cell in zip(_HEAD[1:], row[1:], strict=True)],
)
def test_every_command_at_every_seat(command: str, state: str, expected: str) -> None:
    try:
        found = "ok" if decide(COMMANDS[command], STATES[state]) else "-"
    except Refusal as refusal:
        found = refusal.code
    assert found == expected


def test_wagers_of_several_actions_have_ids_of_their_own_and_undo_takes_the_last_action_whole() -> None:
    state = seat(place("a1", 200), place("a2", 300, 50))
    assert state is not None
    assert [one.wager for one in state.wagers] == ["a1:ante", "a2:ante", "a2:side"]
    assert state.held_minor == 1_550
    undone = seat(place("a1", 200), place("a2", 300, 50), UNDO)
    assert undone == seat(place("a1", 200))


def test_S0_02_a_player_who_wagers_keeps_the_seat_and_one_who_left_may_take_another() -> None:
    euro = place(seat=1, rules=EURO)
    with pytest.raises(AlreadySeated):
        decide(replace(euro, seat=2, action="a2"), seat(euro))
    moved = seat(euro, UNDO, replace(euro, seat=2, action="a2"))
    assert moved is not None
    assert (moved.seat, moved.held_minor, len(moved.actions)) == (2, 600, 1)


@pytest.mark.parametrize(
    ("commands", "terms", "reason"),
    [
        ([place("a1", 99)], TERMS, RejectReason.BELOW_MINIMUM),
        ([place("a1", 0, 100, rules=DOLLAR)], TERMS, RejectReason.NO_ANTE),
        ([place("a1", 99)], replace(TERMS, below_min_policy="RAISE_TO_MIN"), None),
        ([place("a1", 99), place("a2", 1)], TERMS, None),
    ],
)
def test_S0_26_C9_what_is_let_go_at_the_close(
    commands: list[c.SeatCommand], terms: TableTerms, reason: RejectReason | None
) -> None:
    state = seat(*commands)
    assert state is not None
    events = decide(c.CloseSeat(terms), state)
    assert [one.reason for one in events if isinstance(one, WagersRejected)] == ([] if reason is None else [reason])
    assert [one.release_minor for one in events if isinstance(one, WagersRejected)] == [state.held_minor][: len(events)]


@pytest.mark.parametrize(
    ("terms", "decision", "hold", "release", "held"),
    [
        (TERMS, Decision.CALL, 0, 0, 600),
        (TERMS, Decision.FOLD, 0, 400, 200),
        (NO_RESERVE, Decision.CALL, 400, 0, 600),
        (NO_RESERVE, Decision.FOLD, 0, 0, 200),
    ],
)
def test_C13_a_decision_moves_the_reserve(
    terms: TableTerms, decision: Decision, hold: int, release: int, held: int
) -> None:
    before = seat(replace(place(), terms=terms))
    (event,) = decide(choose(decision, terms), before)
    assert isinstance(event, SeatDecided)
    assert (event.hold_minor, event.release_minor) == (hold, release)
    state = evolve(before, event)
    assert state.held_minor == held
    assert state.stake_minor(WagerKind.CALL) == (400 if decision is Decision.CALL else 0)


def test_C15_without_a_reserve_nobody_else_calls_for_the_player() -> None:
    before = seat(replace(place(), terms=NO_RESERVE))
    with pytest.raises(Invalid):
        decide(choose(Decision.CALL, NO_RESERVE, SYSTEM), before)
    assert decide(choose(Decision.FOLD, NO_RESERVE, SYSTEM), before)


@pytest.mark.parametrize(
    ("results", "prize", "taken", "shown"),
    [
        (ANTE_LOST, 0, -200, (200, -200, -200, 0)),
        (ANTE_WON, 0, 200, (0, 200, 200, 0)),
        (ANTE_WON, 1_000, 300, (0, 1_200, 300, 900)),
        (ANTE_LOST, 200, 0, (0, 0, 0, 0)),
    ],
)
def test_a_void_after_settlement_turns_the_sign_of_what_was_recorded(
    results: tuple[WagerResult, ...], prize: int, taken: int, shown: tuple[int, int, int, int]
) -> None:
    state = seat(place(), FOLD, settle(results, prize))
    assert state is not None
    assert owed_minor(state) == shown[1]
    (event,) = decide(void(taken), state)
    assert isinstance(event, SeatVoided)
    assert (event.stage, event.results) == (Stage.AFTER_SETTLEMENT, results)
    assert (event.refund_minor, event.owed_minor, event.taken_minor, event.loss_minor) == shown


def test_a_void_before_settlement_gives_back_what_is_held() -> None:
    state = seat(place(), FOLD)
    (event,) = decide(void(), state)
    assert isinstance(event, SeatVoided)
    assert (event.stage, event.refund_minor, event.results) == (Stage.BEFORE_SETTLEMENT, 200, ())
    assert evolve(state, event).held_minor == 0
    with pytest.raises(AlreadyVoided):
        decide(void(), evolve(state, event))


def test_no_event_comes_before_the_first_wager() -> None:
    event: SeatEvent = decide(LEAVE, seat(place()))[0]
    with pytest.raises(ValueError, match="places a wager"):
        evolve(None, event)
    with pytest.raises((NotFound, WrongPhase)):
        decide(UNDO, None)
