"""A machine whose large rounds are interrupted: between two slices anybody asks for anything, and processes die."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Final
from unittest.mock import patch

from hypothesis import strategies as st

from domain.errors import IdempotencyMismatch, Refusal, Unavailable
from domain.rounds.events import Phase
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.batch import Order, Result
from services.house import House
from services.ports import Log
from tests.support.counter import Body
from tests.support.guests import GUEST_STEPS
from tests.support.machine import STEPS, Machine, Step, Terms
from tests.support.memory_log import Fault, MemoryLog
from tests.support.staff import POLICIES

BETWEEN: Final = ("kill", "kill", "lose", "timer", "twin", "twin", "robber", "other house")
"""Steps that make sense between slices alone."""
AT_POOLS: Final = ("verify", "refuse")
"""Never between slices: rounds at pools have so few seats that they are paid at once."""
DEPTH: Final = 2
RETRIES: Final = 9

_TABLES: Final = st.sampled_from([0, 0, 0, 1, 2, 3])
"""The one with a hand for all above all: its rounds are the large ones."""


def _steps(kinds: Sequence[str]) -> st.SearchStrategy[Step]:
    return st.builds(Step, st.sampled_from(kinds), _TABLES, st.integers(1, 3), st.integers(0, 215))


large_rounds: Final = st.lists(_steps(STEPS), min_size=20, max_size=40)
between: Final = st.lists(_steps([one for one in STEPS + BETWEEN * 2 if one not in AT_POOLS]), min_size=5, max_size=30)


@contextmanager
def slices_of(seats: int) -> Iterator[None]:
    """Every round of more seats is decided for, paid and undone in slices."""
    with ExitStack() as stack:
        for module in ("carrying_on", "settling", "undoing"):
            stack.enter_context(patch(f"services.handlers.{module}.SEATS_PER_APPEND", seats))
        yield


class Interleaved(Machine):
    """Takes the steps of `between` where one slice has ended and the next has not begun."""

    def __init__(self, terms: Terms, between: Iterable[Step], log: Log | None = None) -> None:
        self._between = deque(between)
        self._under_way: list[Order] = []
        self._answers: dict[str, set[bytes]] = {}
        self.interrupted = 0
        super().__init__(terms, log)

    def _house(self) -> House:
        house = super()._house()
        real = house._enqueue

        async def enqueue(order: Order) -> Result:
            if isinstance(order.command, c.PayOn) and self._between and 0 < len(self._under_way) <= DEPTH:
                self.interrupted += 1
                await self._meanwhile(self._between.popleft())
            return await real(order)

        house._enqueue = enqueue  # type: ignore[method-assign]  # a look between slices
        return house

    async def attempt(self, command: c.Command) -> bool:
        """Nobody sends a key with what timers do."""
        if not isinstance(command, c.CancelAbandoned):
            return await super().attempt(command)
        self.commands += 1
        await self._quietly(replace(self.order(command), keys=()))
        return True

    async def send(self, order: Order) -> Body:
        """The answer of an order; one whose process was killed is sent again until there is one."""
        for _ in range(RETRIES):
            self._under_way.append(order)
            try:
                return await self._sent(order)
            except Unavailable:
                pass
            finally:
                self._under_way.pop()
        raise AssertionError(f"never answered: {order}")

    async def _sent(self, order: Order) -> Body:
        self.last_order = order
        try:
            found = await self.house.submit(order)
        finally:
            await self.audit()
        self.last = found
        self._same(order, found)
        return self.body

    def _same(self, order: Order, found: Result) -> None:
        """Of a key there is one answer for ever."""
        if isinstance(order.command, c.Void) and order.command.dry_run:
            return
        for key, _ in order.keys[:1]:
            self._answers.setdefault(key[2], set()).add(found.body)
            assert len(self._answers[key[2]]) == 1, self._answers[key[2]]

    async def void_all(self, order: Sequence[int], policy: VoidPolicy = VoidPolicy.CLAW_BACK) -> None:
        """Once more where rounds were opened meanwhile."""
        await super().void_all(order, policy)
        self._between.clear()
        await super().void_all(order, policy)

    async def _meanwhile(self, step: Step) -> None:
        order = self._under_way[-1]
        await self.audit()
        match step.kind:
            case "kill":
                await self.throw_away()
            case "lose" if isinstance(self.log, MemoryLog):
                self.log.fail((Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT, Fault.NO_APPEND)[step.who - 1])
            case "timer":
                await self.pay_on(getattr(order.command, "round", "no"))
            case "twin" if not (isinstance(order.command, c.Void) and order.command.dry_run):
                await self._quietly(order)
            case "robber":
                await self._robbed(order)
            case "other house":
                await self._elsewhere(getattr(order.command, "round", "no"))
            case kind if kind in BETWEEN:
                pass
            case _:
                await (self._guest(step) if step.kind in GUEST_STEPS else self._take(step))

    async def _elsewhere(self, round_id: str) -> None:
        """Another process pays on; this one hears of it at its next turn."""
        house = super()._house()
        await house.start()
        with suppress(Refusal):
            await house.submit(replace(self.order(c.PayOn(round_id)), keys=()))
        await house.stop()
        async with self.log.turn((), self.books.position) as turn:
            self.books.read(turn.news or ())
        self.books.check()

    async def pay_on(self, round_id: str) -> None:
        """What timers do with a round that is being paid."""
        await self._quietly(replace(self.order(c.PayOn(round_id)), keys=()))

    async def _quietly(self, order: Order) -> None:
        with suppress(Refusal):
            await self.send(order)

    async def _robbed(self, order: Order) -> None:
        """The key of the work under way, for something else: refused, once the work has begun."""
        if not order.keys:
            return
        key = order.keys[0][0]
        async with self.log.turn((key,), self.books.position) as turn:
            has_begun = key in turn.records
        if not has_begun:
            return
        try:
            await self.house.submit(self.order(c.OpenRound("elsewhere"), key=key[2]))
        except IdempotencyMismatch:
            return
        raise AssertionError("a key served two requests")

    async def _next(self, table: str, pick: int) -> None:
        """A round that is being paid is paid on."""
        open_round = self._table(table).open_round
        if open_round is not None and self._round_of(open_round).phase is Phase.PAYING:
            await self.pay_on(open_round)
            return
        await super()._next(table, pick)

    async def _void(self, step: Step, *, is_dry: bool) -> None:
        """A dry run waits for the last slice like any other command on the round."""
        if is_dry and self.rounds:
            round_id = self.rounds[step.pick % len(self.rounds)]
            if self._round_of(round_id).phase is Phase.PAYING:
                await self.attempt(self.voiding(round_id, POLICIES[step.who - 1], is_dry=True))
                return
        await super()._void(step, is_dry=is_dry)


__all__ = ["BETWEEN", "Interleaved", "between", "large_rounds", "slices_of"]
