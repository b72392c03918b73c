"""Every command in every state, at the house (F05): docs/states.md says what is answered, and it is answered so."""

from __future__ import annotations

import asyncio
from itertools import chain

import pytest

from domain.rounds.events import Phase
from services import commands as c
from tests.matrix.page import PAGE, SUBJECTS, documented, written
from tests.matrix.play import played
from tests.matrix.rounds import SUBJECT as ROUND
from tests.matrix.subject import ACCEPTED, NOTHING, Row, Scene, Subject, Way
from tests.matrix.wire import CALLS, in_bulk, wire
from tests.support.casino import Casino

CELLS = [(subject, row, state) for subject in SUBJECTS for row, state in subject.cells()]
ROWS = list(chain.from_iterable(subject.rows for subject in SUBJECTS))
RUN = "run: python -m tests.matrix.page"
ANYWHERE = {"INVALID", "UNAVAILABLE"}
"""Codes that the document adds to every call."""


@pytest.mark.parametrize(
    ("subject", "row", "state"), CELLS, ids=[f"{one.name}, {state}: {row.text}" for one, row, state in CELLS]
)
async def test_F05_every_command_in_every_state(casino: Casino, subject: Subject, row: Row, state: str) -> None:
    expected = documented(subject).get((row.text, state))
    assert await played(casino, subject, state, row) == expected, RUN


def test_F05_around_the_cells_the_page_of_states_is_that_of_the_matrix() -> None:
    assert PAGE.read_text("utf-8") == written({one.name: documented(one) for one in SUBJECTS}), RUN


def test_F05_no_cell_is_a_fault_of_ours_and_every_code_is_one_that_the_call_documents() -> None:
    for subject, row, state in CELLS:
        found = documented(subject)[row.text, state]
        if found in {ACCEPTED, NOTHING} or not row.call:
            continue
        status, code = found.split()
        listed = {refusal.code for refusal in CALLS[row.call].refusals} | ANYWHERE
        assert 400 <= int(status) < 500, (subject.name, row.text, state)
        assert code in listed, f"{row.call} does not document {code}: {row.text}, {state}"


def test_F05_every_call_of_the_contract_stands_in_the_matrix_with_its_status() -> None:
    assert {row.call for row in ROWS} - {""} == CALLS.keys()
    for row in ROWS:
        assert not row.call or row.status == (201 if CALLS[row.call].created else 200), row.text


def test_F05_every_command_of_the_house_is_in_the_matrix_and_speaks_to_the_call_that_its_row_names() -> None:
    asked = {type(row.make(Scene(Casino()))) for row in ROWS}
    assert set(c.Command.__args__) - asked == {c.OpenNext}  # what timers ask of a table, not of a state
    for row in ROWS:
        if row.call:
            command = row.make(Scene(Casino()))
            alone = row.way is Way.ALONE
            method, path, body = wire(command) if alone else in_bulk(command, "k", atomic=row.way is Way.ATOMIC)
            called = CALLS[row.call]
            told = [one for one in called.path.split("/") if not one.startswith("{")]
            assert (method, [one for one in told if one not in path.split("/")]) == (called.method, []), row.text
            assert body.keys() <= called.body.model_fields.keys(), row.text


def test_F05_every_command_that_names_a_round_is_asked_in_every_state_of_a_round() -> None:
    of_rounds = {kind for kind in c.Command.__args__ if "round" in kind.__dataclass_fields__}
    asked = {type(row.make(Scene(Casino()))) for row in ROUND.rows}
    assert asked >= of_rounds


def test_F05_the_states_of_a_round_reach_every_phase_that_is_stored() -> None:
    async def reached(state: str) -> Phase:
        async with Casino() as casino:
            scene = Scene(casino)
            await ROUND.states[state].reach(scene)
            found = casino.books.state("round", scene.round)
            assert found is not None
            return Phase(found.phase)

    phases = {asyncio.run(reached(state)) for state in ROUND.states if state != "unheard of"}
    passed_through = {Phase.CLOSING_SOON, Phase.SHOWDOWN, Phase.PAYING}
    assert phases == set(Phase) - passed_through
