"""Histories through two houses on one log, each of which forgets at random: no law notices, and no seat is missed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Self

from hypothesis import given
from hypothesis import strategies as st

from services.batch import Order
from services.house import House
from services.states import NAME, States
from services.weights import weight_of
from tests.ledger.test_histories import all_voided, histories, orders
from tests.support.counter import Body
from tests.support.interleaved import Interleaved, between, large_rounds, slices_of
from tests.support.machine import Step, Terms
from tests.support.strategies import any_terms


class Forgetful(States):
    """After a turn any state and any list of a round's seats may be gone, as in a memory that is full."""

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self._dice = dice

    def trim(self) -> None:
        share = self._dice.choice((0.0, 0.5, 1.0))
        for stream in [one for one in self._states if self._dice.random() < share]:
            self.bytes -= weight_of(self._states.pop(stream).state)
        share = self._dice.choice((0.0, 0.0, 0.5))
        for prefix in [one for one in self._seats if self._dice.random() < share]:
            self.bytes -= NAME * (1 + len(self._seats.pop(prefix)))


class TwoHouses(Interleaved):
    """Each order goes to either house, so that each hears of half of what happens from the log."""

    def __init__(self, terms: Terms, between: Iterable[Step], seed: int) -> None:
        self._dice = Random(seed)
        super().__init__(terms, between)
        self._houses = [self.house, self._house()]

    def _house(self) -> House:
        house = super()._house()
        house._states = Forgetful(self._dice)
        return house

    async def __aenter__(self) -> Self:
        for house in self._houses:
            await house.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for house in self._houses:
            await house.stop()

    async def throw_away(self) -> None:
        nth = self._houses.index(self.house)
        await super().throw_away()
        self._houses[nth] = self.house

    async def _sent(self, order: Order) -> Body:
        self.house = self._dice.choice(self._houses)
        return await super()._sent(order)

    def compare(self, streams: set[str] | None = None) -> None:
        """What the houses have in memory, as soon as they have heard of the last event."""
        states = self.books.states
        for cached in [one._states for one in self._houses if one.position == self.books.position]:
            for stream in cached._states if streams is None else streams & cached._states.keys():
                assert cached._states[stream][:2] == states.get(stream, (None, 0)), stream
            for prefix, names in cached._seats.items():
                seats = {stream for stream, (state, _) in states.items() if stream.startswith(prefix) and state}
                assert seats <= set(names), prefix


@histories(40)
@given(any_terms, large_rounds, between, orders, st.integers(0, 2**16))
def test_every_law_holds_and_every_key_keeps_its_answer_in_two_houses_that_forget_at_random(
    under: Terms, history: list[Step], meanwhile: list[Step], order: list[int], seed: int
) -> None:
    with slices_of(1):
        asyncio.run(all_voided(under, history, order, TwoHouses(under, meanwhile, seed)))
