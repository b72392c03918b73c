"""Which command a round takes in which phase; everything else is refused, and says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from domain.errors import AlreadyVoided, BettingClosed, Refusal, WrongPhase
from domain.rounds import commands as c
from domain.rounds.decider import Round, decide, evolve
from domain.rounds.events import OpenedCards, Phase
from domain.settlement import DecidedBy
from domain.tables import CallReserve, CardSource, Pace, TableTerms
from tests.domain.showdowns import LIVE

TERMS = TableTerms(
    "t", LIVE, "hash", "EUR", 100, 1_000, 1, 1_000, None, None, CardSource.FEED, Pace.MANUAL, CallReserve.FULL,
    "REJECT_AT_CLOSE", "FOLD", 15, 5, 0, 5, 3600,
)  # fmt: skip
CARDS = OpenedCards((), "", (), (), ())
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)

OPEN = c.OpenRound("r", "n", TERMS, None, None, "0", "b", NOON, None)
CLOSE = c.CloseRound(DecidedBy.STAFF, 1, ())
DEAL = c.DealRound("As", (), (1,), None, NOON)
SHOW = c.HoldShowdown(CARDS, "PAIR", True, (), (), (), None)
FINISH = c.FinishRound(1)
PAUSE = c.PauseRound("look", NOON)
RESUME = c.ResumeRound("seen", NOON)
CANCEL = c.CancelRound("idle", CARDS)
VOID = c.VoidRound("malfunction", "CLAW_BACK", "boss", None, CARDS)
PARTLY = c.VoidWagers(("w",), (), "malfunction", "CLAW_BACK", "boss", None)
CORRECT = c.CorrectCards(CARDS, "PAIR", True, (), (), "misread", "CLAW_BACK", "boss")

BETTING = {Phase.BETTING_OPEN, Phase.CLOSING_SOON}
PLAYED = {Phase.BETTING_CLOSED, Phase.DECIDING}
GONE = {Phase.VOIDED, Phase.CANCELLED}

ALLOWED: dict[c.RoundCommand, set[Phase]] = {
    CLOSE: BETTING,
    DEAL: {Phase.BETTING_CLOSED},
    SHOW: {Phase.DECIDING},
    FINISH: {Phase.PAYING},
    PAUSE: BETTING | PLAYED,
    RESUME: {Phase.PAUSED},
    CANCEL: BETTING | PLAYED | {Phase.PAUSED},
    VOID: set(Phase) - GONE - {Phase.PAYING},
    PARTLY: set(Phase) - GONE - BETTING - {Phase.PAYING},
    CORRECT: {Phase.SETTLED},
}
AFTERWARDS: dict[c.RoundCommand, Phase] = {
    CLOSE: Phase.BETTING_CLOSED,
    DEAL: Phase.DECIDING,
    SHOW: Phase.PAYING,
    FINISH: Phase.SETTLED,
    PAUSE: Phase.PAUSED,
    CANCEL: Phase.CANCELLED,
    VOID: Phase.VOIDED,
}


def standing(phase: Phase) -> Round:
    """A round in that phase."""
    (opened,) = decide(OPEN, None)
    return replace(evolve(None, opened), phase=phase)


def refusal(command: c.RoundCommand, phase: Phase) -> type[Refusal]:
    """Why the command is refused in a phase where it is."""
    if command in (VOID, PARTLY, CORRECT) and phase in GONE:
        return AlreadyVoided
    if command is CLOSE and phase in PLAYED | {Phase.SHOWDOWN, Phase.PAYING, Phase.SETTLED}:
        return BettingClosed
    return WrongPhase


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("command", ALLOWED, ids=lambda one: type(one).__name__)
def test_S0_10_S0_46_a_command_is_taken_in_its_phases_and_refused_in_all_others(
    command: c.RoundCommand, phase: Phase
) -> None:
    state = standing(phase)
    if phase not in ALLOWED[command]:
        with pytest.raises(refusal(command, phase)) as refused:
            decide(command, state)
        assert refused.type is refusal(command, phase)
        assert refused.value.field == ("wagers" if command is PARTLY and phase in BETTING else "round")
        return
    (event,) = decide(command, state)
    assert evolve(state, event).phase is AFTERWARDS.get(command, phase)


@pytest.mark.parametrize("phase", sorted(BETTING | PLAYED))
def test_S0_47_a_resumed_round_goes_on_where_it_stood(phase: Phase) -> None:
    (paused,) = decide(PAUSE, standing(phase))
    stopped = evolve(standing(phase), paused)
    (resumed,) = decide(RESUME, stopped)
    assert evolve(stopped, resumed) == standing(phase)


@pytest.mark.parametrize("field", ["reason", "policy", "approver"])
@pytest.mark.parametrize("nothing", [None, ""])
def test_C19_a_void_after_settlement_names_reason_policy_and_a_second_person(field: str, nothing: str | None) -> None:
    told = {field: nothing}
    with pytest.raises(Refusal) as refused:
        decide(replace(VOID, **told), standing(Phase.SETTLED))
    assert refused.value.field == field
    (event,) = decide(replace(VOID, **told), standing(Phase.DECIDING))
    assert evolve(standing(Phase.DECIDING), event).phase is Phase.VOIDED


def test_a_round_opens_once() -> None:
    with pytest.raises(Refusal) as refused:
        decide(OPEN, standing(Phase.BETTING_OPEN))
    assert refused.value.code == "ALREADY_EXISTS"


@pytest.mark.parametrize("command", ALLOWED, ids=lambda one: type(one).__name__)
def test_a_round_that_is_not_there_is_not_found(command: c.RoundCommand) -> None:
    with pytest.raises(Refusal) as refused:
        decide(command, None)
    assert (refused.value.code, refused.value.field) == ("NOT_FOUND", "round")
