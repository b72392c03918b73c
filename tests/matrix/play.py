"""Playing one cell on the house, in memory, with every law held after every command."""

from __future__ import annotations

from api.errors import status_of
from domain.errors import Refusal
from tests.matrix.subject import ACCEPTED, NOTHING, Row, Scene, Subject
from tests.support.casino import Casino


async def played(casino: Casino, subject: Subject, state: str, row: Row) -> str:
    """What the house answers: `ok`, `-`, or status and code. A cell that is not `ok` has moved no money."""
    scene, casino.is_strict = Scene(casino), subject.is_strict
    await subject.states[state].reach(scene)
    casino.clock.forward(3_600)
    before = casino.books.standing()
    try:
        await row.ask(scene)
        found = ACCEPTED if casino.last_news else NOTHING
    except Refusal as refusal:
        found = f"{status_of(refusal)} {refusal.code}"
    assert found == ACCEPTED or casino.books.standing() == before, f"{row.text}, {state}: {found} has moved money"
    return found
