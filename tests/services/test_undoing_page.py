"""What undoes what: each cell of the table in docs/lost-answers.md is played, and each test that it names is there."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT, code_files
from tests.matrix.undoing import CALLS, PAGE, THINGS, documented, outcome

CELLS = [(thing, call) for thing in THINGS for call in CALLS]


@pytest.mark.parametrize(("thing", "call"), CELLS, ids=[f"{thing}: {call}" for thing, call in CELLS])
async def test_R5_what_undoes_what_is_as_the_page_says(thing: str, call: str) -> None:
    assert await outcome(thing, call) == documented()[thing, call], "run: python -m tests.matrix.undoing"


def test_R5_the_page_has_every_cell_and_each_thing_is_undone_by_some_call() -> None:
    assert documented().keys() == set(CELLS)
    assert {thing for (thing, _), cell in documented().items() if cell == "undone"} == set(THINGS)


def test_every_test_that_the_page_of_lost_answers_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8")))
    code = "\n".join(path.read_text("utf-8") for path in code_files() if path.is_relative_to(ROOT / "tests"))
    assert len(named) > 8
    assert [one for one in sorted(named) if f"def {one}(" not in code] == []
