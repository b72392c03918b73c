"""How a run of the faults is shown: passed, failed, or not possible on this machine."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import tests.faults.__main__ as program
from tests.faults.board import Board, Row
from tests.faults.fault import Fault, Skipped, Trial


def skipping(_: Trial) -> None:
    raise Skipped("it takes a library that is not here")


def breaking(_: Trial) -> None:
    raise RuntimeError("it broke")


def passing(trial: Trial) -> None:
    trial.progress(trial.amount)


@pytest.mark.parametrize(
    ("run", "word", "reason"),
    [(skipping, "skip", "a library"), (breaking, "FAIL", "it broke"), (passing, "pass", "2 units")],
)
def test_a_run_ends_in_one_of_three_words_and_says_why(run: object, word: str, reason: str) -> None:
    shown = io.StringIO()
    board = Board(Console(file=shown, width=160, no_color=True))
    row = program._run(board, Fault("F00", "nothing", 2, 2, "units", run), 2, 1)  # type: ignore[arg-type]  # any of the three
    board.table([row])
    assert isinstance(row, Row)
    assert (row.word, row.passed) == (word, word != "FAIL")
    assert bool(row.document()["skipped"]) == (word == "skip")
    assert reason in shown.getvalue()
    assert not Path(row.trial.folder).exists()
