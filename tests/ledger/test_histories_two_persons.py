"""Laws over histories of a casino where what needs two persons is proposed, and approved at once, later, or never."""

from __future__ import annotations

import asyncio
from itertools import cycle

from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Refusal
from services import commands as c
from services.ports import Log
from tests.ledger.test_histories import all_voided, histories, orders, steps
from tests.matrix.approvals import ANY
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_terms

AT_ONCE, LATER, REJECTED, OLD_ONE = range(4)
picks = st.lists(st.sampled_from([AT_ONCE, AT_ONCE, LATER, REJECTED, OLD_ONE]), min_size=1, max_size=8)


class TwoPersons(Machine):
    """What `pit` proposes, `boss` decides as the picks say."""

    is_strict = True

    def __init__(self, terms: Terms, picked: list[int], log: Log | None = None) -> None:
        super().__init__(terms, log)
        self.picked = cycle(picked)
        self.waiting: list[str] = []
        self.approved = 0

    async def attempt(self, command: c.Command) -> bool:
        """Whether the house took the command, approved where that is asked for at once."""
        before = self.books.standing()
        if not await super().attempt(command):
            return False
        if self.last is None or self.last.status != 202:
            return True
        assert self.books.standing() == before, "a proposal moved money"
        self.waiting.append(self.body["approval"])
        pick = next(self.picked)
        if pick == LATER:
            return False
        name = self.waiting.pop(0 if pick == OLD_ONE else -1)
        return await self._decide(name, approves=pick != REJECTED) and pick == AT_ONCE

    async def void_all(self, order: object, *policy: object) -> None:
        """Every round, and nobody hesitates."""
        self.picked = cycle([AT_ONCE])
        await super().void_all(order, *policy)  # type: ignore[arg-type]  # handed on as it came

    async def _decide(self, name: str, *, approves: bool) -> bool:
        order = self.order(c.DecideApproval(name, approves, None if approves else "not agreed", ANY), actor="boss")
        try:
            await self.send(order)
        except Refusal:
            return False
        assert self.last is not None
        self.served.append((order, self.last))
        self.approved += approves
        return True


@histories(150)
@given(any_terms, steps, orders, picks)
def test_every_law_holds_where_two_persons_agree_on_voids_corrections_and_prizes(
    under: Terms, history: list[Step], order: list[int], picked: list[int]
) -> None:
    asyncio.run(all_voided(under, history, order, TwoPersons(under, picked)))
