"""All or none: the orders of a bundle are decided one after the other, and what they did stands only if all did it.

A bundle is one job of the house, so no turn divides it, and one append takes it with all that shares its turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import Unavailable
from services.batch import OK, Batch, Bundle, Result
from services.states import Versioned


class PartRefused(Exception):
    """An order of a bundle was not carried out, so none is: `nth` counts from 0, `fault` says why."""

    def __init__(self, nth: int, fault: Exception) -> None:
        super().__init__(f"{nth}: {fault}")
        self.nth = nth
        self.fault = fault


async def decide_together(batch: Batch, bundle: Bundle) -> Result | Exception:
    """The result with its `parts`, or PartRefused; then nothing of the bundle is left in the batch.

    Orders whose keys have served them before are replayed, the others carried out. No part may be a round's work that
    goes on in slices: it would be seen half done.
    """
    pending, texts, records = len(batch.pending), len(batch.texts), len(batch.records)
    changed: list[tuple[str, Versioned]] = []
    batch.undo = changed
    parts: list[Result] = []
    for nth, order in enumerate(bundle.orders):
        outcome = await batch.outcome_of(order)
        if isinstance(outcome, Result) and outcome.unfinished is not None:
            outcome = Unavailable("the round is being settled or undone; send the same request again")
        if not isinstance(outcome, Result):
            for stream, known in reversed(changed):
                batch.states.put(stream, known)
            del batch.pending[pending:], batch.texts[texts:]
            for key in list(batch.records)[records:]:
                del batch.records[key]
            batch.undo = None
            return PartRefused(nth, outcome)
        parts.append(outcome)
    batch.undo = None
    return together(parts)


def together(parts: Sequence[Result]) -> Result:
    """One result of all parts: replayed when each of them is."""
    position, replayed = max(one.position for one in parts), all(one.replayed for one in parts)
    return Result(OK, b"", position, replayed, parts=tuple(parts))
