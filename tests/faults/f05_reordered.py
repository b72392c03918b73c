"""F05: every command of the REST contract in every state of docs/states.md, at the running service.

A settlement before a bet, a rollback before its deposit, a bet after the close, a call after a fold: the answer is
the one of the page, and what is refused or has nothing left to do has left no event.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from services.commands import Scope, SetOneDevice
from tests.domain.showdowns import EURO
from tests.faults.calls import Caller, Calls
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.ground import judged_stage
from tests.faults.remote import NotDone, Remote
from tests.faults.stage import OPERATOR, STRICT, Stage
from tests.matrix.page import SUBJECTS, documented
from tests.matrix.subject import ACCEPTED, NOTHING, Row, Scene, Subject

Cell = tuple[Subject, Row, str]
CELLS: Final[list[Cell]] = [(subject, row, state) for subject in SUBJECTS for row, state in subject.cells() if row.call]
AT_ONCE: Final = 8
GIVEN_UP_SECONDS: Final = 60.0


class RemoteScene(Scene):
    """Time passes by itself here: a round that nobody touches is given up by the timers."""

    async def abandoned(self) -> None:
        assert isinstance(self.casino, Remote)
        caller, path = self.casino.caller, f"/v1/rounds/{self.round}"
        if not wait_until(lambda: caller.get(path).body.get("phase") == "CANCELLED", GIVEN_UP_SECONDS):
            raise TimeoutError("an abandoned round was not given up")


async def answered(casino: Remote, cell: Cell, tag: str) -> str:
    """What is answered in a cell: `ok`, or status and code."""
    subject, row, state = cell
    scene = RemoteScene(casino, tag)
    await subject.states[state].reach(scene)
    try:
        await row.ask(scene)
    except NotDone as refusal:
        return refusal.detail
    return ACCEPTED


def back_in_service(stage: Stage, calls: Calls) -> None:
    """Whatever the last cell has taken out."""
    casino = Remote(Caller(stage, calls))
    for scope, name in ((Scope.ALL, ""), (Scope.RULESET, EURO)):
        with suppress(NotDone):
            asyncio.run(casino.enable(scope, name))
    with suppress(NotDone):
        asyncio.run(casino.submit(SetOneDevice(False, "the cell is over")))
    casino.caller.close()


def play(trial: Trial, stage: Stage, calls: Calls) -> set[str]:
    """All cells; the keys of those that must have left nothing."""
    pages = {subject.name: documented(subject) for subject in SUBJECTS}
    without_trace: set[str] = set()

    def one(nth: int) -> None:
        subject, row, state = cell = CELLS[nth % len(CELLS)]
        casino = Remote(Caller(stage, calls), STRICT if subject.is_strict else OPERATOR)
        found = asyncio.run(answered(casino, cell, f".{nth}"))
        casino.caller.close()
        expected = pages[subject.name][row.text, state]
        where = f"{subject.name}, {state}: {row.text}"
        same = found == (ACCEPTED if expected == NOTHING else expected)
        trial.expect(same, f"{where}: {found}, the page says {expected}")
        if expected != ACCEPTED:
            without_trace.add(casino.key)
        trial.progress(trial.done + 1, where)

    alone = [nth for nth in range(trial.amount) if CELLS[nth % len(CELLS)][0].alone]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(one, sorted(set(range(trial.amount)) - set(alone))):
            pass
    for nth in alone:
        one(nth)
        back_in_service(stage, calls)
    return without_trace


def run(trial: Trial) -> None:
    calls = Calls()
    with Stage.start(trial.folder, doors=1) as stage:
        without_trace = play(trial, stage, calls)
        # an answer with nothing behind it, as that of a dry run, is not kept: it is made anew each time
        calls.acknowledged = {one: reply for one, reply in calls.acknowledged.items() if one.key not in without_trace}
        evidence = judged_stage(trial, stage, calls)
    traced = {one.meta.idempotency_key for one in evidence.events} & without_trace
    trial.expect(not traced, f"{len(traced)} commands that were refused or had nothing to do left events")
    trial.figure("cells", trial.amount)
    trial.figure("refused", len(calls.refused))
    trial.figure("5xx", sum(n for status, n in calls.statuses.items() if status >= 500))


FAULT: Final = Fault("F05", "every command in every state of the page", len(CELLS), len(CELLS), "cells", run)
